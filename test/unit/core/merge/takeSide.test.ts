import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json.ts';
import { diffObjects } from '../../../../src/core/merge/diff.ts';
import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import type { MergeResult } from '../../../../src/core/merge/mergeResult.ts';
import { noSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { rebase } from '../../../../src/core/merge/rebase.ts';
import { decideConflicts, takeSide } from '../../../../src/core/merge/takeSide.ts';
import { mergeThreeWay } from '../../../../src/core/merge/threeWay.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { applyFieldEdits, readMergeObject } from '../../../support/mergeCases.ts';

const pathsOf = ({ conflicts }: MergeResult): readonly string[] =>
  conflicts.map(({ path }) => printFieldPath(path));

describe('deciding conflicts', () => {
  const base = { a: 1, b: 1, c: 1, d: 1 };
  const mine = { a: 2, b: 2, c: 2, d: 1 };
  const live = { a: 3, b: 3, c: 1, d: 3 };

  it('takes one side everywhere', () => {
    assert.deepEqual(takeSide(base, mine, live, noSchema, 'mine').value, { a: 2, b: 2, c: 2, d: 3 });
    assert.deepEqual(takeSide(base, mine, live, noSchema, 'live').value, { a: 3, b: 3, c: 2, d: 3 });
  });

  it('takes one side at one path and leaves the other conflicts', () => {
    const result = takeSide(base, mine, live, noSchema, new Map([['a', 'live']]));
    assert.deepEqual(result.value, { a: 3, b: 1, c: 2, d: 3 });
    assert.deepEqual(pathsOf(result), ['b']);
    assert.deepEqual(
      result.applied.map(({ path }) => printFieldPath(path)),
      ['a', 'd'],
    );
  });

  it('decides one path for mine by its base, and leaves the other conflicts', () => {
    const decision = decideConflicts(base, mine, live, noSchema, new Set(['a']), 'mine');
    assert.deepEqual(decision, { base: { a: 3, b: 1, c: 1, d: 1 }, mine });
    assert.deepEqual(pathsOf(mergeThreeWay(decision.base, mine, live, noSchema)), ['b']);
  });

  it('puts live’s value at one path into mine, and nothing else', () => {
    const decision = decideConflicts(base, mine, live, noSchema, new Set(['a']), 'live');
    assert.deepEqual(decision, { base, mine: { a: 3, b: 2, c: 2, d: 1 } });
  });

  describe('in one text', () => {
    const text = { base: '1\n2\n3\n4\n5\n', mine: 'm\n2\nM\n4\n5\n', live: '1\n2\nL\n4\nl\n' };

    it('keeps the other side’s edits of other lines', () => {
      assert.equal(takeSide(text.base, text.mine, text.live, noSchema, 'mine').value, 'm\n2\nM\n4\nl\n');
      assert.equal(takeSide(text.base, text.mine, text.live, noSchema, 'live').value, 'm\n2\nL\n4\nl\n');
    });

    it('decides only the lines in conflict, and keeps every other edit of both', () => {
      const [at, other] = [new Set(['text']), { base: 1, mine: 2, live: 3 }];
      const sides = (['base', 'mine', 'live'] as const).map((side) => ({
        text: text[side],
        other: other[side],
      }));
      const [before, ours, theirs] = sides;
      assert.ok(before && ours && theirs);
      const forMine = decideConflicts(before, ours, theirs, noSchema, at, 'mine');
      assert.deepEqual(forMine, { base: { text: '1\n2\nL\n4\n5\n', other: 1 }, mine: ours });
      const kept = mergeThreeWay(forMine.base, forMine.mine, theirs, noSchema);
      assert.deepEqual(kept.value, { text: 'm\n2\nM\n4\nl\n', other: 1 });
      assert.deepEqual(pathsOf(kept), ['other']);
      const forLive = decideConflicts(before, ours, theirs, noSchema, at, 'live');
      assert.deepEqual(forLive, { base: before, mine: { text: 'm\n2\nL\n4\n5\n', other: 2 } });
    });

    it('does not decide lines that could be told apart in several ways', () => {
      const [before, ours, theirs] = ['1\n5\n', '5\nnew', '1\n5'];
      assert.equal(decideConflicts(before, ours, theirs, noSchema, new Set(['']), 'live'), undefined);
    });
  });

  it('settles a conflict inside of an element that both added', () => {
    const schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });
    const object = readMergeObject('deployment');
    const path = 'spec.template.spec.containers[name=new]';
    const [ours, theirs] = ['new:1', 'new:2'].map((image) =>
      applyFieldEdits(object, { [path]: { name: 'new', image } }),
    );
    assert.ok(ours && theirs);
    const decision = decideConflicts(object, ours, theirs, schema, new Set([`${path}.image`]), 'mine');
    assert.ok(decision);
    assert.deepEqual(mergeThreeWay(decision.base, ours, theirs, schema), {
      value: ours,
      applied: [],
      conflicts: [],
    });
  });
});

