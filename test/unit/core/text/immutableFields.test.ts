import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FieldCause } from '../../../../src/core/errors.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { toEditable } from '../../../../src/core/resource/editableObject.ts';
import { gvkOf } from '../../../../src/core/resource/kubeObject.ts';
import { causeProblems } from '../../../../src/core/text/causeProblems.ts';
import { readImmutable } from '../../../../src/core/text/immutableFields.ts';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { shiftProblems } from '../../../../src/core/text/shiftRanges.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';

// As kube-apiserver 1.36 words them.
const statefulSet: FieldCause = {
  field: 'spec',
  reason: 'FieldValueForbidden',
  message:
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
};
const pod: FieldCause = {
  field: 'spec',
  reason: 'FieldValueForbidden',
  message:
    'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n@@ -5,7 +5,9 @@\n   {\n',
};
const claim: FieldCause = {
  field: 'spec',
  reason: 'FieldValueForbidden',
  message:
    'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -10,7 +10,7 @@\n',
};

function immutable(field: string, value = '"x"'): FieldCause {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${value}: field is immutable` };
}

/** Each problem as `line: message`, and the text after its fix. */
function mark(
  live: string,
  mine: string | { readonly decoded: string },
  ...causes: readonly FieldCause[]
): readonly {
  readonly at: string;
  readonly message: string;
  readonly fixed: string;
  readonly title: string;
}[] {
  const read = readDocument(live);
  assert.ok(read.kind === 'ok');
  const object = read.value;
  const schema = builtinSchema(gvkOf(object) ?? { group: '', version: '', kind: '' });
  const [text, spelling] =
    typeof mine === 'string' ? [mine, 'encoded' as const] : [mine.decoded, 'decoded' as const];
  const known = { live: toEditable(object, { hasStatusSubresource: true }), schema, spelling };
  return causeProblems(text, causes, 'invalid', known).map(({ range, message, fixes }) => ({
    at:
      text
        .slice(text.lastIndexOf('\n', range.start) + 1)
        .split('\n')[0]
        ?.trim() ?? '',
    message,
    title: fixes[0]?.title ?? '',
    fixed: applyEdits(text, fixes[0]?.edits ?? []),
  }));
}

const podText = `apiVersion: v1
kind: Pod
metadata:
  name: web
  resourceVersion: "7"
spec:
  containers:
  - name: app
    image: web:0 # ours
    command: [run]
  hostNetwork: false
`;

describe('fields that cannot be changed', () => {
  it('are told from other causes by the words of each type', () => {
    for (const message of [
      'Invalid value: "x": field is immutable',
      'Invalid value: ["10.0.0.9"]: may not change once set',
      'Forbidden: field is immutable when `immutable` is set',
      'Invalid value: {"name":"b"}: cannot change roleRef',
      'Forbidden: may not be changed in an update.',
      'Forbidden: pod updates may not add or remove containers',
      'Forbidden: node updates may not change podCIDR except from "" to valid',
      'Forbidden: updates to provisioner are forbidden.',
      'Invalid value: "object": Value is immutable',
      ...[statefulSet, pod, claim].map((cause) => cause.message),
    ]) {
      assert.ok(readImmutable({ field: 'spec', message }), message);
    }
    for (const message of [
      'must be greater than or equal to 0',
      'Required value',
      'Forbidden: may not be set',
    ]) {
      assert.equal(readImmutable({ field: 'spec', message }), undefined, message);
    }
    assert.deepEqual(readImmutable(claim)?.allowed, [
      'spec.resources.requests',
      'spec.volumeAttributesClassName',
    ]);
  });

  it('G4: are marked where the text changed them, what may be changed beside them is not', () => {
    const mine = podText
      .replace('web:0', 'web:1')
      .replace('[run]', '[walk]')
      .replace('hostNetwork: false', 'hostNetwork: true')
      .replace('"7"', '"8"');
    const found = mark(podText, mine, pod);
    assert.deepEqual(
      found.map(({ at }) => at),
      ['command: [walk]', 'hostNetwork: true'],
    );
    assert.match(found[0]?.message ?? '', /^spec\.containers\[name=app\]\.command cannot be changed once/);
    assert.equal(found[0]?.title, 'Revert spec.containers[name=app].command');
    assert.equal(found[0].fixed, mine.replace('[walk]', '[run]'));
    assert.equal(found[1]?.fixed, mine.replace('hostNetwork: true', 'hostNetwork: false'));
  });

  it('are put back where they were removed, and taken out where they were added', () => {
    const live =
      'apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: db\nspec:\n  replicas: 1\n  serviceName: db\n';
    const removed = mark(live, live.replace('  serviceName: db\n', ''), statefulSet);
    assert.equal(removed[0]?.fixed, live);
    assert.equal(removed[0].at, 'spec:');
    const added = mark(live, `${live}  podManagementPolicy: Parallel\n`, statefulSet);
    assert.equal(added[0]?.fixed, live);
    assert.deepEqual(mark(live, live.replace('replicas: 1', 'replicas: 2'), statefulSet).at(0)?.title, '');
  });

  it('are found beside the field that the server names', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  clusterIP: "10.0.0.1"\n  clusterIPs:\n  - 10.0.0.1\n';
    const cause = {
      ...immutable('spec.clusterIPs[0]'),
      message: 'Invalid value: ["10.0.0.9"]: may not change once set',
    };
    const alone = mark(service, service.replace('"10.0.0.1"', '"10.0.0.9"'), cause);
    assert.deepEqual([alone[0]?.at, alone[0]?.fixed], ['clusterIP: "10.0.0.9"', service]);
    const volume =
      'apiVersion: v1\nkind: PersistentVolume\nmetadata:\n  name: disk\nspec:\n  hostPath:\n    path: /a\n';
    const [source] = mark(volume, volume.replace('/a', '/b'), immutable('spec.persistentvolumesource'));
    assert.deepEqual([source?.at, source?.fixed], ['path: /b', volume]);
  });

  it('say so of an object that is immutable as a whole, and show no value', () => {
    const keys =
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: keys\nimmutable: true\ndata:\n  a: YQ==\n  b: Yg==\n';
    const cause = { ...immutable('data'), message: 'Forbidden: field is immutable when `immutable` is set' };
    const [found, ...more] = mark(keys, keys.replace('YQ==', 'eA=='), cause);
    assert.equal(found?.at, 'a: eA==');
    assert.equal(found.fixed, keys);
    assert.match(found.message, /^data\.a cannot be changed: this object is immutable for good/);
    assert.doesNotMatch(found.message, /YQ|eA/);
    assert.deepEqual(more, []);
  });

  it('H1: of a Secret are put back as the text spells its values', () => {
    const head = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: keys\nimmutable: true\n';
    const keys = `${head}data:\n  a: YQ==\n  b: AP8KyA==\n`;
    const cause = { ...immutable('data'), message: 'Forbidden: field is immutable when `immutable` is set' };
    const revert = (text: string, isDecoded = true): readonly (readonly [string, string, string])[] =>
      mark(keys, isDecoded ? { decoded: text } : text, cause).map(({ at, title, fixed }) => [
        at,
        title,
        fixed,
      ]);
    const shown = `${head}data:\n  b: AP8KyA==\nstringData:\n  a: a # mine\n`;
    const changed = shown.replace('a: a', 'a: other');
    assert.deepEqual(revert(changed), [['a: other # mine', 'Revert data.a', shown]]);
    const removed = shown.replace('stringData:\n  a: a # mine\n', '');
    assert.deepEqual(revert(removed), [['data:', 'Revert data.a', `${removed}stringData:\n  a: a\n`]]);
    const added = `${shown}  c: new\n`;
    assert.deepEqual(revert(added), [['c: new', 'Revert data.c', shown]]);
    const binary = shown.replace('data:\n  b: AP8KyA==\n', '') + '  b: text\n';
    const [at, title, fixed] = revert(binary)[0] ?? [];
    assert.deepEqual([at, title], ['b: text', 'Revert data.b']);
    assert.match(fixed ?? '', /\ndata:\n {2}b: AP8KyA==\n/);
    assert.doesNotMatch(fixed ?? '', /b: text/);
    // Typed under stringData of a text whose values are base64.
    const typed = `${keys}stringData:\n  a: other\n`;
    assert.deepEqual(revert(typed, false), [['a: other', 'Revert data.a', keys]]);
  });
});

