import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../src/core/json.ts';
import { printFlow, renderObject } from '../../../../src/core/text/renderObject.ts';

function render(value: Json): string {
  return renderObject({ a: value });
}

describe('renderObject', () => {
  it('begins with apiVersion, kind and metadata and orders other keys as kubectl does', () => {
    const object: JsonObject = {
      spec: { containers: [{ name: 'x', image: 'y', env10: 1, env9: 2 }] },
      metadata: { name: 'n', labels: { b: '1', a: '2' } },
      data: {},
      kind: 'K',
      apiVersion: 'v1',
    };
    assert.equal(
      renderObject(object),
      `apiVersion: v1
kind: K
metadata:
  labels:
    a: "2"
    b: "1"
  name: "n"
data: {}
spec:
  containers:
  - env9: 2
    env10: 1
    image: "y"
    name: x
`,
    );
  });

  it('prints an empty object, empty collections and null', () => {
    assert.equal(renderObject({}), '{}\n');
    assert.equal(renderObject({ a: [], b: {}, c: null }), 'a: []\nb: {}\nc: null\n');
  });

  it('prints lists inside of lists', () => {
    assert.equal(
      render([[1, [2]], [], {}, [{ b: 'x\ny\n' }]]),
      'a:\n- - 1\n  - - 2\n- []\n- {}\n- - b: |\n      x\n      y\n',
    );
  });

  it('C3: prints integers with all their digits', () => {
    assert.equal(render(9007199254740993n), 'a: 9007199254740993\n');
    assert.equal(render(2 ** 60), 'a: 1152921504606846976\n');
    assert.equal(render(1e21), 'a: 1e+21\n');
    assert.equal(render(-0), 'a: 0\n');
  });

  // The second column is what kubectl prints too, but for a few strings that it quotes where we need not.
  const strings: readonly (readonly [string, string])[] = [
    ['plain', 'plain'],
    ['yes', '"yes"'],
    ['on', '"on"'],
    ['n', '"n"'],
    ['0644', '"0644"'],
    ['0o14', '"0o14"'],
    ['0b-0', '"0b-0"'],
    ['1e3', '"1e3"'],
    ['1_0', '"1_0"'],
    ['null', '"null"'],
    ['12:30', '"12:30"'],
    ['2024-01-02T03:04:05.123456Z', '"2024-01-02T03:04:05.123456Z"'],
    ['', '""'],
    ['<<', '"<<"'],
    ['=', '"="'],
    ['a: b', "'a: b'"],
    ['a:', "'a:'"],
    ['a #b', "'a #b'"],
    ['#b', "'#b'"],
    ['* * * * *', "'* * * * *'"],
    ["it's", "it's"],
    ["'x", "'''x'"],
    ['"q"', `'"q"'`],
    [' x', "' x'"],
    ['x ', "'x '"],
    ['--flag', '--flag'],
    ['-c', '-c'],
    ['- x', "'- x'"],
    ['-', "'-'"],
    ['? x', "'? x'"],
    ['---', "'---'"],
    ['{{ x }}', "'{{ x }}'"],
    ['@x', "'@x'"],
    ['`x`', "'`x`'"],
    ['%d', "'%d'"],
    ['a,b]', 'a,b]'],
    ['http://x:80/', 'http://x:80/'],
    ['a\tb', '"a\\tb"'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['x\u2028y\u0085z\u007f', '"x\\u2028y\\u0085z\\u007f"'],
    ['\ufeffx', '"\\ufeffx"'],
    ['\ud800', '"\\ud800"'],
    ['\u0000', '"\\u0000"'],
    ['é 😀 中', 'é 😀 中'],
    ['\n', '"\\n"'],
    [' \n', '" \\n"'],
    ['\tx\ny\n', '"\\tx\\ny\\n"'],
    ['a\u2028\nb', '"a\\u2028\\nb"'],
    ['long '.repeat(100).trim(), 'long '.repeat(100).trim()],
  ];
  for (const [value, printed] of strings) {
    it(`C7: prints ${JSON.stringify(value).slice(0, 40)} as ${printed.slice(0, 40)}`, () => {
      assert.equal(render(value), `a: ${printed}\n`);
    });
  }

  const blocks: readonly (readonly [string, string])[] = [
    ['alpha \nbeta\n', '|\n  alpha \n  beta\n'],
    ['a\nb', '|-\n  a\n  b\n'],
    ['a\n\n\n', '|+\n  a\n\n\n'],
    ['  a\nb\n', '|2\n    a\n  b\n'],
    ['\na\n', '|\n\n  a\n'],
    ['\n a\n', '|2\n\n   a\n'],
    ['a\n \n\tb\n', '|\n  a\n   \n  \tb\n'],
    ['# no comment\n---\n', '|\n  # no comment\n  ---\n'],
    [`${'long '.repeat(60)}\nx\n`, `|\n  ${'long '.repeat(60)}\n  x\n`],
  ];
  for (const [value, printed] of blocks) {
    it(`C1, C2: prints ${JSON.stringify(value).slice(0, 40)} as a literal block`, () => {
      assert.equal(render(value), `a: ${printed}`);
    });
  }

  it('quotes keys by the same rules', () => {
    assert.equal(
      renderObject({ on: 1, '0644': 2, '<<': 3, 'a b': 4, 'a: b': 5, 'x\ny': 6, '': 7 }),
      '"": 7\n"<<": 3\n"0644": 2\na b: 4\n\'a: b\': 5\n"on": 1\n"x\\ny": 6\n',
    );
  });

  it('introduces a key of more than 1,000 characters by a question mark', () => {
    const key = 'k'.repeat(1001);
    assert.equal(renderObject({ [key]: { b: 1 } }), `? ${key}\n:\n  b: 1\n`);
  });

  it('does not repeat itself by aliases', () => {
    const shared = { b: 1 };
    assert.equal(renderObject({ x: shared, z: shared }), 'x:\n  b: 1\nz:\n  b: 1\n');
  });

  it('prints flow collections with what means something there quoted', () => {
    assert.equal(
      printFlow({ a: ['x, y', 'a?', ':b', 'c:d', '[e', '-'], b: { yes: 'no' } }, {}),
      `{a: ['x, y', 'a?', ':b', c:d, '[e', '-'], b: {"yes": "no"}}`,
    );
    assert.equal(printFlow({ a: ["it's", 1, null] }, { quotes: 'double' }), `{"a": ["it's", 1, null]}`);
    assert.equal(printFlow(["it's", 'a\n'], { quotes: 'single' }), `['it''s', "a\\n"]`);
  });
});