describe('rebase', () => {
  it('does mine’s changes to another version, and wins where both changed', () => {
    assert.deepEqual(rebase({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 1 }, { a: 1, b: 3, c: 3 }, noSchema), {
      a: 2,
      b: 2,
      c: 3,
    });
  });

  it('removes what mine removed, also where it was changed', () => {
    assert.deepEqual(rebase({ a: 1, b: 1 }, { b: 1 }, { a: 2, b: 1, c: 1 }, noSchema), { b: 1, c: 1 });
  });
});

describe('diffObjects', () => {
  const changes = (before: Json, after: Json): readonly string[] =>
    diffObjects(before, after, builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' })).map(
      ({ path }) => printFieldPath(path),
    );
  const object = readMergeObject('deployment');
  const app = 'spec.template.spec.containers[name=app]';

  it('lists the finest fields, by their elements’ keys', () => {
    const after = applyFieldEdits(object, {
      [`${app}.image`]: 'web:2',
      [`${app}.ports[containerPort=53,protocol=UDP].name`]: 'other',
      'metadata.labels.tier': '(removed)',
      'metadata.annotations[example.com/new]': 'x',
    });
    assert.deepEqual(changes(object, after), [
      'metadata.labels.tier',
      'metadata.annotations[example.com/new]',
      `${app}.image`,
      `${app}.ports[containerPort=53,protocol=UDP].name`,
    ]);
  });

  it('lists an added or removed element once', () => {
    const after = applyFieldEdits(object, {
      'spec.template.spec.containers[name=log]': '(removed)',
      [`${app}.env[name=NEW]`]: { name: 'NEW', value: '1' },
    });
    assert.deepEqual(changes(object, after), [
      `${app}.env[name=NEW]`,
      'spec.template.spec.containers[name=log]',
    ]);
  });

  it('lists members of a mapping of any keys one by one, also where it comes or goes as a whole', () => {
    const without = applyFieldEdits(object, { 'metadata.annotations': '(removed)' });
    const names = [
      'metadata.annotations[deployment.kubernetes.io/revision]',
      'metadata.annotations[example.com/owner]',
    ];
    assert.deepEqual(changes(object, without), names);
    assert.deepEqual(changes(without, object), names);
  });

  it('lists a new order at the list', () => {
    assert.deepEqual(
      changes(object, applyFieldEdits(object, { 'spec.template.spec.containers[name=log]@0': '(moved)' })),
      ['spec.template.spec.containers'],
    );
  });

  it('lists nothing for other spellings, order of members, and empty for absent', () => {
    const after = applyFieldEdits(object, {
      [`${app}.resources.limits`]: { memory: '0.5Gi', cpu: 0.5 },
      'metadata.finalizers': [],
    });
    assert.deepEqual(changes(object, after), []);
  });
});
