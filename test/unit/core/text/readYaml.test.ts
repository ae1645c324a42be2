import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json.ts';
import { type ReadText, readDocument, readDocuments } from '../../../../src/core/text/readYaml.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';
import type { TextProblem } from '../../../../src/core/text/textProblem.ts';
import { showProblems } from './showProblems.ts';

function read(text: string): Json {
  const result = readDocument(text);
  return result.kind === 'ok' ? result.value : assert.fail(JSON.stringify(result.problems));
}

function problemsOf(result: ReadText): readonly TextProblem[] {
  return result.kind === 'ok' ? result.warnings : result.problems;
}

function refuse(text: string): string {
  const result = readDocument(text);
  assert.equal(result.kind, 'invalid');
  return showProblems(text, problemsOf(result));
}

function warn(text: string): string {
  const result = readDocument(text);
  assert.equal(result.kind, 'ok');
  return showProblems(text, problemsOf(result));
}

/** The text after the fix with this title, of the problem at `index`. */
function fix(text: string, title: string, index = 0): string {
  const found = problemsOf(readDocument(text))[index]?.fixes.find((candidate) => candidate.title === title);
  assert.ok(found, `there is no fix "${title}"`);
  return applyEdits(text, found.edits);
}

describe('readDocument', () => {
  describe('values', () => {
    // What kubectl reads, by its own libraries.
    const values: readonly (readonly [string, Json])[] = [
      ['a: 9007199254740993\n', { a: 9007199254740993n }],
      ['a: 12345678901234567000\n', { a: 12345678901234567000n }],
      ['a: 2024-01-02T03:04:05.123456Z\n', { a: '2024-01-02T03:04:05.123456Z' }],
      ['a: ! 5\nb: !foo 6\nc: !foo {d: 1}\n', { a: '5', b: '6', c: { d: 1 } }],
      ['a: !!str 5\nb: !!int "5"\nc: !!float 1\nd: !!bool "yes"\n', { a: '5', b: 5, c: 1, d: true }],
      ['a: !!binary aGk=\nb: !!binary |\n  aGk=\n', { a: 'hi', b: 'hi' }],
      ['a: !!set {b, c}\nd: !!omap\n- e: 1\n', { a: { b: null, c: null }, d: [{ e: 1 }] }],
      ['a: !!timestamp 2024-01-02\n', { a: '2024-01-02' }],
      ['a: "x\n\n  y\\\n  z"\n', { a: 'x\nyz' }],
      ['a: |1\n  x\n', { a: ' x\n' }],
      ['a: |\n  x\n\n\nb: |+\n  x\n\nc: |-\n  x\n', { a: 'x\n', b: 'x\n\n', c: 'x' }],
      ['a: >\n\n  x\n   y\n\n  z\n\n', { a: '\nx\n y\n\nz\n' }],
      ['a: |\n  x  \n', { a: 'x  \n' }],
      ['{"a":1,"b":[true,"\\u2028"]}', { a: 1, b: [true, '\u2028'] }],
      ['a: [b: c, d]\n', { a: [{ b: 'c' }, 'd'] }],
      ['? a\n? b\n: 1\n', { a: null, b: 1 }],
      ['a:\nb: ~\n', { a: null, b: null }],
      ['a: x#y\nb: x #y\n', { a: 'x#y', b: 'x' }],
      ['"": 1\n', { '': 1 }],
    ];
    for (const [text, value] of values) {
      it(`reads ${JSON.stringify(text)} as kubectl does`, () => {
        assert.deepEqual(read(text), value);
      });
    }

    it('keeps __proto__ as a member of its own', () => {
      const value = read('__proto__: {x: 1}\n');
      assert.deepEqual(Object.keys(value as object), ['__proto__']);
    });
  });

  describe('the text around', () => {
    it('reads CRLF as line feeds', () => {
      assert.deepEqual(read('a: 1\r\nb: |\r\n  x\r\n  y\r\n'), { a: 1, b: 'x\ny\n' });
    });

    it('skips a byte order mark, markers, and documents that hold nothing', () => {
      assert.deepEqual(read('\uFEFFa: 1\n'), { a: 1 });
      assert.deepEqual(read('---\n# x\n---\na: 1\n...\n'), { a: 1 });
      assert.deepEqual(read('a: 1\n---\n# x\n---\n'), { a: 1 });
      assert.deepEqual(read('a: 1\n---\nnull\n'), { a: 1 });
    });

    it('refuses a second document at its line', () => {
      assert.equal(refuse('a: 1\n--- # two\nb: 2\n'), 'a: 1\n⟦--- # two⟧secondDocument\nb: 2\n');
    });

    it('refuses a text without an object', () => {
      assert.equal(refuse(''), '⟦⟧emptyText');
      assert.equal(refuse('# only this\n'), '⟦# only this⟧emptyText\n');
      assert.equal(refuse('---\n...\n'), '⟦---⟧emptyText\n...\n');
    });

    it('refuses anything but a mapping', () => {
      assert.equal(refuse('# x\n- a\n'), '# x\n⟦- a⟧notAMapping\n');
      assert.equal(refuse('word\n'), '⟦word⟧notAMapping\n');
    });

    it('refuses directives, and offers to remove the line', () => {
      assert.equal(refuse('%YAML 1.2\n---\na: 0o7\n'), '⟦%YAML 1.2⟧directive\n---\na: 0o7\n');
      assert.equal(fix('%YAML 1.1\r\n---\r\na: 1\r\n', 'Remove this line'), '---\r\na: 1\r\n');
    });
  });

  describe('keys', () => {
    it('C10: refuses a key that stands twice, marks both lines, and offers to remove either', () => {
      const text = 'c:\n- image: a # one\n  name: x\n  image: b\n';
      assert.equal(refuse(text), 'c:\n- ⟦image⟧duplicateKey: a # one\n  name: x\n  ⟦image⟧duplicateKey: b\n');
      assert.equal(fix(text, 'Remove duplicate key', 0), 'c:\n- name: x\n  image: b\n');
      assert.equal(fix(text, 'Remove duplicate key', 1), 'c:\n- image: a # one\n  name: x\n');
      const messages = problemsOf(readDocument(text)).map(({ message }) => message);
      assert.match(messages[0] ?? '', /line 4/);
      assert.match(messages[1] ?? '', /line 2/);
    });

    it('C10: refuses keys that only read alike', () => {
      assert.equal(refuse('1: a\n"1": b\n'), '⟦1⟧duplicateKey: a\n⟦"1"⟧duplicateKey: b\n');
      assert.match(refuse('on: a\ntrue: b\n'), /duplicateKey.*\n.*duplicateKey/);
      assert.match(refuse('a: {b: 1, "b": 2}\n'), /⟦b⟧duplicateKey: 1, ⟦"b"⟧duplicateKey/);
    });

    it('C10: removes a duplicate inside of a flow mapping with its comma', () => {
      assert.equal(fix('a: {b: 1, b: 2}\n', 'Remove duplicate key', 1), 'a: {b: 1}\n');
      assert.equal(fix('a: {b: 1, b: 2}\n', 'Remove duplicate key', 0), 'a: {b: 2}\n');
    });

    it('warns of a key that reads as something else, and offers to quote it', () => {
      assert.deepEqual(read('on: 1\nn: 2\n0644: 3\n1.0: 4\n'), { true: 1, false: 2, 420: 3, 1: 4 });
      assert.equal(warn('on: x\n'), '⟦on⟧keyReadsAs: x\n');
      assert.equal(fix('on: x\n', 'Quote this key'), '"on": x\n');
      assert.equal(warn('1: x\n"on": y\n'), '1: x\n"on": y\n');
    });

    it('refuses keys that are null, mappings, lists or too large', () => {
      assert.equal(refuse('~: 1\n'), '⟦~⟧badKey: 1\n');
      assert.equal(refuse('a:\n  : 1\n'), 'a:\n  ⟦⟧badKey: 1\n');
      assert.equal(refuse('[a]: 1\n'), '⟦[a]⟧complexKey: 1\n');
      assert.equal(refuse('? {a: b}\n: 1\n'), '? ⟦{a: b}⟧complexKey\n: 1\n');
      assert.equal(refuse('18446744073709551615: 1\n'), '⟦18446744073709551615⟧integerTooLarge: 1\n');
    });

    it('refuses a colon that kubectl takes into the key', () => {
      assert.equal(refuse('a: {b:, c: 1}\n'), 'a: {⟦b⟧ambiguous:, c: 1}\n');
    });
  });

  describe('numbers', () => {
    it('refuses what is not finite', () => {
      assert.equal(
        refuse('a: .inf\nb: -.Inf\nc: .nan\n'),
        'a: ⟦.inf⟧notFinite\nb: ⟦-.Inf⟧notFinite\nc: ⟦.nan⟧notFinite\n',
      );
    });

    it('refuses an integer that the server would round', () => {
      assert.equal(refuse('a: 9223372036854775809\n'), 'a: ⟦9223372036854775809⟧integerTooLarge\n');
      assert.equal(
        refuse('a: 1234567890123456789012345\n'),
        'a: ⟦1234567890123456789012345⟧integerTooLarge\n',
      );
    });

    it('C6: reads 0644 and 0o644 as 420, and says so', () => {
      for (const spelling of ['0644', '0o644']) {
        const text = `defaultMode: ${spelling}\n`;
        assert.deepEqual(read(text), { defaultMode: 420 });
        assert.equal(warn(text), `defaultMode: ⟦${spelling}⟧numberSpelling\n`);
        assert.match(problemsOf(readDocument(text))[0]?.message ?? '', /decimal 420/);
      }
      assert.equal(warn('a: "0644"\nb: 10\nc: 0\n'), 'a: "0644"\nb: 10\nc: 0\n');
    });
  });

  describe('aliases and merge keys', () => {
    it('C9: expands them as kubectl does: what comes later wins, in a list what comes first', () => {
      assert.deepEqual(read('a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n  b: 4\n'), {
        a: { b: 1, c: 2 },
        d: { c: 2, b: 4 },
      });
      assert.deepEqual(read('a: &x {b: 1}\ne: &y {b: 2, c: 3}\nd:\n  <<: [*x, *y]\n'), {
        a: { b: 1 },
        e: { b: 2, c: 3 },
        d: { b: 1, c: 3 },
      });
    });

    it('C9: reads several merge keys in one mapping', () => {
      assert.deepEqual(read('d:\n  <<: {a: 1}\n  <<: {b: 2}\n'), { d: { a: 1, b: 2 } });
    });

    it('takes a quoted << for a key', () => {
      assert.deepEqual(read('"<<": x\n'), { '<<': 'x' });
      assert.deepEqual(read('!!str <<: x\n'), { '<<': 'x' });
      assert.deepEqual(read('! <<: {a: 1}\n'), { a: 1 });
    });

    it('refuses to merge anything but mappings', () => {
      assert.equal(refuse('<<: x\n'), '⟦<<⟧badMerge: x\n');
      assert.equal(refuse('<<: [{a: 1}, x]\n'), '⟦<<⟧badMerge: [{a: 1}, x]\n');
      assert.equal(refuse('l: &l [{a: 1}]\n<<: *l\n'), 'l: &l [{a: 1}]\n⟦<<⟧badMerge: *l\n');
    });

    it('refuses aliases of nothing and of themselves', () => {
      assert.equal(refuse('a: *x\n'), 'a: ⟦*x⟧unknownAnchor\n');
      assert.equal(refuse('a: &x [*x]\n'), 'a: &x [⟦*x⟧recursiveAlias]\n');
    });

    it('refuses aliases that expand to too much, without expanding them', () => {
      const lines = Array.from(
        { length: 60 },
        (_item, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
      );
      assert.match(refuse(`a0: &a0 [x, x]\n${lines.join('\n')}\n`), /aliasBomb/);
      const few = Array.from({ length: 500 }, () => '- *a').join('\n');
      assert.equal(readDocument(`a: &a [x, y]\nb:\n${few}\n`).kind, 'ok');
    });
  });

  describe('syntax', () => {
    const broken: readonly (readonly [string, string, RegExp])[] = [
      ['a:\n\tb: 1\n', 'a:\n⟦\t⟧tabIndent', /tab/],
      ['a:\n  b: 1\n c: 2\n', 'a:\n  b: 1\n⟦ ⟧syntax', /indentation/],
      ['a: b: c\n', 'a: ⟦b⟧syntax', /Quote the value/],
      ['a: - b\n', 'a: ⟦-⟧syntax', /list/],
      ['a: "x\n', '', /closing quote/],
      ['a: [x\n', '', /bracket/],
      ['a: @x\n', 'a: ⟦@⟧syntax', /Quote it/],
      ['a: "x" y\n', 'a: "x" ⟦y⟧syntax', /complete/],
      ['a\nb: 1\n', '⟦a⟧syntax', /colon/],
      ['a: 1\nkey:value\n', 'a: 1\n⟦key:value⟧syntax', /no space behind the colon/],
      ['a: * * *\n', 'a: ⟦*⟧syntax', /Quote it/],
      ['a: ]x\n', 'a: ⟦]⟧syntax', /bracket/],
      ['a: | x\n', 'a: | ⟦x⟧syntax', /next line/],
      ['a:\n- b\n\t- c\n', 'a:\n- b\n⟦\t⟧tabIndent', /tab/],
      ['a:\n-\tb: 1\n', 'a:\n-⟦\t⟧tabIndent', /tab/],
      ['a: |\n\tx\n', 'a: |\n⟦\t⟧tabIndent', /tab/],
    ];
    for (const [text, start, message] of broken) {
      it(`G6: refuses ${JSON.stringify(text)} with one problem at its place`, () => {
        const shown = refuse(text);
        assert.ok(shown.startsWith(start), shown);
        const problems = problemsOf(readDocument(text));
        assert.equal(problems.length, 1);
        assert.match(problems[0]?.message ?? '', message);
      });
    }

    const unquoted: readonly (readonly [string, string])[] = [
      ['on:\n  schedule: */5 * * * * # often\n', "on:\n  schedule: '*/5 * * * *' # often\n"],
      ['at: * * * * *\r\nb: 1\r\n', "at: '* * * * *'\r\nb: 1\r\n"],
      ['l:\n- *.example.com\n- x\n', "l:\n- '*.example.com'\n- x\n"],
      ['image: {{ .image }}\n', "image: '{{ .image }}'\n"],
      ['image: {{ .image }}:{{ .tag }}\n', "image: '{{ .image }}:{{ .tag }}'\n"],
      ["l:\n- a: it's: x\n  d: 1\n", "l:\n- a: 'it''s: x'\n  d: 1\n"],
      ['"k: 1": @x\n  # c\nb: 1\n', `"k: 1": '@x'\n  # c\nb: 1\n`],
      ['\uFEFFa: %d\n', "\uFEFFa: '%d'\n"],
      ['a: `x`', "a: '`x`'"],
    ];
    for (const [text, fixed] of unquoted) {
      it(`G6: offers to quote the value of ${JSON.stringify(text)}`, () => {
        assert.equal(refuse(text).match(/⟧/g)?.length, 1);
        assert.equal(fix(text, 'Quote this value'), fixed);
        assert.equal(readDocument(fixed).kind, 'ok');
      });
    }

    it('G6: offers no quotes where they might take in more than one value, or be no help', () => {
      for (const text of [
        'a: b\n  c: d\n',
        'a: b: c\n  d\n',
        'a: "x\n',
        "a: 'x\n",
        'a: [x, @y]\n',
        'a: {b: 1,\n  c: @x}\n',
        'a: {b: 1,\n  c: @x,\n  d: 1}\n',
        'a: - b\n',
        'a: !!str @x\n',
        'l:\n- a: b: c\n    d\n',
        '@x: 1\n',
        '  a: 1\nb: 2\n',
      ]) {
        const fixes = problemsOf(readDocument(text)).flatMap((problem) => problem.fixes);
        assert.deepEqual(fixes, [], text);
        assert.equal(readDocument(text).kind, 'invalid', text);
      }
    });

    it('refuses markers of a merge as such, wherever a line begins with one', () => {
      const text = 'a: 1\n<<<<<<< mine\nb: 2\n=======\nb: 3\n>>>>>>> live\n';
      assert.equal(
        refuse(text),
        'a: 1\n⟦<<<<<<< mine⟧conflictMarker\nb: 2\n⟦=======⟧conflictMarker\nb: 3\n⟦>>>>>>> live⟧conflictMarker\n',
      );
      assert.deepEqual(read('a: |\n  =======\n  <<<<<<< x\n'), { a: '=======\n<<<<<<< x\n' });
    });

    it('refuses characters that kubectl refuses or takes for line breaks', () => {
      assert.equal(refuse('a: x\u0007\n'), 'a: x⟦\u0007⟧controlCharacter\n');
      assert.equal(refuse('a: x\u007f\n'), 'a: x⟦\u007f⟧controlCharacter\n');
      assert.equal(refuse('# x\u2028b: 1\na: 1\n'), '# x⟦\u2028⟧controlCharacterb: 1\na: 1\n');
      assert.equal(refuse('a: x\ry\n'), 'a: x⟦\r⟧controlCharactery\n');
      assert.equal(refuse('a: "\\ud800"\n'), 'a: ⟦"\\ud800"⟧loneSurrogate\n');
      assert.match(refuse('a: \ud800\n'), /controlCharacter/);
      assert.deepEqual(read('a: "\\u2028\\x07"\n'), { a: '\u2028\u0007' });
    });

    it('refuses what is nested too deeply, whatever its form', () => {
      for (const text of [
        `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
        `a: ${'['.repeat(500)}${']'.repeat(500)}\n`,
        Array.from({ length: 2_000 }, (_item, index) => `${' '.repeat(index)}a:`).join('\n'),
      ]) {
        assert.match(problemsOf(readDocument(text))[0]?.message ?? '', /nested/);
      }
    });

    it('refuses a tag that its value does not fit', () => {
      assert.equal(refuse('a: !!int 1.5\n'), 'a: !!int ⟦1.5⟧badTag\n');
      assert.equal(refuse('a: !!binary "%"\n'), 'a: !!binary ⟦"%"⟧badTag\n');
    });
  });
});

describe('readDocuments', () => {
  it('reads each object with its own problems and leaves empty documents out', () => {
    const text = 'a: 1\n---\n# nothing\n---\nb: 1\nb: 2\n---\nc: 010\n';
    const results = readDocuments(text);
    assert.deepEqual(
      results.map((result) => [result.kind, problemsOf(result).map(({ code }) => code)]),
      [
        ['ok', []],
        ['invalid', ['duplicateKey', 'duplicateKey']],
        ['ok', ['numberSpelling']],
      ],
    );
  });

  it('is one problem for a text whose syntax is broken, and nothing for an empty one', () => {
    assert.deepEqual(
      readDocuments('a: [\n').map(({ kind }) => kind),
      ['invalid'],
    );
    assert.deepEqual(readDocuments('# x\n'), []);
  });
});
