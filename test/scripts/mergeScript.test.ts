import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/repository.ts';
import { type Json, memberAt, parseJson } from '../../src/core/json.ts';

const deployment = (image: string, extra = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  resourceVersion: "10"
spec:
  replicas: 3 # by hand
  template:
    spec:
      containers:
      # the app
      - name: app
        image: ${image}
${extra}`;

const storefrontApi = join(repositoryRoot, 'test/data/merge/storefront.openapi.json');

describe('npm run merge', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubemerge-merge-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  interface Answer {
    readonly exit: number | null;
    readonly stdout: string;
    readonly stderr: string;
    readonly report: Json;
  }

  /** Runs the script as npm does, in a folder with these files. */
  function merge(files: Readonly<Record<string, string>>, ...args: readonly string[]): Answer {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(repositoryRoot, 'scripts/run.mjs'), 'merge', ...args],
      { cwd: repositoryRoot, env: { ...process.env, INIT_CWD: folder }, encoding: 'utf8' },
    );
    return { exit: status, stdout, stderr, report: stdout === '' ? null : parseJson(stdout) };
  }

  function mergeThree(base: string, mine: string, live: string, ...more: readonly string[]): Answer {
    const files = { 'base.yaml': base, 'mine.yaml': mine, 'live.yaml': live };
    return merge(files, '--base', 'base.yaml', '--mine', 'mine.yaml', '--live', 'live.yaml', ...more);
  }

  it('merges disjoint edits into mine’s text, and exits with 0', () => {
    const live = deployment('web:1', '      - name: log\n        image: log:1\n').replace('"10"', '"12"');
    const { exit, report, stderr } = mergeThree(deployment('web:1'), deployment('web:2'), live);
    assert.equal(stderr, '');
    assert.equal(exit, 0);
    assert.equal(memberAt(report, 'status'), 'merged');
    assert.deepEqual(memberAt(report, 'conflicts'), []);
    assert.deepEqual(memberAt(report, 'applied'), [
      { path: 'spec.template.spec.containers[name=log]', after: { name: 'log', image: 'log:1' } },
    ]);
    const text = memberAt(report, 'text');
    assert.ok(typeof text === 'string');
    assert.match(
      text,
      /replicas: 3 # by hand\n[^]*# the app\n {6}- name: app\n {8}image: web:2\n[^]*name: log/,
    );
    assert.match(text, /resourceVersion: "12"/);
    assert.equal(memberAt(report, 'value', 'metadata', 'resourceVersion'), '12');
  });

  it('A2: lists a conflict with all three values, and exits with 1', () => {
    const { exit, report } = mergeThree(deployment('web:0'), deployment('web:2'), deployment('web:1'));
    assert.equal(exit, 1);
    assert.equal(memberAt(report, 'status'), 'conflict');
    assert.deepEqual(memberAt(report, 'conflicts'), [
      { path: 'spec.template.spec.containers[name=app].image', base: 'web:0', mine: 'web:2', live: 'web:1' },
    ]);
    assert.equal(memberAt(report, 'text'), deployment('web:0'));
  });

  it('writes conflict markers into the output, and the merged text where there are none', () => {
    mergeThree(deployment('web:0'), deployment('web:2'), deployment('web:1'), '--output', 'out.yaml');
    const marked = [
      '<<<<<<< mine',
      '        image: web:2',
      '||||||| base',
      '        image: web:0',
      '=======',
      '        image: web:1',
      '>>>>>>> live\n',
    ].join('\n');
    assert.equal(
      readFileSync(join(folder, 'out.yaml'), 'utf8'),
      deployment('web:0').replace('        image: web:0\n', marked),
    );
    const { report } = mergeThree(
      deployment('web:0'),
      deployment('web:2'),
      deployment('web:0'),
      '--output',
      'out.yaml',
    );
    assert.equal(readFileSync(join(folder, 'out.yaml'), 'utf8'), memberAt(report, 'text'));
  });

  it('C3: keeps integers exact, in JSON as well', () => {
    const object = (label: string): string =>
      `{"apiVersion":"v1","kind":"Gadget","metadata":{"name":"g"${label}},"n":9007199254740993}`;
    const mine = object(',"labels":{"a":"b"}');
    const { exit, stdout, report } = mergeThree(object(''), mine, object(''));
    assert.equal(exit, 0);
    assert.ok(stdout.includes('9007199254740993'));
    assert.equal(memberAt(report, 'value', 'n'), 9007199254740993n);
    assert.equal(memberAt(report, 'text'), mine);
  });

  it('A1: takes live’s status and other fields of the server silently', () => {
    const node = (label: string, status: string, version: string): string =>
      `apiVersion: v1\nkind: Node\nmetadata:\n  name: n\n  resourceVersion: "${version}"\n  labels: {a: "1"${label}}\nstatus:\n  phase: ${status}\n`;
    const { exit, report } = mergeThree(
      node('', 'Old', '1000'),
      node(', b: "2"', 'Old', '1000'),
      node('', 'New', '1001'),
    );
    assert.equal(exit, 0);
    assert.deepEqual(memberAt(report, 'applied'), []);
    assert.equal(memberAt(report, 'value', 'status', 'phase'), 'New');
    assert.deepEqual(memberAt(report, 'value', 'metadata', 'labels'), { a: '1', b: '2' });
  });

  it('says who changed what, from managedFields', () => {
    const managed = (time: string): string =>
      `  managedFields:\n  - {manager: scaler, operation: Update, time: "${time}", fieldsV1: {"f:spec": {"f:replicas": {}}}}\n`;
    const object = (replicas: number, fields: string): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n${fields}spec:\n  replicas: ${replicas}\n`;
    const base = object(1, managed('2024-05-01T10:00:00Z'));
    const live = object(5, managed('2024-05-01T10:05:00Z'));
    const blame = { manager: 'scaler', operation: 'Update', time: '2024-05-01T10:05:00Z' };
    assert.deepEqual(memberAt(mergeThree(base, object(1, ''), live).report, 'applied'), [
      { path: 'spec.replicas', before: 1, after: 5, ...blame },
    ]);
    assert.deepEqual(memberAt(mergeThree(base, object(2, ''), live).report, 'conflicts'), [
      { path: 'spec.replicas', base: 1, mine: 2, live: 5, ...blame },
    ]);
  });

  it('merges custom resources by the OpenAPI documents that it is given', () => {
    const object = (one: number, two: string): string =>
      `apiVersion: shop.example.com/v1\nkind: Storefront\nmetadata: {name: main}\nspec:\n  routes:\n  - {host: a, weight: ${one}}\n  - {host: b, path: /x, backend: ${two}}\n`;
    const texts = [object(1, 'web'), object(2, 'web'), object(1, 'api')] as const;
    assert.equal(mergeThree(...texts).exit, 1);
    const { exit, report } = mergeThree(...texts, '--openapi', storefrontApi);
    assert.equal(exit, 0);
    assert.equal(memberAt(report, 'text'), object(2, 'api'));
  });

  it('merges lists without schema by name where that is asked for', () => {
    const object = (one: number, two: number): string =>
      `apiVersion: lab.example.com/v1\nkind: Gadget\nmetadata: {name: g}\nparts:\n- {name: one, n: ${one}}\n- {name: two, n: ${two}}\n`;
    const texts = [object(1, 1), object(2, 1), object(1, 2)] as const;
    assert.equal(mergeThree(...texts).exit, 1);
    const { exit, report } = mergeThree(...texts, '--merge-named-lists');
    assert.equal(exit, 0);
    assert.equal(memberAt(report, 'text'), object(2, 2));
  });

  it('H1: counts a Secret’s stringData as data, and leaves mine’s spelling', () => {
    const secret = (data: string): string => `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n${data}`;
    const mine = secret('data: {user: YWRtaW4=}\nstringData: {word: new}\n');
    const { exit, report } = mergeThree(
      secret('data: {user: YWRtaW4=, word: b2xk}\n'),
      mine,
      secret('data: {user: cm9vdA==, word: b2xk}\n'),
    );
    assert.equal(exit, 0);
    assert.equal(memberAt(report, 'text'), secret('data: {user: cm9vdA==}\nstringData: {word: new}\n'));
  });

  it('A11: will not merge edits into another object of the same name', () => {
    const object = (uid: string, image: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: ${uid}}\nimage: ${image}\n`;
    const { exit, report } = mergeThree(object('a', '1'), object('a', '2'), object('b', '1'));
    assert.equal(exit, 1);
    assert.deepEqual(
      (memberAt(report, 'conflicts') as readonly Json[]).map((conflict) => memberAt(conflict, 'path')),
      ['metadata.uid'],
    );
  });

  describe('refuses with 2, a reason and no output', () => {
    const good = deployment('web:1');
    const cases: Readonly<Record<string, readonly [() => Answer, RegExp]>> = {
      'a missing option': [() => merge({}, '--base', 'base.yaml'), /missing --mine, --live[^]*usage:/],
      'an unknown option': [() => mergeThree(good, good, good, '--bogus'), /--bogus[^]*usage:/],
      'a missing file': [
        () =>
          merge({ 'base.yaml': good }, '--base', 'base.yaml', '--mine', 'none.yaml', '--live', 'base.yaml'),
        /--mine: cannot read none\.yaml/,
      ],
      'a text that is no YAML': [
        () => mergeThree(good, 'a: [1\nb: 2\n', good),
        /--mine: mine\.yaml:\d+:\d+: /,
      ],
      'C10: a key that is set twice, with both lines': [
        () => mergeThree(good, 'kind: X\nimage: a\nimage: b\n', good),
        /mine\.yaml:2:1: [^]*mine\.yaml:3:1: /,
      ],
      'a text that is no object': [() => mergeThree('- 1\n', good, good), /--base: base\.yaml:1:1: /],
      'an empty text': [() => mergeThree(good, good, ''), /--live: live\.yaml:1:1: /],
      'an OpenAPI document that is no JSON': [
        () => mergeThree(good, good, good, '--openapi', 'mine.yaml'),
        /--openapi: mine\.yaml is not JSON/,
      ],
      'an output that cannot be written': [
        () => mergeThree(good, good, good, '--output', 'none/out.yaml'),
        /--output: cannot write none\/out\.yaml/,
      ],
    };
    for (const [title, [run, reason]] of Object.entries(cases)) {
      it(title, () => {
        const { exit, stdout, stderr } = run();
        assert.deepEqual([exit, stdout], [2, '']);
        assert.match(stderr, reason);
      });
    }
  });
});
