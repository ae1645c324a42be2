import assert from 'node:assert/strict';
import { audit, type Evidence, type Version } from '../../bench/torture/audit.ts';
import type { UserEntryBody } from '../../bench/torture/journal.ts';

const object = '/api/v1/namespaces/test/configmaps/settings';

/** Base at 1; a writer sets `a` at 2; alice's PUT on 2 makes 3. */
function evidence(parts: {
  readonly third: Readonly<Record<string, string>>;
  readonly entries: readonly UserEntryBody[];
  readonly put?: Partial<Evidence['puts'][number]>;
}): Evidence {
  const version = (resourceVersion: string, fields: Readonly<Record<string, string>>): Version => ({
    object,
    uid: 'u',
    resourceVersion,
    fields: new Map(Object.entries(fields)),
  });
  return {
    versions: [
      version('1', { a: 'old', b: 'old' }),
      version('2', { a: 'theirs', b: 'old' }),
      version('3', parts.third),
    ],
    writers: [{ object, resourceVersion: '2', change: { path: 'a', value: 'theirs' } }],
    puts: [
      {
        user: 'alice',
        object,
        resourceVersion: '2',
        uid: 'u',
        isDryRun: false,
        status: 200,
        atMs: 10,
        ...parts.put,
      },
    ],
    users: parts.entries.map((entry) => ({ ...entry, user: 'alice', object, atMs: 5 })),
  };
}

const typedB: UserEntryBody = { kind: 'typed', path: 'b', from: 'old', to: 'mine' };
const kindsOf = (of: Evidence): readonly string[] => audit(of).map(({ kind }) => kind);

describe('audit', () => {
  it('finds nothing where both changes are there', () => {
    assert.deepEqual(kindsOf(evidence({ third: { a: 'theirs', b: 'mine' }, entries: [typedB] })), []);
  });

  it('finds a change of someone else that a save took back', () => {
    assert.deepEqual(kindsOf(evidence({ third: { a: 'old', b: 'mine' }, entries: [typedB] })), [
      'overwritten',
    ]);
  });

  it('finds an overwrite of what the user never saw, and takes a recorded choice for one', () => {
    const typedA: UserEntryBody = { kind: 'typed', path: 'a', from: 'old', to: 'mine' };
    const third = { a: 'mine', b: 'old' };
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedA] })), ['overwritten']);
    const kept: UserEntryBody = { kind: 'keptMine', path: 'a', over: 'theirs' };
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedA, kept] })), []);
  });

  it('finds what was said to be saved and is in no version', () => {
    const told: UserEntryBody = { kind: 'acknowledged', values: { b: 'mine' } };
    const third = { a: 'theirs', b: 'other' };
    const entries: readonly UserEntryBody[] = [{ ...typedB, to: 'other' }, told];
    assert.deepEqual(kindsOf(evidence({ third, entries })), ['missing']);
  });

  it('finds a PUT without its precondition, and a version that nobody says to have made', () => {
    const third = { a: 'theirs', b: 'mine' };
    const put = { resourceVersion: '' };
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedB], put })), ['unconditional', 'unexplained']);
  });

  it('takes no dry run for the write that made a version', () => {
    const third = { a: 'theirs', b: 'mine' };
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedB], put: { isDryRun: true } })), [
      'unexplained',
    ]);
  });

  it('lets a save taken back give again only what was decided over', () => {
    const typedA: UserEntryBody = { kind: 'typed', path: 'a', from: 'first', to: 'theirs' };
    const kept: UserEntryBody = { kind: 'keptMine', path: 'a', over: 'decided' };
    const undone: UserEntryBody = { kind: 'undoneSave' };
    const third = { a: 'decided', b: 'old' };
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedA, kept, undone] })), []);
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedA, kept] })), ['overwritten']);
    assert.deepEqual(kindsOf(evidence({ third, entries: [typedA, undone] })), ['overwritten']);
  });
});