describe('fixes of what a server refused', () => {
  const text =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicaz: 3\n  paused: true\n';
  const schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });
  const problemsOf = (source: string, field: string): ReturnType<typeof causeProblems> =>
    causeProblems(source, [], `strict decoding error: unknown field "${field}"`, { live: {}, schema });

  it('G1: rename a key that is near one field of its type', () => {
    const [problem] = problemsOf(text, 'spec.replicaz');
    assert.match(problem?.message ?? '', /Did you mean replicas\?$/);
    assert.equal(problem?.fixes[0]?.title, 'Rename to replicas');
    assert.equal(applyEdits(text, problem.fixes[0].edits), text.replace('replicaz', 'replicas'));
    const cased = text.replace('replicaz', 'minreadyseconds');
    assert.equal(problemsOf(cased, 'spec.minreadyseconds')[0]?.fixes[0]?.title, 'Rename to minReadySeconds');
    const swapped = text.replace('replicaz', 'repilcas');
    assert.equal(problemsOf(swapped, 'spec.repilcas')[0]?.fixes[0]?.title, 'Rename to replicas');
  });

  it('G1: rename nothing that is near no field, or near one that is there already', () => {
    assert.deepEqual(problemsOf(text.replace('replicaz', 'colour'), 'spec.colour')[0]?.fixes, []);
    const twice = text.replace('paused: true', 'replicas: 1');
    assert.deepEqual(problemsOf(twice, 'spec.replicaz')[0]?.fixes, []);
  });

  it('go with what was marked where they are applied, or its field is edited anywhere', () => {
    const live =
      'kind: StatefulSet\napiVersion: apps/v1\nspec:\n  serviceName: db\n  selector:\n    matchLabels:\n      a: b\n';
    const mine = live.replace('  serviceName: db\n', '').replace('a: b', 'a: c');
    const read = readDocument(live);
    assert.ok(read.kind === 'ok');
    const known = {
      live: read.value,
      schema: builtinSchema({ group: 'apps', version: 'v1', kind: 'StatefulSet' }),
    };
    const problems = causeProblems(mine, [statefulSet], 'invalid', known);
    assert.equal(problems.length, 2);
    for (const problem of problems) {
      const [edit] = problem.fixes[0]?.edits ?? [];
      assert.ok(edit);
      assert.deepEqual(shiftProblems([problem], edit), []);
    }
    const inValue = { offset: mine.indexOf('a: c') + 3, length: 1, newText: 'd' };
    assert.equal(shiftProblems(problems, inValue).length, 1, 'the field that is not there stays marked');
  });

  it('move with the text, and go where it was edited', () => {
    const problems = problemsOf(text, 'spec.replicaz');
    const above = { offset: text.indexOf('name: web'), length: 0, newText: 'labels: {a: b}\n  ' };
    const moved = shiftProblems(problems, above);
    const after = applyEdits(text, [above]);
    assert.equal(applyEdits(after, moved[0]?.fixes[0]?.edits ?? []), after.replace('replicaz', 'replicas'));
    const { start = 0 } = moved[0]?.range ?? {};
    assert.equal(after.slice(start, start + 8), 'replicaz');
    assert.deepEqual(shiftProblems(problems, { offset: text.indexOf('icaz'), length: 1, newText: 'X' }), []);
  });
});
