import assert from 'node:assert/strict';
import type { ResourceVersion } from '../../../src/core/resource/snapshot.ts';
import { NamedVersion } from '../../../src/editor/namedVersion.ts';

const version = (text: string): ResourceVersion => text as ResourceVersion;

function opened(): NamedVersion {
  const named = new NamedVersion();
  named.take('text of 1', 'ours', version('1'));
  return named;
}

describe('the version that a text names', () => {
  it('is the one that we wrote, also while the user types', () => {
    const named = opened();
    assert.equal(named.take('text of 1, edited', 'typed'), '1');
  });

  it('comes back by undo and redo', () => {
    const named = opened();
    named.take('text of 1, edited', 'typed');
    named.take('text of 2', 'ours', version('2'));
    assert.equal(named.take('text of 1, edited', 'undoRedo'), '1');
    assert.equal(named.take('text of 2', 'undoRedo'), '2');
  });

  it('A10: is never one that was typed, nor one that redo brings back after it was typed', () => {
    const named = opened();
    named.take('text of 2', 'ours', version('2'));
    named.take('text of 1', 'undoRedo');
    assert.equal(named.take('text of 1 with 2 typed in', 'typed'), '1');
    named.take('text of 1', 'undoRedo');
    assert.equal(named.take('text of 1 with 2 typed in', 'undoRedo'), '1');
  });

  it('is its own for a text of ours that the editor takes late', () => {
    const named = opened();
    named.offer('text of 2', version('2'));
    named.offer('text of 3', version('3'));
    assert.equal(named.take('text of 2', 'typed'), '2');
    named.take('text of 3', 'ours', version('3'));
    assert.equal(named.take('text of 2', 'undoRedo'), '2');
  });

  it('is known of texts that the document held, and of no other', () => {
    const named = opened();
    named.offer('text of 2', version('2'));
    assert.equal(named.of('text of 1'), '1');
    assert.equal(named.of('text of 2'), undefined);
  });

  it('stays where undo brings a text that was never seen', () => {
    const named = opened();
    assert.equal(named.take('unseen', 'undoRedo'), '1');
  });
});
