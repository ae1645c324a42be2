import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** With this set, tables are written anew; `npx prettier --write docs` then aligns them. */
const isWriting = process.env.KUBEMERGE_WRITE_TABLES === '1';

export interface DocTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Holds the table below a heading of a page against this one. */
export function checkDocTable(page: string, heading: string, table: DocTable): void {
  if (isWriting) replaceTable(page, heading, table);
  const told = cellsBelow(readFileSync(page, 'utf8'), heading);
  assert.deepEqual(told, [table.head, ...table.rows]);
  assert.ok(
    told.flat().every((cell) => cell !== ''),
    'no cell is empty',
  );
}

function cellsBelow(text: string, heading: string): string[][] {
  const [head, , ...rows] = tableLines(text, heading);
  return [head ?? '', ...rows].map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function tableLines(text: string, heading: string): readonly string[] {
  const lines = text.split('\n');
  const start = lines.indexOf(heading);
  assert.ok(start >= 0, `the page has ${heading}`);
  const first = lines.findIndex((line, index) => index > start && line.startsWith('|'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first, first + length);
}

function replaceTable(page: string, heading: string, { head, rows }: DocTable): void {
  const text = readFileSync(page, 'utf8');
  const print = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const made = [print(head), print(head.map(() => '---')), ...rows.map(print)];
  writeFileSync(
    page,
    text.replace(tableLines(text, heading).join('\n'), () => made.join('\n')),
  );
}
