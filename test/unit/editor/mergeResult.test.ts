import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FieldPath } from '../../../src/core/merge/fieldPath.ts';
import { toResourceVersion } from '../../../src/core/resource/snapshot.ts';
import type { MergeInputs } from '../../../src/editor/liveDocuments.ts';
import { findMarker, findUndecided, type FindValue, showMerge } from '../../../src/editor/mergeResult.ts';

const path = (key: string): FieldPath => [{ kind: 'member', key }];

const findLine: FindValue = (text, [first]) => {
  const key = first?.kind === 'member' ? first.key : '';
  const found = new RegExp(`^${key}: (.*)$`, 'm').exec(text);
  return found === null
    ? undefined
    : { start: found.index + key.length + 2, end: found.index + found[0].length };
};

function inputs(more: Partial<MergeInputs> = {}): MergeInputs {
  const liveVersion = toResourceVersion('7');
  assert.ok(liveVersion);
  return {
    documentVersion: 1,
    liveVersion,
    conflicts: [
      { path: path('replicas'), base: 1, mine: 2, live: 3 },
      { path: path('gone'), mine: 2, live: 3 },
    ],
    base: 'replicas: 1\nx: 1\n',
    mine: 'replicas: 2\ngone: 2\nx: 1\n',
    live: 'replicas: 3\ngone: 3\nx: 2\n',
    result: 'replicas: 1\nx: 2\n',
    ...more,
  };
}

describe('findUndecided', () => {
  const keys = (result: string): unknown[] =>
    findUndecided(inputs(), result, findLine).map((conflict) => conflict.path[0]);

  it('I5: finds conflicts at which the result is still as it was opened', () => {
    assert.equal(keys(inputs().result).length, 2);
    assert.deepEqual(keys('replicas: 5\nx: 2\n'), path('gone'));
    assert.deepEqual(keys('replicas: 2\ngone: 3\nx: 2\n'), []);
  });

  it('takes edits elsewhere for no decision', () => {
    assert.deepEqual(keys('added: 1\nreplicas: 1\ngone: 2\nx: 9\n'), path('replicas'));
  });
});

describe('findMarker', () => {
  for (const line of ['<<<<<<< live', '=======', '>>>>>>> mine', '||||||| base', '<<<<<<<', '=======\r']) {
    it(`I5: finds ${JSON.stringify(line)} at the start of a line`, () => {
      assert.equal(findMarker(`a: 1\nb: 2\n${line}\nc: 3\n`), 3);
    });
  }

  it('finds none in ordinary text', () => {
    for (const text of ['a: <<<<<<< b\n', '======== long rule\n', '  <<<<<<< indented\n', '<<: *base\n']) {
      assert.equal(findMarker(text), undefined, text);
    }
  });
});

describe('showMerge', () => {
  it('shows texts as they are, and reads the result back as it is', () => {
    const shown = showMerge(inputs(), 'result', false);
    assert.equal(shown?.live, inputs().live);
    assert.equal(shown.result, 'result');
    assert.deepEqual(shown.unmask('edited'), { kind: 'ok', text: 'edited' });
  });

  it('H4: masks the values of a Secret in all four texts and brings the chosen ones back', () => {
    const secret = inputs({
      base: 'data:\n  a: YmFzZQ==\n',
      mine: 'data:\n  a: bWluZQ==\n',
      live: 'data:\n  a: bGl2ZQ==\n',
      result: 'data:\n  a: YmFzZQ==\n',
    });
    const shown = showMerge(secret, secret.result, true);
    assert.ok(shown);
    for (const text of [shown.base, shown.live, shown.mine, shown.result]) assert.doesNotMatch(text, /==/);
    assert.equal(shown.result, shown.base);
    assert.notEqual(shown.live, shown.mine);
    assert.deepEqual(shown.unmask(shown.live), { kind: 'ok', text: secret.live });
  });
});
