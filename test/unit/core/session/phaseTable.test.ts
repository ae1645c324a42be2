import assert from 'node:assert/strict';
import { join } from 'node:path';
import { repositoryRoot } from '../../../../scripts/repository.ts';
import { checkDocTable } from '../../../support/docTable.ts';
import { allReactions, isConditional, keepsMine, phaseTable, saveTable } from './phaseTable.ts';

const page = join(repositoryRoot, 'docs', 'session-phases.md');
describe('every phase and every event', () => {
  for (const [heading, table] of [
    ['## No save under way', phaseTable()],
    ['## During a save', saveTable()],
  ] as const) {
    it(`docs/session-phases.md tells what the reducer does: ${heading.slice(3).toLowerCase()}`, () => {
      checkDocTable(page, heading, table);
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
