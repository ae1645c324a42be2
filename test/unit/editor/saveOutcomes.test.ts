import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/repository.ts';
import { toWriteRefusal } from '../../../src/cluster/status.ts';
import type { WriteOutcome } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { type Snapshot, toResourceVersion, toUid } from '../../../src/core/resource/snapshot.ts';
import type { SaveResult } from '../../../src/core/session/saveResult.ts';
import { describeSaveResult } from '../../../src/editor/notices.ts';
import { checkDocTable } from '../../support/docTable.ts';
import { outcomesInEditor } from './outcomesInEditor.ts';
import { deployment, DrivenSession } from '../core/session/sessionHarness.ts';

const page = join(repositoryRoot, 'docs', 'save-outcomes.md');
const nowMs = Date.parse('2030-01-02T03:04:17Z');
const ref = {
  context: 'prod',
  namespace: 'shop',
  gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
  name: 'web',
};

const before = deployment('7');
const by = (version: string, spec: JsonObject, fields: JsonObject): Snapshot =>
  deployment(version, spec, {
    metadata: {
      managedFields: [
        {
          manager: 'kubectl-edit',
          operation: 'Update',
          time: '2030-01-02T03:04:05Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': fields },
        },
      ],
    },
  });

/** What one PUT meets: an answer of the server, none that it was sent, or none that came back. */
type Met =
  | { readonly status: number; readonly body: JsonObject | string; readonly headers?: Record<string, string> }
  | { readonly landed: Snapshot; readonly warnings?: readonly string[] }
  | { readonly lost: string }
  | { readonly unreachable: string };

interface Row {
  readonly what: string;
  /** In order; the last is met again and again. */
  readonly met: readonly Met[];
  /** What the server holds when it is read afterwards; undefined: nothing. */
  readonly holds?: Snapshot | 'nothing';
}

const saved = deployment('8', { replicas: 2 });

function refusal(status: number, reason: string, message: string, causes: readonly JsonObject[] = []): Met {
  return { status, body: { kind: 'Status', message, reason, code: status, details: { causes } } };
}

const conflict = refusal(
  409,
  'Conflict',
  'Operation cannot be fulfilled on deployments.apps "web": the object has been modified',
);
const invalid = (...causes: readonly (readonly [string, string, string])[]): Met =>
  refusal(
    422,
    'Invalid',
    'Deployment.apps "web" is invalid',
    causes.map(([field, reason, message]) => ({ field, reason, message })),
  );
const forbidden = (message: string, causes: readonly JsonObject[] = []): Met =>
  refusal(403, 'Forbidden', message, causes);

