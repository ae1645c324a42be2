import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { orderedEntries, orderedRootEntries } from './keyOrder.ts';
import { isScalar, printQuoted, printScalar, toLiteral } from './writeScalar.ts';

/** How a text is written. */
export interface TextStyle {
  /** Spaces a level. */
  readonly indentStep: number;
  /** Spaces in front of the dashes of a list below its key; kubectl writes 0. */
  readonly listIndent: number;
  readonly lineBreak: '\n' | '\r\n';
  /** Strings with blank lines at their end are quoted: as blocks they would take in blank lines behind them. */
  readonly quotesTrailingBreaks?: boolean;
}

export const kubectlStyle: TextStyle = { indentStep: 2, listIndent: 0, lineBreak: '\n' };

/**
 * Prints an object as a new text: `apiVersion`, `kind` and `metadata` first, other keys in kubectl's order,
 * strings quoted where kubectl would read something else, texts of several lines as literal blocks, no line
 * folded (issue cases C1, C2, C7).
 */
export function renderObject(object: JsonObject): string {
  const entries = orderedRootEntries(object);
  if (entries.length === 0) return '{}\n';
  return entries.map(([key, value]) => printEntry(key, value, 0, kubectlStyle)).join('');
}

/** A value as it stands behind `key:` or `-`: what goes on that line, and whole lines below it. */
export interface PrintedValue {
  /** With its leading space; '' where the value begins on the next line. */
  readonly head: string;
  /** Whole lines with their line breaks; '' for a value on one line. */
  readonly body: string;
}

/** One member of a block mapping whose keys stand at column `indent`: whole lines. */
export function printEntry(key: string, value: Json, indent: number, style: TextStyle): string {
  const { head, body } = printValue(value, indent, style);
  return `${' '.repeat(indent)}${printKey(key, style)}${longKeyBreak(key, indent, style)}:${head}${style.lineBreak}${body}`;
}

/** One element of a block list whose dashes stand at column `indent`: whole lines. */
export function printItem(value: Json, indent: number, style: TextStyle): string {
  const { head, body } = printElement(value, indent, style);
  return `${' '.repeat(indent)}-${head}${style.lineBreak}${body}`;
}

/** A member's value; `indent` is the column of its key. */
export function printValue(value: Json, indent: number, style: TextStyle): PrintedValue {
  if (isScalar(value)) return printBlockScalar(value, indent, style);
  if (isJsonArray(value)) {
    if (value.length === 0) return { head: ' []', body: '' };
    return {
      head: '',
      body: value.map((item) => printItem(item, indent + style.listIndent, style)).join(''),
    };
  }
  const entries = orderedEntries(value);
  if (entries.length === 0) return { head: ' {}', body: '' };
  const inner = indent + style.indentStep;
  return { head: '', body: entries.map(([key, member]) => printEntry(key, member, inner, style)).join('') };
}

/** An element's value; `indent` is the column of its dash. */
export function printElement(value: Json, indent: number, style: TextStyle): PrintedValue {
  if (isScalar(value)) return printBlockScalar(value, indent, style);
  const inner = indent + 2;
  const lines = isJsonArray(value)
    ? value.map((item) => printItem(item, inner, style)).join('')
    : orderedEntries(value)
        .map(([key, member]) => printEntry(key, member, inner, style))
        .join('');
  if (lines === '') return { head: isJsonArray(value) ? ' []' : ' {}', body: '' };
  // The first line moves up behind the dash.
  const end = lines.indexOf(style.lineBreak);
  return { head: ` ${lines.slice(inner, end)}`, body: lines.slice(end + style.lineBreak.length) };
}

/** Flow collections of a JSON text have quoted keys and strings. */
export interface FlowStyle {
  readonly quotes?: 'single' | 'double' | undefined;
}

/** Any value on one line, for flow collections. */
export function printFlow(value: Json, style: FlowStyle): string {
  if (isJsonArray(value)) return `[${value.map((item) => printFlow(item, style)).join(', ')}]`;
  if (isJsonObject(value)) {
    const entries = orderedEntries(value).map(([key, member]) => printFlowEntry(key, member, style));
    return `{${entries.join(', ')}}`;
  }
  if (typeof value === 'string' && style.quotes !== undefined) return printQuoted(value, style.quotes);
  return printScalar(value, { inFlow: true });
}

export function printFlowEntry(key: string, value: Json, style: FlowStyle): string {
  return `${printFlow(key, style)}: ${printFlow(value, style)}`;
}

function printBlockScalar(
  value: Exclude<Json, readonly Json[] | JsonObject>,
  indent: number,
  { indentStep, lineBreak, quotesTrailingBreaks }: TextStyle,
): PrintedValue {
  const isBlock =
    typeof value === 'string' && value.includes('\n') && !(quotesTrailingBreaks && value.endsWith('\n\n'));
  const block = isBlock ? toLiteral(value, indentStep) : undefined;
  if (block === undefined) return { head: ` ${printScalar(value, { inFlow: false })}`, body: '' };
  const margin = ' '.repeat(indent + indentStep);
  const body = block.lines.map((line) => (line === '' ? lineBreak : margin + line + lineBreak)).join('');
  return { head: ` ${block.header}`, body };
}

/** A key without `? ` ends within 1024 characters; escapes make it longer than the string. */
const maxKeyLength = 1000;

function printKey(key: string, style: TextStyle): string {
  const printed = printScalar(key, { inFlow: false });
  return printed.length > maxKeyLength && style.indentStep > 0 ? `? ${printed}` : printed;
}

function longKeyBreak(key: string, indent: number, { lineBreak }: TextStyle): string {
  const printed = printScalar(key, { inFlow: false });
  return printed.length > maxKeyLength ? `${lineBreak}${' '.repeat(indent)}` : '';
}
