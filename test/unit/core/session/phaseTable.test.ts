import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../../scripts/repository.ts';
import { allReactions, isConditional, keepsMine, phaseTable, saveTable } from './phaseTable.ts';

const page = join(repositoryRoot, 'docs', 'session-phases.md');
/** With this set, the page is written anew; `npx prettier --write docs` then aligns it. */
const isWriting = process.env.KUBEMERGE_WRITE_TABLES === '1';

interface Printable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

describe('every phase and every event', () => {
  for (const [heading, table] of [
    ['## No save under way', phaseTable()],
    ['## During a save', saveTable()],
  ] as const) {
    it(`docs/session-phases.md tells what the reducer does: ${heading.slice(3).toLowerCase()}`, () => {
      if (isWriting) replaceTable(heading, table);
      const told = cellsBelow(readFileSync(page, 'utf8'), heading);
      assert.deepEqual(told, [table.head, ...table.rows]);
      assert.ok(
        told.flat().every((cell) => cell !== ''),
        'no cell is empty',
      );
    });
  }

  it('leave the typed text and what it grew from alone', () => {
    assert.deepEqual(
      allReactions().filter((reaction) => !keepsMine(reaction)),
      [],
    );
  });

  it('send no write without version and uid', () => {
    assert.deepEqual(
      allReactions().filter((reaction) => !isConditional(reaction)),
      [],
    );
  });
});

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

function replaceTable(heading: string, { head, rows }: Printable): void {
  const text = readFileSync(page, 'utf8');
  const print = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const made = [print(head), print(head.map(() => '---')), ...rows.map(print)];
  writeFileSync(page, text.replace(tableLines(text, heading).join('\n'), made.join('\n')));
}
