import type { Conflict } from '../core/merge/mergeResult.ts';
import { maskSecretTexts, type MaskedTexts } from '../core/text/maskSecret.ts';
import type { TextRange } from '../core/text/textEdit.ts';
import type { FieldPath } from '../core/merge/fieldPath.ts';
import type { MergeInputs } from './liveDocuments.ts';

/** The texts that a merge editor shows, and how its result is read back. */
export interface ShownMerge {
  readonly base: string;
  readonly live: string;
  readonly mine: string;
  readonly result: string;
  readonly unmask: MaskedTexts['unmask'];
}

/**
 * The texts to show for a merge.
 *
 * @param result the result to start with: `inputs.result`, or one that the user was already at
 * @param isMasked a Secret whose values are hidden
 * @returns undefined where a text cannot be masked
 */
export function showMerge(inputs: MergeInputs, result: string, isMasked: boolean): ShownMerge | undefined {
  const { base, live, mine } = inputs;
  if (!isMasked) return { base, live, mine, result, unmask: (text) => ({ kind: 'ok', text }) };
  const masked = maskSecretTexts([base, live, mine, result]);
  const [maskedBase, maskedLive, maskedMine, maskedResult] = masked?.texts ?? [];
  if (masked === undefined || maskedBase === undefined || maskedLive === undefined) return undefined;
  if (maskedMine === undefined || maskedResult === undefined) return undefined;
  return {
    base: maskedBase,
    live: maskedLive,
    mine: maskedMine,
    result: maskedResult,
    unmask: (text) => masked.unmask(text),
  };
}

const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r]|$)/m;

/** @returns the 1-based line of the first conflict marker */
export function findMarker(text: string): number | undefined {
  const found = marker.exec(text);
  return found === null ? undefined : text.slice(0, found.index).split('\n').length;
}

/** Where a field's value stands in a text; undefined where it is absent. */
export type FindValue = (text: string, path: FieldPath) => TextRange | undefined;

/** Conflicts at which the result is still what it was before anyone decided: base's value. */
export function findUndecided(
  { conflicts, result: initial }: MergeInputs,
  result: string,
  findValue: FindValue,
): readonly Conflict[] {
  const valueIn = (text: string, path: FieldPath): string | undefined => {
    const range = findValue(text, path);
    return range === undefined ? undefined : text.slice(range.start, range.end).trim();
  };
  return conflicts.filter(({ path }) => valueIn(initial, path) === valueIn(result, path));
}
