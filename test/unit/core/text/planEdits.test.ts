import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/core/json.ts';
import { type MergeSchema, noSchema } from '../../../../src/core/merge/mergeSchema.ts';
import { planEdits } from '../../../../src/core/text/planEdits.ts';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';
import { showEdits } from './showEdits.ts';

/** The edits from `text` to a target, shown in place; the target is checked to be what the result reads as. */
function plan(text: string, target: JsonObject, schema: MergeSchema = noSchema): string {
  const edits = planEdits(text, target, { schema });
  const read = readDocument(applyEdits(text, edits));
  assert.deepEqual(read.kind === 'ok' ? read.value : read.problems, target);
  return showEdits(text, edits);
}

describe('planEdits', () => {
  describe('where nothing changes', () => {
    const unchanged: Record<string, [string, JsonObject]> = {
      'a number in another spelling': [
        'a: 1.0\nb: 0644\nc: 0x1F\nd: 1e3\n',
        { a: 1, b: 420, c: 31, d: 1000 },
      ],
      'a word in another spelling': ['a: yes\nb: ~\nc:\n', { a: true, b: null, c: null }],
      'other quotes': ['a: "x"\nb: \'y\'\n"c": z\n', { a: 'x', b: 'y', c: 'z' }],
      'members in another order': ['a: 1\nb: {c: 2, d: 3}\n', { b: { d: 3, c: 2 }, a: 1 }],
      'a folded text': ['a: >-\n  one\n  two\n', { a: 'one two' }],
      'aliases and merge keys': [
        'a: &a {x: 1}\nb: *a\nc:\n  <<: *a\n',
        { a: { x: 1 }, b: { x: 1 }, c: { x: 1 } },
      ],
      'a big integer': ['a: 9007199254740993\n', { a: 9007199254740993n }],
    };
    for (const [name, [text, target]] of Object.entries(unchanged)) {
      it(`makes no edit for ${name}`, () => {
        assert.deepEqual(planEdits(text, target), []);
      });
    }
  });

  describe('scalars', () => {
    it('changes only the characters that differ and keeps the comment behind', () => {
      assert.equal(plan('image: web:1.4 # pinned\n', { image: 'web:1.5' }), 'image: web:1.⟦4→5⟧ # pinned\n');
    });

    it('keeps the quotes', () => {
      assert.equal(
        plan(`a: "x" # c\nb: 'y'\n`, { a: 'yes', b: "it's" }),
        `a: "⟦x→yes⟧" # c\nb: '⟦y→it''s⟧'\n`,
      );
    });

    it('gives up quotes for what is no string', () => {
      assert.equal(plan('a: "x" # c\n', { a: 5 }), 'a: ⟦"x"→5⟧ # c\n');
    });

    it('quotes a string that would read as something else', () => {
      assert.equal(plan('a: x\n', { a: 'yes' }), 'a: ⟦x→"yes"⟧\n');
      assert.equal(plan('a: {b: x}\n', { a: { b: 'x, y' } }), "a: {b: ⟦x→'x, y'⟧}\n");
    });

    it('C3: writes an integer beyond 2^53 with all its digits', () => {
      assert.equal(plan('a: 1\n', { a: 9007199254740993n }), 'a: ⟦1→9007199254740993⟧\n');
    });

    it('writes null for null, and fills an empty value', () => {
      assert.equal(plan('a: 5 # c\nb: # d\n', { a: null, b: 1 }), 'a: ⟦5→null⟧ # c\nb:⟦→ 1⟧ # d\n');
    });

    it('replaces a tag with the value that it was about', () => {
      assert.equal(
        plan('a: !!str 5\nb: &x !foo 6\n', { a: '6', b: 7 }),
        'a: ⟦!!str 5→"6"⟧\nb: &x ⟦!foo 6→7⟧\n',
      );
    });

    it('moves the comment to the header where a scalar becomes a block', () => {
      assert.equal(plan('a: x # c\nb: 1\n', { a: { k: 1 }, b: 1 }), 'a:⟦ x→⟧ # c\n⟦→  k: 1\n⟧b: 1\n');
      assert.equal(plan('a: x # c\nb: 1\n', { a: 'p\nq\n', b: 1 }), 'a: ⟦x→|⟧ # c\n⟦→  p\n  q\n⟧b: 1\n');
    });

    it('replaces a plain scalar of several lines', () => {
      assert.equal(
        plan('k: plain\n  over two\nz: 1\n', { k: 'short', z: 1 }),
        'k: ⟦plain\n  over two→short⟧\nz: 1\n',
      );
    });
  });

  describe('block scalars', () => {
    const script = 'run: |  # the script\n  one\n  two\n\n  three\nz: 1\n';

    it('C1: changes only the lines that differ', () => {
      assert.equal(
        plan(script, { run: 'one\n2\n\nthree\n', z: 1 }),
        'run: |  # the script\n  one\n  ⟦two→2⟧\n\n  three\nz: 1\n',
      );
    });

    it('changes the chomping indicator with the line breaks at the end', () => {
      assert.equal(
        plan(script, { run: 'one\ntwo\n\nthree', z: 1 }),
        'run: |⟦→-⟧  # the script\n  one\n  two\n\n  three\nz: 1\n',
      );
      assert.equal(
        plan(script, { run: 'one\ntwo\n\nthree\n\n', z: 1 }),
        'run: |⟦→+⟧  # the script\n  one\n  two\n\n  three\n⟦→\n⟧z: 1\n',
      );
    });

    it('adds the indentation indicator that a leading space needs, and keeps one that is there', () => {
      assert.equal(plan('a: |\n   x\nb: 1\n', { a: ' x\n', b: 1 }), 'a: |⟦→3⟧\n   ⟦→ ⟧x\nb: 1\n');
      assert.equal(plan('a: |2\n   x\nb: 1\n', { a: 'y\n', b: 1 }), 'a: |2\n  ⟦ x→y⟧\nb: 1\n');
    });

    it('keeps blank lines of `|+` and the spaces of lines that are not touched', () => {
      assert.equal(
        plan('a: |+\n  x  \n\n\nb: 1\n', { a: 'x  \ny\n\n\n', b: 1 }),
        'a: |+\n  x  \n⟦→  y\n⟧\n\nb: 1\n',
      );
    });

    it('keeps the line breaks of a folded text where the words around them stay', () => {
      assert.equal(
        plan('a: >-\n  one two\n  three\n\n  four\nb: 1\n', { a: 'one 2 three\nfour five', b: 1 }),
        'a: >-\n  one ⟦two→2⟧\n  three\n\n  four⟦→ five⟧\nb: 1\n',
      );
    });

    it('turns a folded text with lines of code into a literal one', () => {
      assert.equal(
        plan('a: >\n  one\n    code\nb: 1\n', { a: 'two\n  code\n', b: 1 }),
        'a: ⟦>→|⟧\n  ⟦one→two⟧\n    code\nb: 1\n',
      );
    });

    const indicators: readonly (readonly [string, JsonObject, string])[] = [
      ['a: |2-\n   one\n  two\nb: 1\n', { a: ' one\n2', b: 1 }, 'a: |2-\n   one\n  ⟦two→2⟧\nb: 1\n'],
      ['a: |-2\n  one\n  two\nb: 1\n', { a: 'one\n2', b: 1 }, 'a: |⟦-2→2-⟧\n  one\n  ⟦two→2⟧\nb: 1\n'],
      [
        'a: |4+ # c\n      one\n    two\n\nb: 1\n',
        { a: '  one\n2\n\n', b: 1 },
        'a: |4+ # c\n      one\n    ⟦two→2⟧\n\nb: 1\n',
      ],
      ['a: >2-\n  one\n  two\nb: 1\n', { a: 'one 2', b: 1 }, 'a: >2-\n  one\n  ⟦two→2⟧\nb: 1\n'],
      ['a: >+\n  one\n\nb: 1\n', { a: 'two\n\n', b: 1 }, 'a: ⟦>→|⟧+\n  ⟦one→two⟧\n\nb: 1\n'],
      ['l:\n- |-\n  a\n  b\n- >\n  c\n', { l: ['a\nx', 'd\n'] }, 'l:\n- |-\n  a\n  ⟦b→x⟧\n- >\n  ⟦c→d⟧\n'],
      [
        'a: |\r\n  x\r\n  y\r\nb: 1\r\n',
        { a: 'x\nz\ny\n', b: 1 },
        'a: |\r\n  x\r\n⟦→  z\r\n⟧  y\r\nb: 1\r\n',
      ],
    ];
    for (const [text, target, expected] of indicators) {
      it(`C1: edits the lines behind ${JSON.stringify(text.slice(0, 10))}`, () => {
        assert.equal(plan(text, target), expected);
      });
    }

    it('takes a comment out of the way of a literal block that would take it in', () => {
      assert.equal(
        plan('a:\n  x: 1\n    # deep\nb: 1\n', { a: { x: 'p\nq\n' }, b: 1 }),
        'a:\n  x: ⟦1→|⟧\n    ⟦→p\n    q\n  ⟧# deep\nb: 1\n',
      );
    });

    it('quotes a text with blank lines at its end where blank lines follow', () => {
      assert.equal(plan('a: x\nb: 1\n\nc: 2\n', { a: 'k\n\n', c: 2 }), 'a: ⟦x→"k\\n\\n"⟧\n⟦b: 1\n→⟧\nc: 2\n');
    });
  });

  describe('block mappings', () => {
    it('adds a member behind the one that precedes it, in front of comments about the next', () => {
      assert.equal(
        plan('z: 1\n# about a\na: 2\n', { z: 1, m: { k: [] }, a: 2 }),
        'z: 1\n⟦→m:\n  k: []\n⟧# about a\na: 2\n',
      );
    });

    it('adds a member in its place where the keys are sorted', () => {
      assert.equal(
        plan('labels:\n  app: x\n  zone: eu\n', { labels: { zone: 'eu', app: 'x', tier: 'z' } }),
        'labels:\n  app: x\n⟦→  tier: z\n⟧  zone: eu\n',
      );
    });

    it('adds a member behind the comments that end the value before it', () => {
      assert.equal(
        plan('a:\n  b: 1\n  # end of a\n\n# about c\nc: 1\n', { a: { b: 1 }, b: 2, c: 1 }),
        'a:\n  b: 1\n  # end of a\n⟦→b: 2\n⟧\n# about c\nc: 1\n',
      );
    });

    it('adds a first member above the comments of the one that was first', () => {
      assert.equal(
        plan('s:\n  # about b\n  b: 1\n  c: 2\n', { s: { a: 0, b: 1, c: 2 } }),
        's:\n⟦→  a: 0\n⟧  # about b\n  b: 1\n  c: 2\n',
      );
    });

    it('C11: removes a member with its lines and keeps the comments around it', () => {
      assert.equal(
        plan('a: 1\n# about b\nb: 2 # two\n# about c\nc: 3\n', { a: 1, c: 3 }),
        'a: 1\n# about b\n⟦b: 2 # two\n→⟧# about c\nc: 3\n',
      );
    });

    it('C11: a field that was commented out is no field, and stays a comment', () => {
      const text = 'spec:\n  # replicas: 3\n  paused: true\n';
      assert.equal(
        plan(text, { spec: { paused: false } }),
        'spec:\n  # replicas: 3\n  paused: ⟦tru→fals⟧e\n',
      );
    });

    it('writes {} where the last member goes, and opens it again as a block', () => {
      assert.equal(
        plan('labels:\n  # why\n  a: x\nb: 1\n', { labels: {}, b: 1 }),
        'labels:⟦→ {}⟧\n  # why\n⟦  a: x\n→⟧b: 1\n',
      );
      assert.equal(
        plan('labels: {} # none\nb: 1\n', { labels: { a: 'x' }, b: 1 }),
        'labels:⟦ {}→⟧ # none\n⟦→  a: x\n⟧b: 1\n',
      );
    });

    it('indents as the author does', () => {
      assert.equal(
        plan('a:\n    b:\n        - c\n', { a: { b: ['c'], d: { e: ['f'] } } }),
        'a:\n    b:\n        - c\n⟦→    d:\n        e:\n            - f\n⟧',
      );
    });

    it('pulls the next member up where the first behind a dash goes', () => {
      assert.equal(plan('l:\n  - name: a\n    x: 1\n', { l: [{ x: 1 }] }), 'l:\n  - ⟦name: a\n    →⟧x: 1\n');
    });

    it('leaves the dash alone on its line where a comment would be lost', () => {
      assert.equal(
        plan('l:\n- name: a\n  # about x\n  x: 1\n', { l: [{ x: 1 }] }),
        'l:\n-⟦ name: a→⟧\n  # about x\n  x: 1\n',
      );
    });

    it('edits members with explicit keys', () => {
      assert.equal(plan('? a\n: 1\nb: 2\n', { a: 3, b: 2 }), '? a\n: ⟦1→3⟧\nb: 2\n');
      assert.equal(plan('? a\n: 1\nb: 2\n', { b: 2 }), '⟦? a\n: 1\n→⟧b: 2\n');
    });

    it('knows a quoted key, and quotes a new one that would read as something else', () => {
      assert.equal(plan('"on": 1\n', { on: 2, no: 3 }), '"on": ⟦1→2⟧\n⟦→"no": 3\n⟧');
    });

    it('removes keys that stand twice, all but the last', () => {
      const edits = planEdits('a: 1\nb: 2\na: 3\n', { a: 4, b: 2 });
      assert.equal(showEdits('a: 1\nb: 2\na: 3\n', edits), '⟦a: 1\n→⟧b: 2\na: ⟦3→4⟧\n');
    });

    it('replaces no more than the mapping in which a key stands twice, however deep', () => {
      const text = '# top\na: 1 # one\nb:\n  c:\n  - {d: 1, d: 2} # x\n  e: 0\nf: 1\n';
      const edits = planEdits(text, { a: 3, b: { c: [{ d: 2 }], e: 0 }, f: 1 });
      assert.equal(
        showEdits(text, edits),
        '# top\na: ⟦1→3⟧ # one\nb:\n  c:\n  - ⟦{d: 1, d: 2}→d: 2⟧ # x\n  e: 0\nf: 1\n',
      );
    });

    it('treats __proto__ as a key like any other', () => {
      const target = JSON.parse('{"a": 1, "__proto__": {"x": 2}}') as JsonObject;
      assert.equal(plan('a: 1\n__proto__:\n  x: 1\n', target), 'a: 1\n__proto__:\n  x: ⟦1→2⟧\n');
    });
  });

  describe('block lists', () => {
    const containers = `c:
# main
- name: app
  image: app:1 # pinned
# writes the log
- name: log
  image: log:1
  # no args
`;

    it('edits the element with the same name, wherever it stands', () => {
      assert.equal(
        plan(containers, {
          c: [
            { name: 'log', image: 'log:1' },
            { name: 'app', image: 'app:2' },
          ],
        }),
        `c:
⟦→# writes the log
- name: log
  image: log:1
  # no args
⟧# main
- name: app
  image: app:⟦1→2⟧ # pinned
⟦# writes the log
- name: log
  image: log:1
  # no args
→⟧`,
      );
    });

    it('removes an element and leaves the others as they are', () => {
      assert.equal(
        plan(containers, { c: [{ name: 'log', image: 'log:1' }] }),
        `c:
# main
⟦- name: app
  image: app:1 # pinned
→⟧# writes the log
- name: log
  image: log:1
  # no args
`,
      );
    });

    it('adds an element where it belongs', () => {
      assert.equal(
        plan(containers, {
          c: [
            { name: 'app', image: 'app:1' },
            { name: 'new', args: ['-x'] },
            { name: 'log', image: 'log:1' },
          ],
        }),
        `c:
# main
- name: app
  image: app:1 # pinned
⟦→- args:
  - -x
  name: new
⟧# writes the log
- name: log
  image: log:1
  # no args
`,
      );
    });

    const ports: MergeSchema = {
      ...noSchema,
      list: { kind: 'map', keys: ['containerPort', 'protocol'], defaults: { protocol: 'TCP' } },
    };
    const portsSchema: MergeSchema = { ...noSchema, member: () => ports };

    it('goes by the list-map-keys of the schema, with their defaults', () => {
      const text = 'p:\n- containerPort: 80 # web\n- containerPort: 80\n  protocol: UDP # dns\n';
      const target = [
        { containerPort: 80, protocol: 'UDP', name: 'dns' },
        { containerPort: 80, protocol: 'TCP', name: 'web' },
      ];
      assert.equal(
        plan(text, { p: target }, portsSchema),
        `p:
⟦→- containerPort: 80
  name: dns
  protocol: UDP # dns
⟧- containerPort: 80 # web
⟦- containerPort: 80
  protocol: UDP # dns→  protocol: TCP
  name: web⟧
`,
      );
    });

    it('aligns scalars by value and carries the comments of one that moved', () => {
      assert.equal(
        plan('l:\n- a # first\n- b\n# third\n- c\n', { l: ['c', 'a', 'x', 'b'] }),
        'l:\n⟦→# third\n- c\n⟧- a # first\n⟦→- x\n⟧- b\n⟦# third\n- c\n→⟧',
      );
    });

    it('edits lists inside of lists', () => {
      assert.equal(
        plan('l:\n- - 1\n  - 2\n- - 3\n', { l: [[1, 2, 4], [3]] }),
        'l:\n- - 1\n  - 2\n⟦→  - 4\n⟧- - 3\n',
      );
    });

    it('keeps indented and flush lists as they are', () => {
      assert.equal(
        plan('l:\n  - a\nm:\n- b\n', { l: ['a', 'x'], m: ['b', 'y'] }),
        'l:\n  - a\n⟦→  - x\n⟧m:\n- b\n⟦→- "y"\n⟧',
      );
    });

    it('writes [] where the last element goes, and opens it again as a block', () => {
      assert.equal(
        plan('l:\n- a # x\nm: []\n', { l: [], m: [1] }),
        'l:⟦→ []⟧\n⟦- a # x\n→⟧m:⟦ []→⟧\n⟦→- 1\n⟧',
      );
    });
  });

  describe('flow collections', () => {
    it('edits inside of them and adds in their style', () => {
      assert.equal(
        plan('m: {a: 1, b: {c: "2"}} # x\n', { m: { b: { c: '3', d: [1, 'e'] } } }),
        'm: {⟦a: 1, →⟧b: {c: "⟦2"→3", d: [1, e]⟧}} # x\n',
      );
      assert.equal(plan('l: ["a", "b"]\n', { l: ['b', 'c'] }), 'l: [⟦"a", →⟧"b"⟦→, "c"⟧]\n');
    });

    it('keeps lines and comments of one that has several', () => {
      assert.equal(
        plan('l: [\n  a, # first\n  b, # second\n  c # third\n]\n', { l: ['a', 'c', 'd'] }),
        'l: [\n  a, # first\n⟦  b, # second\n→⟧  c⟦→,⟧ # third⟦→\n  d⟧\n]\n',
      );
      assert.equal(
        plan('l: [\n  a, # first\n  b, # second\n  c # third\n]\n', { l: ['a', 'x', 'b'] }),
        'l: [\n  a, # first⟦→\n  x,⟧\n  b⟦,→⟧ # second\n⟦  c # third\n→⟧]\n',
      );
    });

    it('keeps a JSON text JSON', () => {
      const text = '{\n  "a": 1,\n  "b": {\n    "c": "x"\n  }\n}\n';
      const target = { a: 1, b: { c: 'x', e: [true, 'y'] }, d: 'new' };
      assert.deepEqual(JSON.parse(applyEdits(text, planEdits(text, target))), target);
      assert.equal(
        plan(text, target),
        '{\n  "a": 1,\n  "b": {\n    "c": "x"⟦→,\n    "e": [true, "y"]⟧\n  }⟦→,\n  "d": "new"⟧\n}\n',
      );
    });

    it('gives a key without a value one', () => {
      assert.equal(plan('m: {a, b: 1}\n', { m: { a: 2, b: 1 } }), 'm: {a⟦→: 2⟧, b: 1}\n');
    });
  });

  describe('anchors, aliases and merge keys', () => {
    const text = 'base: &b\n  x: 1\nuse:\n  <<: *b\n  z: 2\ncopy: *b\n';
    const object = { base: { x: 1 }, use: { x: 1, z: 2 }, copy: { x: 1 } };
    const cases: Record<string, [JsonObject, string]> = {
      'edits what is written out beside a merge key': [
        { ...object, use: { x: 1, z: 3 } },
        'base: &b\n  x: 1\nuse:\n  <<: *b\n  z: ⟦2→3⟧\ncopy: *b\n',
      ],
      'overrides a merged member': [
        { ...object, use: { x: 5, z: 2 } },
        'base: &b\n  x: 1\nuse:\n  <<: *b\n⟦→  x: 5\n⟧  z: 2\ncopy: *b\n',
      ],
      'C9: writes everything out where a merged member goes': [
        { ...object, use: { z: 2 } },
        'base: &b\n  x: 1\nuse:\n⟦  <<: *b\n→⟧  z: 2\ncopy: *b\n',
      ],
      'writes out an alias that no longer stands for the same': [
        { ...object, copy: { x: 2 } },
        'base: &b\n  x: 1\nuse:\n  <<: *b\n  z: 2\ncopy:⟦ *b→⟧\n⟦→  x: 2\n⟧',
      ],
      'leaves aliases that change along': [
        { base: { x: 2 }, use: { x: 2, z: 2 }, copy: { x: 2 } },
        'base: &b\n  x: ⟦1→2⟧\nuse:\n  <<: *b\n  z: 2\ncopy: *b\n',
      ],
      'keeps the rest as it was where only the anchored value changes': [
        { ...object, base: { x: 2 } },
        'base: &b\n  x: ⟦1→2⟧\nuse:\n  <<: *b\n⟦→  x: 1\n⟧  z: 2\ncopy:⟦ *b→⟧\n⟦→  x: 1\n⟧',
      ],
      'writes out what referred to an anchor that goes': [
        { use: object.use, copy: object.copy },
        '⟦base: &b\n  x: 1\n→⟧use:\n  ⟦<<: *b→x: 1⟧\n  z: 2\ncopy:⟦ *b→⟧\n⟦→  x: 1\n⟧',
      ],
    };
    for (const [name, [target, expected]] of Object.entries(cases)) {
      it(name, () => {
        assert.equal(plan(text, target), expected);
      });
    }
  });

  describe('the text around', () => {
    it('keeps CRLF, also in what it adds', () => {
      assert.equal(
        plan('a: 1\r\nb: |\r\n  x\r\n', { a: 2, b: 'x\ny\n', c: { d: 1 } }),
        'a: ⟦1→2⟧\r\nb: |\r\n  x\r\n⟦→  y\r\nc:\r\n  d: 1\r\n⟧',
      );
    });

    it('keeps a missing line break at the end', () => {
      assert.equal(plan('a: 1\nb: 2', { a: 1, b: 2, c: 3 }), 'a: 1\nb: 2⟦→\nc: 3⟧');
      assert.equal(plan('a: 1\nb: 2', { a: 1 }), 'a: 1⟦\nb: 2→⟧');
      assert.equal(plan('a: 1', { b: 2 }), '⟦a: 1→b: 2⟧');
      assert.equal(plan('a: 1\r\nb: 2', { a: 1 }), 'a: 1⟦\r\nb: 2→⟧');
    });

    it('adds the line break at the end where the last value needs it', () => {
      assert.equal(plan('a: 1', { a: 'k\n\n' }), 'a: ⟦1→|+\n  k\n\n⟧');
    });

    it('keeps a byte order mark, document markers and comments outside', () => {
      assert.equal(
        plan('\uFEFF# c\n---\n# x\n---\na: 1 # y\n...\n# z\n', { a: 2, b: 1 }),
        '\uFEFF# c\n---\n# x\n---\na: ⟦1→2⟧ # y\n⟦→b: 1\n⟧...\n# z\n',
      );
      assert.equal(plan('\uFEFFb: 1\n', { a: 0, b: 1 }), '\uFEFF⟦→a: 0\n⟧b: 1\n');
    });

    it('edits one of several documents', () => {
      const text = 'a: 1\n---\n# nothing\n---\nb: 1 # c\n';
      assert.equal(
        showEdits(text, planEdits(text, { b: 2 }, { document: 1 })),
        'a: 1\n---\n# nothing\n---\nb: ⟦1→2⟧ # c\n',
      );
    });

    it('indents as the edited document of several does, and keeps their ends and markers', () => {
      const text = 'a: 1\n...\n---\n# second\nb:\n    c: 1\n...\n--- # third\nd: 1\n';
      assert.equal(
        showEdits(text, planEdits(text, { b: { c: 2, e: { f: 'x\ny\n' } } }, { document: 1 })),
        'a: 1\n...\n---\n# second\nb:\n    c: ⟦1→2⟧\n⟦→    e:\n        f: |\n            x\n            y\n⟧...\n--- # third\nd: 1\n',
      );
    });

    it('writes into a text without an object behind its comments', () => {
      assert.equal(plan('# nothing yet\n', { a: 1 }), '# nothing yet\n⟦→a: 1\n⟧');
      assert.equal(plan('', { a: 1 }), '⟦→a: 1\n⟧');
    });

    it('replaces the whole of a text that cannot be read', () => {
      assert.equal(plan('a: [', { a: 1 }), '⟦a: [→a: 1\n⟧');
    });

    it('replaces all members where none stays', () => {
      assert.equal(plan('# c\na: 1\nb: 2\n# d\n', { c: 3 }), '# c\n⟦a: 1\nb: 2→c: 3⟧\n# d\n');
    });
  });

  it('stays linear for a list of many equal elements', () => {
    const list = Array.from({ length: 20_000 }, (_item, index) => index % 7);
    const text = `l:\n${list.map((item) => `- ${item}\n`).join('')}`;
    assert.equal(planEdits(text, { l: [...list, 'new'] }).length, 1);
  });
});
