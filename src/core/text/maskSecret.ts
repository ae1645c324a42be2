import { findSecretSpans, type SecretSpan } from './secretSpans.ts';
import { applyEdits, type TextEdit } from './textEdit.ts';

/** Stands for a single value where no others are shown beside it. */
export const hiddenValue = '••••••••';

/** Texts of one Secret with every secret value replaced by a mask, and the way back. */
export interface MaskedTexts {
  /** In the order of the texts that were given. */
  readonly texts: readonly string[];
  /** Puts the values back into an edited text; only the masks of these texts are known. */
  unmask(text: string): UnmaskOutcome;
}

export type UnmaskOutcome =
  | { readonly kind: 'ok'; readonly text: string }
  /** A mask that was edited, or moved to where its value does not belong; `line` is 1-based. */
  | { readonly kind: 'misplaced'; readonly line: number }
  /** The text cannot be parsed. */
  | { readonly kind: 'unreadable' };

/**
 * Masks a Secret's texts so that they can be shown side by side: the same value under the same key has the
 * same mask in every text, other values have others; neither content nor length can be told. Values under
 * `data` and `stringData`, comments there, and the last-applied annotation are masked (issue case H4).
 *
 * @returns undefined where a text cannot be parsed: what cannot be found cannot be masked
 */
export function maskSecretTexts(texts: readonly string[]): MaskedTexts | undefined {
  const masks = new Map<string, Mask>();
  const masked: string[] = [];
  for (const text of texts) {
    const spans = findSecretSpans(text);
    if (spans === undefined) return undefined;
    masked.push(
      applyEdits(
        text,
        spans.map((span) => toEdit(span, maskFor(masks, span))),
      ),
    );
  }
  const byLabel = new Map([...masks.values()].map((mask) => [mask.label, mask]));
  return { texts: masked, unmask: (text) => unmask(text, byLabel) };
}

interface Mask {
  readonly label: string;
  /** `data`, `stringData` or the annotation: a value means something else in another. */
  readonly section: string;
  /** What the mask stands for, as it can be written in its place. */
  readonly source: string;
}

function maskFor(masks: Map<string, Mask>, span: SecretSpan): Mask {
  const key = JSON.stringify([span.kind, span.section, span.key, span.content]);
  const known = masks.get(key);
  if (known !== undefined) return known;
  const mask: Mask = {
    label: `${hiddenValue} (${span.kind} ${masks.size + 1})`,
    section: span.section,
    source: span.isBlockScalar ? quote(span.content) : span.source,
  };
  masks.set(key, mask);
  return mask;
}

function toEdit(span: SecretSpan, mask: Mask): TextEdit {
  const label = span.kind === 'comment' ? `# ${mask.label}` : mask.label;
  return { offset: span.start, length: span.source.length, newText: label + lineEndOf(span.source) };
}

function unmask(text: string, byLabel: ReadonlyMap<string, Mask>): UnmaskOutcome {
  const spans = findSecretSpans(text);
  if (spans === undefined) return { kind: 'unreadable' };
  const edits: TextEdit[] = [];
  for (const { source, section, start } of spans) {
    const mask = byLabel.get(source.replace(/^#\s*/, '').trim());
    if (mask?.section !== section) continue;
    edits.push({ offset: start, length: source.length, newText: mask.source });
  }
  const left = findOutside(text, hiddenValue, edits);
  if (left !== undefined) return { kind: 'misplaced', line: text.slice(0, left).split('\n').length };
  return { kind: 'ok', text: applyEdits(text, edits) };
}

/** Where `needle` stands in `text` outside the edited ranges. */
function findOutside(text: string, needle: string, edits: readonly TextEdit[]): number | undefined {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const isEdited = edits.some(({ offset, length }) => offset <= at && at < offset + length);
    if (!isEdited) return at;
  }
  return undefined;
}

/** A block scalar's source ends its line, and so must its mask. */
function lineEndOf(source: string): string {
  return /\r?\n$/.exec(source)?.[0] ?? '';
}

/** A double-quoted scalar that reads back as `value`. Source: facts of YAML line breaks, U+0085 and U+2028 f. */
function quote(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
