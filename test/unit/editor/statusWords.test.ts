import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FieldPath } from '../../../src/core/merge/fieldPath.ts';
import { toResourceVersion, toUid } from '../../../src/core/resource/snapshot.ts';
import type { SessionView } from '../../../src/core/session/sessionView.ts';
import { type ActionContext, listActions } from '../../../src/editor/documentActions.ts';
import { describeLiveSide, describeStatus, type StatusContext } from '../../../src/editor/statusWords.ts';

const nowMs = new Date(2030, 0, 2, 12, 5).getTime();
const context: StatusContext = { nowMs, isRevealed: false };
const by = { manager: 'kubectl', operation: 'Update', time: new Date(nowMs - 12_000).toISOString() };
const replicas: FieldPath = [
  { kind: 'member', key: 'spec' },
  { kind: 'member', key: 'replicas' },
];
const password: FieldPath = [
  { kind: 'member', key: 'data' },
  { kind: 'member', key: 'password' },
];

function view(more: Partial<SessionView> = {}): SessionView {
  const version = toResourceVersion('7');
  const uid = toUid('u1');
  assert.ok(version);
  assert.ok(uid);
  return {
    ref: {
      context: 'prod',
      namespace: 'shop',
      gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
      name: 'web',
    },
    phase: 'fresh',
    isDirty: false,
    isSaving: false,
    isMerging: false,
    liveness: { kind: 'live' },
    baseVersion: version,
    liveVersion: version,
    uid,
    conflicts: [],
    foreign: [],
    ...more,
  };
}

const secretRef = { ...view().ref, gvr: { group: '', version: 'v1', resource: 'secrets' }, name: 'db' };
const foreign = [{ path: replicas, by }];
const conflicts = [{ path: replicas, base: 1, mine: 7, live: 5, by }];

describe('describeStatus', () => {
  const since = new Date(2030, 0, 2, 12, 3).getTime();
  const rows: readonly (readonly [string, Partial<SessionView>, string])[] = [
    ['fresh', {}, '$(check) shop/web · prod · live'],
    ['unsaved', { isDirty: true }, '$(edit) shop/web · prod · unsaved · live'],
    [
      'stale',
      { phase: 'stale', foreign },
      '$(warning) Stale: 1 field changed by kubectl, 12 s ago · shop/web · prod',
    ],
    ['conflicted', { phase: 'conflicted', foreign, conflicts }, '$(error) 1 conflict · shop/web · prod'],
    ['deleted', { phase: 'deleted' }, '$(trash) Deleted · shop/web · prod'],
    ['recreated', { phase: 'recreated' }, '$(error) Deleted and created anew · shop/web · prod'],
    ['terminating', { phase: 'terminating' }, '$(clock) Being deleted · shop/web · prod'],
    ['saving', { isDirty: true, isSaving: true }, '$(sync~spin) Saving · shop/web · prod · live'],
    [
      'merging',
      { phase: 'conflicted', conflicts, isMerging: true },
      '$(git-merge) Merging: 1 conflict · shop/web · prod',
    ],
    ['read-only', { readOnlyReason: 'No.' }, '$(lock) shop/web · prod · read-only · live'],
    [
      'cut off',
      { liveness: { kind: 'reconnecting', since } },
      '$(debug-disconnect) shop/web · prod · not live since 12:03',
    ],
    [
      'stale and cut off',
      { phase: 'stale', foreign, liveness: { kind: 'reconnecting', since } },
      '$(warning) Stale: 1 field changed by kubectl, 12 s ago · shop/web · prod · not live since 12:03',
    ],
  ];
  for (const [state, more, text] of rows) {
    it(`says of a document that is ${state}: ${text}`, () => {
      assert.equal(describeStatus(view(more), context).text, text);
    });
  }

  it('H5: says that a context is protected in words, an icon and a colour', () => {
    const guarded = { ...context, protectedReason: 'Context prod is protected.' };
    const words = describeStatus(view({}), guarded);
    assert.equal(words.text, '$(shield) shop/web · prod · protected · live');
    assert.equal(words.tone, 'warning');
    assert.ok(words.detail.includes('Context prod is protected. Each save asks first.'));
    const readOnly = describeStatus(view({ readOnlyReason: 'No.' }), guarded);
    assert.equal(readOnly.text, '$(lock) shop/web · prod · read-only · live');
    assert.equal(describeStatus(view({ phase: 'deleted' }), guarded).tone, 'error');
  });

  it('B1: explains in the tooltip that a save is safe while the watch is down', () => {
    const { detail } = describeStatus(view({ liveness: { kind: 'reconnecting', since } }), context);
    assert.match(detail.join('\n'), /Not live since 12:03.*still refuses to overwrite/);
  });

  it('lists each field with who changed it, and each conflict with both values', () => {
    const stale = describeStatus(view({ phase: 'stale', foreign }), context).detail;
    assert.ok(stale.includes('spec.replicas was changed by kubectl, 12 s ago.'));
    const conflicted = describeStatus(view({ phase: 'conflicted', conflicts }), context).detail;
    assert.ok(conflicted.includes('spec.replicas: mine: 7, live: 5, by kubectl, 12 s ago.'));
  });

  it('gives screen readers the same words without icons', () => {
    assert.equal(describeStatus(view(), context).label, 'deployments.apps web: shop/web · prod · live');
  });
});

