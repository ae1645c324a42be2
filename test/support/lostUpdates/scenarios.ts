import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../../src/core/json.ts';
import { readDocument } from '../../../src/core/text/readYaml.ts';
import { applyFieldEdits, type Edits } from '../mergeCases.ts';

/** One story of two writers; see test/data/lostUpdates/README.md. */
export interface Scenario {
  readonly title: string;
  /** As both writers find it, without a namespace. */
  readonly object: JsonObject;
  readonly mine: Edits;
  readonly other: OtherWrite;
  readonly right: RightResult;
  /** The order of keyed lists counts too. */
  readonly isOrdered: boolean;
}

export type OtherWrite =
  | { readonly kind: 'update' | 'status' | 'recreate'; readonly edits: Edits }
  | { readonly kind: 'scale'; readonly replicas: number }
  | { readonly kind: 'delete' };

export type RightResult =
  /** Edits of the object as it was opened. */
  | { readonly kind: 'value'; readonly saved: readonly [Edits] }
  /** Nothing is written; a person decides at these paths. Yet `saved`, where there is one, loses nothing either. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly saved: readonly Edits[] }
  /** Nothing is written. */
  | { readonly kind: 'refused'; readonly because: 'recreated' | 'deleted' };

interface ScenarioText {
  readonly title: string;
  readonly object: string;
  readonly start?: Edits;
  readonly mine: Edits;
  readonly live?: Edits;
  readonly status?: Edits;
  readonly scale?: number;
  readonly recreated?: Edits;
  readonly deleted?: true;
  readonly right?: Edits;
  readonly conflicts?: readonly string[];
  readonly refused?: 'recreated' | 'deleted';
  readonly ordered?: true;
}

const data = join(import.meta.dirname, '../../data');

/** All scenarios, in the order of their files. */
export function readScenarios(): readonly Scenario[] {
  const folder = join(data, 'lostUpdates/scenarios');
  return readdirSync(folder)
    .sort()
    .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')) as readonly ScenarioText[])
    .map((text) => ({
      title: text.title,
      object: applyFieldEdits(readObject(text.object), text.start ?? {}),
      mine: text.mine,
      other: otherWriteOf(text),
      right: rightResultOf(text),
      isOrdered: text.ordered ?? false,
    }));
}

function readObject(name: string): JsonObject {
  const own = join(data, 'lostUpdates/objects', `${name}.yaml`);
  const path = existsSync(own) ? own : join(data, 'merge/objects', `${name}.yaml`);
  const read = readDocument(readFileSync(path, 'utf8'));
  if (read.kind === 'invalid') throw new Error(`${path} cannot be read`);
  return read.value;
}

function otherWriteOf({ title, live, status, scale, recreated, deleted }: ScenarioText): OtherWrite {
  if (live !== undefined) return { kind: 'update', edits: live };
  if (status !== undefined) return { kind: 'status', edits: status };
  if (scale !== undefined) return { kind: 'scale', replicas: scale };
  if (recreated !== undefined) return { kind: 'recreate', edits: recreated };
  if (deleted !== undefined) return { kind: 'delete' };
  throw new Error(`${title}: the other writer does nothing`);
}

function rightResultOf({ title, right, conflicts, refused }: ScenarioText): RightResult {
  if (conflicts !== undefined) {
    return { kind: 'conflict', paths: conflicts, saved: right === undefined ? [] : [right] };
  }
  if (right !== undefined) return { kind: 'value', saved: [right] };
  if (refused !== undefined) return { kind: 'refused', because: refused };
  throw new Error(`${title}: nothing says what is right`);
}
