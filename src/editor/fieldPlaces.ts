import type { FieldPath } from '../core/merge/fieldPath.ts';
import { type FieldLocation, locateField } from '../core/text/locate.ts';
import type { TextRange } from '../core/text/textEdit.ts';

/** Where a field stands in a text: its key, or its value where it has none. */
export interface FieldPlace extends TextRange {
  readonly value: TextRange;
  /** False where the field is absent and this is the nearest parent. */
  readonly isExact: boolean;
}

/** @returns undefined for a text in which nothing can be found */
export function findField(text: string, path: FieldPath): FieldPlace | undefined {
  return toPlace(locateField(text, path));
}

export function toPlace(found: FieldLocation | undefined): FieldPlace | undefined {
  if (found === undefined) return undefined;
  const { start, end } = found.key ?? found.value;
  return { start, end, value: found.value, isExact: found.isExact };
}

/** Where a field's value stands; undefined where it is absent. */
export function findValue(text: string, path: FieldPath): TextRange | undefined {
  const found = locateField(text, path);
  return found?.isExact === true ? found.value : undefined;
}
