import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Blame } from '../../../src/core/merge/mergeResult.ts';
import {
  byNewest,
  describeAuthors,
  foldWords,
  listPaths,
  shortValue,
} from '../../../src/editor/fieldWords.ts';

const nowMs = Date.parse('2030-01-02T03:04:17Z');
const blame = (
  manager: string,
  time?: string,
): { by: { manager: string; operation: string; time?: string } } => ({
  by: { manager, operation: 'Update', ...(time === undefined ? {} : { time }) },
});

describe('shortValue', () => {
  for (const [value, words] of [
    [5, '5'],
    [9007199254740993n, '9007199254740993'],
    ['5', '"5"'],
    ['1.10', '"1.10"'],
    ['true', '"true"'],
    ['nginx:1.27', 'nginx:1.27'],
    ['', '""'],
    [' padded ', '" padded "'],
    ['two\nlines', '"two\\nlines"'],
    [null, 'null'],
    [{ a: [1, 'b'] }, '{"a":[1,"b"]}'],
    [undefined, 'nothing'],
  ] as const) {
    it(`shows ${words}`, () => {
      assert.equal(shortValue(value), words);
    });
  }

  it('shortens long values and says so', () => {
    const words = shortValue('x'.repeat(500));
    assert.equal(words.length, 40);
    assert.match(words, /…$/);
  });
});

describe('describeAuthors', () => {
  it('names each manager once, with the newest time', () => {
    const changes = [
      blame('kubectl', '2030-01-02T03:04:05Z'),
      blame('hpa', '2030-01-02T03:04:14Z'),
      blame('kubectl', '2030-01-02T03:00:00Z'),
      {},
    ];
    assert.equal(describeAuthors(changes, nowMs), 'kubectl and hpa, 3 s ago');
  });

  it('says nothing of a time or a manager that nobody knows', () => {
    assert.equal(describeAuthors([blame('kubectl')], nowMs), 'kubectl');
    assert.equal(describeAuthors([{}], nowMs), undefined);
  });
});

describe('byNewest', () => {
  it('puts the newest change first, and those of nobody on record last', () => {
    const changes: readonly { readonly by?: Blame }[] = [
      {},
      blame('old', '2030-01-02T03:04:05Z'),
      blame('new', '2030-01-02T04:04:05+00:00'),
      blame('undated'),
    ];
    const names = byNewest(changes).map(({ by }) => by?.manager);
    assert.deepEqual(names, ['new', 'old', undefined, 'undated']);
  });
});

describe('foldWords', () => {
  it('breaks at spaces, and never inside a word', () => {
    assert.deepEqual(foldWords('one two three', 7), ['one two', 'three']);
    assert.deepEqual(foldWords('incomprehensible a', 5), ['incomprehensible', 'a']);
    assert.deepEqual(foldWords('', 5), ['']);
  });
});

describe('listPaths', () => {
  it('names a few paths as kubectl prints them and counts the rest', () => {
    const changes = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ path: [{ kind: 'member', key } as const] }));
    assert.equal(listPaths(changes.slice(0, 1)), 'a');
    assert.equal(listPaths(changes.slice(0, 3)), 'a, b and c');
    assert.equal(listPaths(changes), 'a, b, c, d and 1 more');
  });
});
