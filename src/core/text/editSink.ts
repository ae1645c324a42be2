import { diffLines, splitLines } from '../merge/lineDiff.ts';
import { applyEdits, type TextEdit } from './textEdit.ts';
import type { TextNode } from './yamlTree.ts';

/** An edit on its way; `owner` is the node whose replacement would do instead. */
interface PendingEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  readonly owner: TextNode;
}

/** Collects the edits of one plan, in any order; they must not overlap. */
export class EditSink {
  readonly #pending: PendingEdit[] = [];

  replace(start: number, end: number, newText: string, owner: TextNode): void {
    if (start !== end || newText !== '') this.#pending.push({ start, end, newText, owner });
  }

  insert(at: number, newText: string, owner: TextNode): void {
    this.replace(at, at, newText, owner);
  }

  /** The part of `text` between two offsets with the edits in it applied. All edits must lie inside. */
  applyTo(text: string, start: number, end: number): string {
    const edits = this.#sorted().map((edit) => ({
      offset: edit.start - start,
      length: edit.end - edit.start,
      newText: edit.newText,
    }));
    return applyEdits(text.slice(start, end), edits);
  }

  /** The smallest edits, in order, of which no two touch. */
  finish(text: string): readonly TextEdit[] {
    return joinTouching(this.#sorted()).flatMap((edit) => refine(text, edit));
  }

  /** The owner of the edit at or before an offset of the edited text. */
  ownerNear(offset: number): TextNode | undefined {
    let shift = 0;
    let owner: TextNode | undefined;
    for (const edit of this.#sorted()) {
      if (owner !== undefined && edit.start + shift > offset) break;
      owner = edit.owner;
      shift += edit.newText.length - (edit.end - edit.start);
    }
    return owner;
  }

  /** By place; what is inserted at one place keeps its order and precedes what is replaced there. */
  #sorted(): readonly PendingEdit[] {
    return [...this.#pending].sort(
      (left, right) =>
        left.start - right.start || Number(left.end > left.start) - Number(right.end > right.start),
    );
  }
}

function joinTouching(edits: readonly PendingEdit[]): readonly PendingEdit[] {
  const joined: PendingEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last !== undefined && last.end >= edit.start) {
      const newText = last.newText + edit.newText;
      joined[joined.length - 1] = { ...last, end: Math.max(last.end, edit.end), newText };
    } else joined.push(edit);
  }
  return joined;
}

/** Leaves out the lines, and then the characters at either end, that an edit would replace by themselves. */
function refine(text: string, { start, end, newText }: PendingEdit): readonly TextEdit[] {
  const oldText = text.slice(start, end);
  if (oldText === newText) return [];
  if (!oldText.includes('\n') || !newText.includes('\n')) return [trim(start, oldText, newText)];
  const [before, after] = [splitLines(oldText), splitLines(newText)];
  let offset = start;
  let line = 0;
  return diffLines(before, after).map((hunk) => {
    for (; line < hunk.start; line += 1) offset += before[line]?.length ?? 0;
    return trim(
      offset,
      before.slice(hunk.start, hunk.end).join(''),
      after.slice(hunk.newStart, hunk.newEnd).join(''),
    );
  });
}

function trim(offset: number, oldText: string, newText: string): TextEdit {
  const shorter = Math.min(oldText.length, newText.length);
  let head = 0;
  while (head < shorter && oldText[head] === newText[head]) head += 1;
  while (head > 0 && (splitsUnit(oldText, head) || splitsUnit(newText, head))) head -= 1;
  let tail = 0;
  while (tail < shorter - head && oldText.at(-1 - tail) === newText.at(-1 - tail)) tail += 1;
  while (
    tail > 0 &&
    (splitsUnit(oldText, oldText.length - tail) || splitsUnit(newText, newText.length - tail))
  ) {
    tail -= 1;
  }
  return {
    offset: offset + head,
    length: oldText.length - head - tail,
    newText: newText.slice(head, newText.length - tail),
  };
}

/** Whether a surrogate pair or a CRLF stands across `at`. */
function splitsUnit(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
