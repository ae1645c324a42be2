import { itemEnd } from './contentEnd.ts';
import { columnOf, lineEnd, lineStart, nextLine } from './lines.ts';
import type { ListItem, MapEntry } from './yamlTree.ts';

/** Start of the line behind an entry or element and the comments inside it: those further to the right. */
export function behindItem(text: string, item: MapEntry | ListItem): number {
  const indent = columnOf(text, item.start);
  let end = nextLine(text, itemEnd(text, item));
  for (let position = end; position < text.length; position = nextLine(text, position)) {
    const line = text.slice(position, lineEnd(text, position));
    const column = line.search(/\S/);
    if (column < 0) continue;
    if (line[column] !== '#' || column <= indent) break;
    end = nextLine(text, position);
  }
  return end;
}

/** Start of an item's first line, or of the comments directly above it in the same column. */
export function leadStart(text: string, start: number): number {
  const column = columnOf(text, start);
  let first = lineStart(text, start);
  while (first > 0) {
    const above = lineStart(text, first - 1);
    const line = text.slice(above, first);
    if (line[column] !== '#' || /\S/.test(line.slice(0, column))) break;
    first = above;
  }
  return first === 0 && text.startsWith('\uFEFF') ? 1 : first;
}
