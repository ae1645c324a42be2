/** Offset of the first character of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Offset behind the last character of the line that holds `offset`, its line break not included. */
export function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed < 0) return text.length;
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** Offset of the line after the one that holds `offset`; the text's length where there is none. */
export function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed < 0 ? text.length : feed + 1;
}

/** Characters between the line's start and `offset`; a byte order mark does not count. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (start === 0 && text.startsWith('\uFEFF') ? 1 : 0);
}

/** Whether only spaces stand in front of `offset` on its line. */
export function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return /^\uFEFF? *$/.test(text.slice(start, offset));
}

/** 1-based line numbers of offsets, which must be asked for in rising order. */
export class LineCounter {
  readonly #text: string;
  #offset = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  lineOf(offset: number): number {
    for (
      let feed = this.#text.indexOf('\n', this.#offset);
      feed >= 0 && feed < offset;
      feed = this.#text.indexOf('\n', this.#offset)
    ) {
      this.#offset = feed + 1;
      this.#line += 1;
    }
    return this.#line;
  }
}
