import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../../src/core/json.ts';
import { printScalar, toLiteral } from '../../../../src/core/text/writeScalar.ts';
import type { Dice } from './dice.ts';

/** Prints an object in a style that a person could have used: every choice is the dice's. */
export function printStyled(object: JsonObject, dice: Dice): string {
  const writer = new StyledWriter(dice);
  let text = writer.document(object);
  if (dice.oneIn(3)) text = text.replaceAll('\n', '\r\n');
  if (dice.oneIn(5) && !/\|\d?\+|>\d?\+/.test(text)) text = text.replace(/(?:\r?\n)+$/, '');
  return dice.oneIn(8) ? `\uFEFF${text}` : text;
}

class StyledWriter {
  readonly #dice: Dice;
  readonly #step: number;
  readonly #listIndent: number;
  #comments = 0;
  /** Blank lines would be content of the block scalar above. */
  #isKeeping = false;
  /** Values that were written with an anchor. */
  readonly #anchors: { readonly name: string; readonly text: string }[] = [];
  readonly #usesAnchors: boolean;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#step = dice.pick([2, 4, 1, 3]);
    this.#listIndent = dice.pick([0, 2, 4]);
    this.#usesAnchors = dice.oneIn(5);
  }

  document(object: JsonObject): string {
    const dice = this.#dice;
    const head = dice.oneIn(3) ? this.#comment(0) + (dice.oneIn(2) ? '\n' : '') : '';
    const marker = dice.oneIn(4) ? dice.pick(['---\n', '--- # start\n', '---\n# nothing\n---\n']) : '';
    const body = dice.oneIn(12) ? `${this.#flow(object)}\n` : this.#members(object, 0, '');
    const tails = ['...\n', '---\n', '# end\n', this.#isKeeping ? '' : '\n\n'] as const;
    const tail = dice.oneIn(4) ? dice.pick(tails) : '';
    return head + marker + body + tail;
  }

  /** Lines of a block mapping; `first` stands in place of the first line's indentation. */
  #members(object: JsonObject, indent: number, first: string): string {
    const margin = ' '.repeat(indent);
    return Object.entries(object)
      .map(([key, value], index) => {
        const isUnderDash = index === 0 && first !== '';
        const lead = isUnderDash ? '' : this.#lead(indent);
        return lead + (isUnderDash ? first : margin) + this.#member(key, value, indent);
      })
      .join('');
  }

  #member(key: string, value: Json, indent: number): string {
    const dice = this.#dice;
    const printed = this.#key(key, false);
    if (dice.oneIn(25)) return `? ${printed}\n${' '.repeat(indent)}:${this.#value(value, indent, false)}`;
    return `${printed}${dice.oneIn(12) ? ' ' : ''}:${this.#value(value, indent, false)}`;
  }

  /** What stands behind `:` or a dash, to the end of the value's last line. */
  #value(value: Json, indent: number, isItem: boolean): string {
    const dice = this.#dice;
    const gap = dice.oneIn(10) ? '  ' : ' ';
    const anchored = this.#anchor(value);
    if (anchored?.kind === 'alias') return `${gap}*${anchored.name}${this.#behind()}`;
    const props = anchored === undefined ? '' : ` &${anchored.name}`;
    const isCollection = typeof value === 'object' && value !== null;
    const isEmpty = isCollection && Object.keys(value).length === 0;
    if (!isCollection) return props + this.#scalar(value, indent, gap);
    if (isEmpty || dice.oneIn(5)) return `${props}${gap}${this.#flow(value)}${this.#behind()}`;
    const header = `${this.#behind()}${dice.oneIn(10) ? this.#comment(indent + 1) : ''}`;
    if (isJsonArray(value)) {
      const inner = indent + (isItem ? 2 : this.#listIndent);
      if (isItem && props === '' && !dice.oneIn(4)) return this.#items(value, indent + 1 + gap.length, gap);
      return props + header + this.#items(value, inner, '');
    }
    if (!isJsonObject(value)) return '';
    if (isItem && props === '' && !dice.oneIn(4)) return this.#members(value, indent + 1 + gap.length, gap);
    return props + header + this.#members(value, indent + (isItem ? 2 : this.#step), '');
  }

  #items(list: readonly Json[], indent: number, first: string): string {
    return list
      .map((item, index) => {
        const isUnderDash = index === 0 && first !== '';
        const lead = isUnderDash ? '' : this.#lead(indent);
        return `${lead}${isUnderDash ? first : ' '.repeat(indent)}-${this.#value(item, indent, true)}`;
      })
      .join('');
  }

  #scalar(value: Exclude<Json, readonly Json[] | JsonObject>, indent: number, gap: string): string {
    const dice = this.#dice;
    if (value === null && dice.oneIn(3)) return this.#behind();
    if (typeof value === 'string' && !dice.oneIn(4)) {
      const block = this.#block(value, indent, gap);
      if (block !== undefined) return block;
    }
    return `${gap}${this.#inline(value, false)}${this.#behind()}`;
  }

  #block(value: string, indent: number, gap: string): string | undefined {
    const dice = this.#dice;
    const step = dice.pick([2, 4, 1]);
    const literal = value.includes('\n') || dice.oneIn(8) ? toLiteral(value, step) : undefined;
    if (literal === undefined) return undefined;
    const digit = /\d/.test(literal.header) || !dice.oneIn(5) ? '' : String(step);
    const header = literal.header.replace('|', `|${digit}`);
    const margin = ' '.repeat(indent + step);
    const lines = literal.lines.map((line) => (line === '' && !dice.oneIn(6) ? '' : margin + line));
    const tail = header.includes('+') || !dice.oneIn(6) ? '' : '\n';
    const behind = this.#behind();
    this.#isKeeping = header.includes('+');
    return `${gap}${header}${behind}${lines.map((line) => `${line}\n`).join('')}${tail}`;
  }

  #inline(value: Exclude<Json, readonly Json[] | JsonObject>, inFlow: boolean): string {
    const dice = this.#dice;
    if (typeof value === 'string') {
      const canBeSingle = !/[^ -~]/.test(value);
      const quotes = dice.below(4);
      if (quotes === 1)
        return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u007f', '\\u007f');
      if (quotes === 2 && canBeSingle) return `'${value.replaceAll("'", "''")}'`;
      return printScalar(value, { inFlow });
    }
    if (value === null) return dice.pick(['null', '~', 'Null']);
    if (typeof value === 'boolean') return dice.pick(value ? ['true', 'yes', 'On'] : ['false', 'no', 'OFF']);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      return dice.pick([
        String(value),
        `${value}.0`,
        `0x${value.toString(16)}`,
        `0${value.toString(8)}`,
        `+${value}`,
      ]);
    }
    return printScalar(value, { inFlow });
  }

  #key(key: string, inFlow: boolean): string {
    return this.#dice.oneIn(6) ? JSON.stringify(key) : printScalar(key, { inFlow });
  }

  #flow(value: Json): string {
    const dice = this.#dice;
    const pad = dice.oneIn(3) ? ' ' : '';
    const gap = (): string => (dice.oneIn(12) ? this.#behind() + ' '.repeat(60) : ' ');
    const parts = isJsonArray(value)
      ? value.map((item) => this.#flow(item))
      : isJsonObject(value)
        ? Object.entries(value).map(([key, member]) => `${this.#key(key, true)}: ${this.#flow(member)}`)
        : undefined;
    if (parts === undefined) return this.#inline(value as string, true);
    const text = parts.map((part, index) => part + (index < parts.length - 1 ? `,${gap()}` : '')).join('');
    const end = parts.length > 0 && dice.oneIn(10) ? ',' : '';
    return isJsonArray(value) ? `[${pad}${text}${end}${pad}]` : `{${pad}${text}${end}${pad}}`;
  }

  /** Blank lines and comments in front of an item. */
  #lead(indent: number): string {
    const dice = this.#dice;
    const blank = dice.oneIn(10) && !this.#isKeeping ? '\n' : '';
    if (!dice.oneIn(7)) return blank;
    return blank + this.#comment(dice.oneIn(6) ? 0 : indent) + (dice.oneIn(8) ? '\n' : '');
  }

  /** The end of a line, with or without a comment. */
  #behind(): string {
    this.#isKeeping = false;
    return this.#dice.oneIn(7) ? `${this.#dice.pick([' ', '   '])}# c${this.#comments++}\n` : '\n';
  }

  #comment(indent: number): string {
    this.#isKeeping = false;
    return `${' '.repeat(indent)}# c${this.#comments++}\n`;
  }

  #anchor(value: Json): { readonly kind: 'alias' | 'anchor'; readonly name: string } | undefined {
    if (!this.#usesAnchors) return undefined;
    const text = printKey(value);
    const known = this.#anchors.find((anchor) => anchor.text === text);
    if (known !== undefined) return this.#dice.oneIn(2) ? { kind: 'alias', name: known.name } : undefined;
    if (!this.#dice.oneIn(5)) return undefined;
    const name = `a${this.#anchors.length}`;
    this.#anchors.push({ name, text });
    return { kind: 'anchor', name };
  }
}

function printKey(value: Json): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));
}
