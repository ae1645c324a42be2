import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../core/json.ts';
import { toRowObject } from '../core/resource/rowObject.ts';
import type { WatchEvent } from '../sync/clusterPort.ts';

/** Different summaries remembered at once, so that equal ones are one string. */
const maxShared = 1_000;

/** Longest summary, in UTF-16 units. */
const maxSummaryLength = 120;

interface Column {
  readonly index: number;
  readonly label: string;
}

/**
 * Reads objects as rows, from Tables or, where a server has none, from whole objects or their metadata. A
 * reader is for one list page or one watch: only the first Table of a watch names its columns.
 * Source: Kubernetes API concepts, "Receiving resources as Tables".
 */
export class RowReader {
  #columns: readonly Column[] = [];
  readonly #shared = new Map<string, string>();

  /** @returns undefined for something that is no list */
  readList(list: JsonObject): readonly JsonObject[] | undefined {
    // Go prints an empty list as null in places.
    const entries = (isTable(list) ? list.rows : list.items) ?? [];
    if (!isJsonArray(entries)) return undefined;
    if (!isTable(list)) return entries.filter(isJsonObject).map((item) => toRowObject(item));
    this.#readColumns(list);
    return entries.map((row) => this.#readRow(row)).filter((row) => row !== undefined);
  }

  /** @returns undefined for an event that names no object */
  readEvent(event: WatchEvent): WatchEvent | undefined {
    if (event.kind === 'opened' || event.kind === 'bookmark' || event.kind === 'error') return event;
    if (!isTable(event.object)) return { kind: event.kind, object: toRowObject(event.object) };
    this.#readColumns(event.object);
    const object = this.#readRow(firstOf(event.object.rows));
    return object === undefined ? undefined : { kind: event.kind, object };
  }

  #readColumns(table: JsonObject): void {
    const { columnDefinitions } = table;
    if (isJsonArray(columnDefinitions) && columnDefinitions.length > 0) {
      this.#columns = columnDefinitions.flatMap((definition, index) => toColumn(definition, index));
    }
  }

  #readRow(row: Json | undefined): JsonObject | undefined {
    const object = memberAt(row, 'object');
    return isJsonObject(object) ? toRowObject(object, this.#summarise(memberAt(row, 'cells'))) : undefined;
  }

  #summarise(cells: Json | undefined): string {
    if (!isJsonArray(cells)) return '';
    const words = this.#columns.flatMap(({ index, label }) => printCell(cells[index], label));
    const summary = words.join(' · ').slice(0, maxSummaryLength);
    const known = this.#shared.get(summary);
    if (known !== undefined) return known;
    if (this.#shared.size >= maxShared) this.#shared.clear();
    this.#shared.set(summary, summary);
    return summary;
  }
}

function isTable(object: JsonObject): boolean {
  return object.kind === 'Table';
}

function firstOf(values: Json | undefined): Json | undefined {
  return isJsonArray(values) ? values[0] : undefined;
}

/** Only what `kubectl get` shows without `-o wide`; the name is the row's own, and ages are wrong soon. */
function toColumn(definition: Json, index: number): Column[] {
  const name = memberAt(definition, 'name');
  const isName = memberAt(definition, 'format') === 'name';
  const isAge = memberAt(definition, 'type') === 'date' || name === 'Age';
  const isWide = (memberAt(definition, 'priority') ?? 0) !== 0;
  if (typeof name !== 'string' || isName || isAge || isWide) return [];
  return [{ index, label: name.toLowerCase() }];
}

/** A number says nothing without its column's name: `2 restarts`; words do: `Running`. */
function printCell(cell: Json | undefined, label: string): string[] {
  const isPlain = typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean';
  if (!isPlain) return [];
  // `3 (5m ago)`: the age would be wrong soon.
  const text = String(cell)
    .replace(/ \([^)]* ago\)$/, '')
    .trim();
  if (text === '' || /^<(none|unset|unknown|invalid)>$/.test(text)) return [];
  if (/^\d+(\/\d+)?$/.test(text)) return [`${text} ${label}`];
  return /^(true|false)$/i.test(text) ? [`${label}: ${text}`] : [text];
}