describe('describeLiveSide', () => {
  const conflict = { path: password, mine: 'bWluZQ==', live: 'bGl2ZQ==' };

  it('H4: hides a value of a Secret until it is revealed', () => {
    assert.equal(describeLiveSide(conflict, secretRef, context), 'live: ••••••••');
    assert.equal(describeLiveSide(conflict, secretRef, { ...context, isRevealed: true }), 'live: bGl2ZQ==');
  });

  it('says that live removed the field', () => {
    assert.equal(describeLiveSide({ path: password, mine: 'bWluZQ==' }, secretRef, context), 'live: removed');
  });
});

describe('listActions', () => {
  const commands = (more: Partial<SessionView>, isSecret = false, hasClosedMerge = false): string[] =>
    offered(more, { isSecret, hasClosedMerge });
  const offered = (more: Partial<SessionView>, context: Partial<ActionContext>): string[] =>
    listActions(view(more), {
      isSecret: false,
      isRevealed: false,
      isDecoded: false,
      rights: new Set(),
      hasClosedMerge: false,
      hasSaves: false,
      ...context,
    }).map(({ command }) => command.slice(10));

  it('offers merging first where others changed the object', () => {
    assert.equal(commands({ phase: 'conflicted', foreign, conflicts, isDirty: true })[0], 'merge');
    assert.equal(commands({ phase: 'stale', foreign, isDirty: true })[0], 'merge');
  });

  it('I5: offers what was saved in a merge editor that was closed, unless the object is gone', () => {
    const conflicted = { phase: 'conflicted', foreign, conflicts, isDirty: true } as const;
    assert.deepEqual(commands(conflicted, false, true).slice(0, 2), ['merge', 'acceptMerge']);
    assert.ok(!commands(conflicted).includes('acceptMerge'));
    assert.ok(!commands({ phase: 'deleted', isDirty: true }, false, true).includes('acceptMerge'));
  });

  it('A12: offers to recreate a deleted object, never to save or merge it', () => {
    assert.deepEqual(
      offered({ phase: 'deleted', isDirty: true }, { rights: new Set(['create', 'delete']) }),
      ['recreate', 'createCopy'],
    );
  });

  it('A11: does not offer to save or merge text of an object that was recreated', () => {
    const offered = commands({ phase: 'recreated', isDirty: true, foreign });
    assert.deepEqual(offered, ['compareWithLive', 'reload', 'showFullObject']);
  });

  it('offers no writes on a read-only document', () => {
    const offered = commands({ readOnlyReason: 'No.', phase: 'deleted', isDirty: true });
    assert.deepEqual(offered, []);
  });

  it('offers of the actions on the whole object those that are served and allowed', () => {
    const rights = new Set(['delete', 'update', 'scale', 'editStatus', 'create'] as const);
    const whole = ['scale', 'editStatus', 'createCopy', 'delete'];
    assert.deepEqual(offered({}, { rights }), ['showFullObject', ...whole]);
    assert.deepEqual(offered({}, { rights: new Set(['scale']) }), ['showFullObject', 'scale']);
    assert.deepEqual(offered({ phase: 'terminating' }, { rights }).slice(-2), [
      'createCopy',
      'removeFinalizers',
    ]);
    const status = { ...view({}).ref, subresource: 'status' } as const;
    assert.deepEqual(offered({ ref: status }, { rights }), ['showFullObject']);
  });

  it('offers the saves that are kept of an object, also of one that is gone', () => {
    assert.ok(!offered({}, {}).includes('history'));
    assert.deepEqual(offered({}, { hasSaves: true }), ['showFullObject', 'history']);
    assert.deepEqual(offered({ phase: 'deleted' }, { hasSaves: true }), ['history']);
  });

  it('H4: offers to show the values of a Secret, in its editor and beside it, or to hide them', () => {
    assert.deepEqual(offered({}, { isSecret: true }).slice(1), ['decodeSecretValues', 'revealSecretValues']);
    const shown = { isSecret: true, isDecoded: true, isRevealed: true };
    assert.deepEqual(offered({}, shown).slice(1), ['encodeSecretValues', 'hideSecretValues']);
  });

  it('offers to show the values of a Secret', () => {
    assert.ok(commands({}, true).includes('revealSecretValues'));
    assert.ok(!commands({}).includes('revealSecretValues'));
  });
});