/** Source: kube-apiserver 1.36, measured; the proxy's and the webhooks' own are examples. */
const rows: readonly Row[] = [
  { what: 'takes it', met: [{ landed: saved }] },
  {
    what: 'takes it with warnings',
    met: [{ landed: saved, warnings: ['spec.template.spec.nodeSelector: deprecated since v1.14'] }],
  },
  {
    what: 'takes it, and with the last finalizer gone deletes the object',
    met: [
      {
        landed: deployment('8', { replicas: 2 }, { metadata: { deletionTimestamp: '2030-01-02T03:04:05Z' } }),
      },
    ],
  },
  { what: 'takes it and ignores the edit', met: [{ landed: deployment('7') }] },
  {
    what: 'takes it, and admission changes the edit',
    met: [{ landed: deployment('8', { replicas: 3 }) }],
  },
  {
    what: 'takes it, and admission sets something else',
    met: [{ landed: deployment('8', { replicas: 2, minReadySeconds: 5 }) }],
  },
  {
    what: '409: another field was changed meanwhile',
    met: [conflict, { landed: by('9', { replicas: 2, paused: true }, { 'f:paused': {} }) }],
    holds: by('8', { paused: true }, { 'f:paused': {} }),
  },
  {
    what: '409: the same field was changed meanwhile',
    met: [conflict],
    holds: by('8', { replicas: 5 }, { 'f:replicas': {} }),
  },
  {
    what: '409 each time: it changes faster than it is saved',
    met: [conflict],
    holds: by('8', { paused: true }, { 'f:paused': {} }),
  },
  {
    what: '409: the uid is another, it was recreated',
    met: [conflict],
    holds: deployment('9', {}, { uid: 'uid-b' }),
  },
  {
    what: '404: the object is gone',
    met: [refusal(404, 'NotFound', 'deployments.apps "web" not found')],
    holds: 'nothing',
  },
  {
    what: '400: a field that the type has not',
    met: [
      refusal(
        400,
        'BadRequest',
        'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replicaz"',
      ),
    ],
  },
  {
    what: '400: a value of the wrong type',
    met: [
      refusal(
        400,
        'BadRequest',
        'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
      ),
    ],
  },
  {
    what: '422: values that are not valid',
    met: [
      invalid(
        ['spec.replicas', 'FieldValueInvalid', 'Invalid value: -1: must be greater than or equal to 0'],
        ['spec.template.spec.containers[0].image', 'FieldValueRequired', 'Required value'],
      ),
    ],
  },
  {
    what: '422: a field that cannot be changed',
    met: [invalid(['spec.selector', 'FieldValueInvalid', 'Invalid value: {}: field is immutable'])],
  },
  {
    what: '422: more than what may be changed',
    met: [
      invalid([
        'spec',
        'FieldValueForbidden',
        "Forbidden: updates to statefulset spec for fields other than 'replicas', 'template' and 'minReadySeconds' are forbidden",
      ]),
    ],
  },
  {
    what: '422: an object that is immutable as a whole',
    met: [invalid(['data', 'FieldValueForbidden', 'Forbidden: field is immutable when `immutable` is set'])],
  },
  {
    what: '422: it is too long for the store',
    met: [
      refusal(
        422,
        'Invalid',
        'Deployment.apps "web" is invalid: []: Too long: may not be more than 1048576 bytes',
        [
          {
            reason: 'FieldValueTooLong',
            field: '[]',
            message: 'Too long: may not be more than 1048576 bytes',
          },
        ],
      ),
    ],
  },
  {
    what: '413: it is too large for a request',
    met: [refusal(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728')],
  },
  { what: '401: the sign-in is not accepted', met: [refusal(401, 'Unauthorized', 'Unauthorized')] },
  {
    what: '403: a right is missing',
    met: [
      forbidden(
        'deployments.apps "web" is forbidden: User "viewer" cannot update resource "deployments" in API group "apps" in the namespace "shop"',
      ),
    ],
  },
  {
    what: '403: an admission webhook denies it',
    met: [forbidden('admission webhook "guard.example.com" denied the request: replicas exceed the budget')],
  },
  {
    what: '422: an admission policy denies it',
    met: [
      refusal(
        422,
        'Invalid',
        "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'budget' with binding 'shop' denied request: at most 5 replicas",
        [
          {
            message:
              "ValidatingAdmissionPolicy 'budget' with binding 'shop' denied request: at most 5 replicas",
          },
        ],
      ),
    ],
  },
  {
    what: '403: Pod Security or another plugin denies it',
    met: [
      forbidden(
        'deployments.apps "web" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
      ),
    ],
  },
  {
    what: '403: a quota is used up',
    met: [
      forbidden(
        'deployments.apps "web" is forbidden: exceeded quota: small, requested: cpu=2, used: cpu=9, limited: cpu=10',
      ),
    ],
  },
  {
    what: '403: the namespace is being deleted',
    met: [
      forbidden(
        'deployments.apps "web" is forbidden: unable to create new content in namespace shop because it is being terminated',
        [
          {
            reason: 'NamespaceTerminating',
            field: 'metadata.namespace',
            message: 'namespace shop is being terminated',
          },
        ],
      ),
    ],
  },
  {
    what: '500: an admission webhook fails',
    met: [
      refusal(
        500,
        'InternalError',
        'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.shop.svc:443/?timeout=10s": context deadline exceeded',
      ),
    ],
  },
  {
    what: '429 each time: it is too busy',
    met: [
      refusal(
        429,
        'TooManyRequests',
        'the server has received too many requests and has asked us to try again later',
      ),
    ],
  },
  {
    what: '500 each time',
    met: [refusal(500, 'InternalError', 'Internal error occurred: etcdserver: no leader')],
    holds: before,
  },
  {
    what: '504: it timed out, and nothing was written; then takes it',
    met: [
      refusal(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout'),
      { landed: saved },
    ],
    holds: before,
  },
  {
    what: 'is behind a proxy that answers 502 each time',
    met: [
      {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<html><title>Bad Gateway</title><h1>Bad Gateway</h1></html>',
      },
    ],
    holds: before,
  },
  {
    what: 'is behind a proxy that forbids it',
    met: [
      {
        status: 403,
        headers: { 'content-type': 'text/html' },
        body: '<html><title>Blocked</title></html>',
      },
    ],
  },
  {
    what: 'redirects elsewhere',
    met: [{ status: 302, headers: { location: 'https://login.example.com' }, body: '' }],
  },
  { what: 'takes it, and its answer is lost', met: [{ lost: 'the connection was lost' }], holds: saved },
  {
    what: 'loses the connection, and someone else has written since',
    met: [{ lost: 'the connection was lost' }],
    holds: by('9', { replicas: 5 }, { 'f:replicas': {} }),
  },
  { what: 'cannot be reached', met: [{ unreachable: 'connect ECONNREFUSED 192.0.2.1:6443' }] },
];

function outcomeOf(met: Met): WriteOutcome {
  if ('landed' in met) {
    const { landed, warnings = [] } = met;
    return { kind: 'committed', object: landed.object, snapshot: landed, warnings };
  }
  if ('lost' in met) return { kind: 'unknown', message: met.lost };
  if ('unreachable' in met) return { kind: 'notSent', message: met.unreachable };
  const { status, body, headers = { 'content-type': 'application/json' } } = met;
  return toWriteRefusal({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

/** Drives a save of replicas 1 → 2 to its end. */
function drive({ met, holds }: Row): {
  readonly puts: number;
  readonly result: SaveResult;
  readonly session: DrivenSession;
} {
  const session = new DrivenSession(before);
  session.type(before, { replicas: 2 });
  session.save();
  let [puts, reads, waits, moved] = [0, 0, 0, 20];
  while (session.lastResult === undefined) {
    if (session.writes.length > puts) {
      puts++;
      const next = met[Math.min(puts, met.length) - 1];
      assert.ok(next);
      session.answer(outcomeOf(next));
    } else if (session.reads > reads) {
      reads++;
      assert.ok(holds !== undefined, 'the row says what the server holds');
      if (holds === 'nothing') {
        session.send({ kind: 'readAnswered', outcome: { kind: 'notFound', message: 'not found' } });
      } else if (reads === 1) session.read(holds);
      // Read again, it has moved on, unless it never did.
      else
        session.read(
          holds === before ? before : by(String(++moved), { paused: moved % 2 === 0 }, { 'f:paused': {} }),
        );
    } else {
      assert.ok(session.pauses.length > waits, 'the save goes on');
      waits++;
      session.send({ kind: 'waited' });
    }
  }
  return { puts, result: session.lastResult, session };
}

const uri = 'k8s:/prod/c/shop/apps/v1/deployments/web.k8s.yaml';

function words(result: SaveResult, session?: DrivenSession): string {
  const { foreign } = session?.view ?? { foreign: [] };
  return describeSaveResult(result, { ref, uri, nowMs, liveObject: before.object, foreign }).message;
}

/** Results that no answer of a server leads to. */
function unsent(): readonly (readonly [string, SaveResult])[] {
  const version = toResourceVersion('7');
  const uid = toUid('uid-a');
  assert.ok(version && uid);
  const problem = {
    severity: 'error',
    range: { start: 0, end: 1 },
    code: 'nameChanged',
    message: 'The name may not be changed: this document is about web.',
    fixes: [],
  } as const;
  return [
    ['nothing was changed', { kind: 'unchanged', tookLive: false }],
    ['nothing was changed, and others changed something', { kind: 'unchanged', tookLive: true }],
    ['live holds already what was changed', { kind: 'unchanged', tookLive: true, isHeld: true }],
    [
      'others changed the same field',
      { kind: 'conflict', conflicts: [{ path: [{ kind: 'member', key: 'spec' }] }] },
    ],
    ['the text cannot be read, or names another object', { kind: 'invalidText', problems: [problem] }],
    ['the object is deleted', { kind: 'deleted' }],
    ['what the text grew from is not known any more', { kind: 'baseUnknown', resourceVersion: version }],
    [
      'the context is read-only',
      {
        kind: 'readOnly',
        message: 'Context prod is read-only: the setting kubemerge.readOnlyContexts has "prod".',
      },
    ],
    ['it is an auto-save', { kind: 'autoSave' }],
    ['a question before it was answered with no', { kind: 'cancelled' }],
  ];
}

describe('the page of how a save ends', () => {
  it('tells what each answer of the server leads to', () => {
    const printed = rows.map((row) => {
      const { puts, result, session } = drive(row);
      return [row.what, String(puts), `\`${result.kind}\``, inCell(words(result, session))];
    });
    const head = ['The server …', 'PUTs', 'The save ends as', 'A person reads'];
    checkDocTable(page, '## What the server answers', { head, rows: printed });
  });

  it('tells what ends a save before anything is sent', () => {
    const printed = unsent().map(([what, result]) => [what, `\`${result.kind}\``, inCell(words(result))]);
    const head = ['…', 'The save ends as', 'A person reads'];
    checkDocTable(page, '## What ends a save before anything is sent', { head, rows: printed });
  });

  it('is met row by row in a real editor', () => {
    const told = [...rows.map(({ what }) => what), ...unsent().map(([what]) => what)];
    assert.deepEqual(Object.keys(outcomesInEditor), told);
    for (const [what, [file, title]] of Object.entries(outcomesInEditor)) {
      const tests = readFileSync(join(repositoryRoot, 'test', 'editor', `${file}.test.ts`), 'utf8');
      assert.match(tests, new RegExp(`\\bit\\(\\s*['"\`]${escape(title)}`), what);
    }
  });

  it('A6: keeps the text on every end but a success, and says so where the server had a say', () => {
    for (const row of rows) {
      const { result, session } = drive(row);
      if (result.kind === 'committed' || result.kind === 'gone') continue;
      assert.match(words(result, session), /Your text is kept\.$/, row.what);
      assert.ok(session.view.isDirty, row.what);
    }
  });
});

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Words that Markdown would take for marks. */
function inCell(text: string): string {
  return text.replaceAll(/[[\]*|<>`]/g, (mark) => `\\${mark}`);
}
