import assert from 'node:assert/strict';
import { findDenial } from '../../../src/cluster/denial.ts';
import type { FieldCause } from '../../../src/core/errors.ts';

const cases: readonly (readonly [string, number, string, readonly FieldCause[], unknown])[] = [
  [
    'a webhook',
    403,
    'admission webhook "budget.example.com" denied the request: too many',
    [],
    { kind: 'webhook', name: 'budget.example.com' },
  ],
  [
    'a webhook with side effects, on trial',
    400,
    'admission webhook "audit.example.com" does not support dry run',
    [],
    { kind: 'dryRunUnsupported', name: 'audit.example.com' },
  ],
  [
    'a webhook that fails',
    500,
    'Internal error occurred: failed calling webhook "audit.example.com": failed to call webhook: EOF',
    [],
    { kind: 'webhookFailed', name: 'audit.example.com' },
  ],
  ['another error of the server', 500, 'Internal error occurred: webhook is forbidden: no', [], undefined],
  [
    'a policy',
    422,
    "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: no",
    [],
    { kind: 'policy', name: 'limits' },
  ],
  [
    'a quota',
    403,
    'services "web" is forbidden: exceeded quota: small, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    [],
    { kind: 'quota', name: 'small' },
  ],
  [
    'Pod Security',
    403,
    'pods "web" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    [],
    { kind: 'admission' },
  ],
  [
    'a namespace that goes',
    403,
    'configmaps "x" is forbidden: unable to create new content in namespace x because it is being terminated',
    [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace x is being terminated',
        field: 'metadata.namespace',
      },
    ],
    { kind: 'namespaceTerminating' },
  ],
  ['its size', 413, 'Request entity too large: limit is 3145728', [], { kind: 'tooLarge' }],
  [
    'no one but authorization',
    403,
    'deployments.apps "web" is forbidden: User "viewer" cannot update resource "deployments" in API group "apps" in the namespace "shop"',
    [],
    undefined,
  ],
  [
    'no one but the type',
    422,
    'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1',
    [],
    undefined,
  ],
];

describe('who refused a write', () => {
  for (const [who, code, message, causes, denial] of cases) {
    it(`is ${who}`, () => {
      assert.deepEqual(findDenial({ message, causes }, code), denial);
    });
  }
});
