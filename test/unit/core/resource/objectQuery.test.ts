import assert from 'node:assert/strict';
import {
  parseObjectQuery,
  preferredTypes,
  resolveResource,
} from '../../../../src/core/resource/objectQuery.ts';
import { printApiVersion } from '../../../../src/core/resource/gvk.ts';
import type { ResourceType } from '../../../../src/core/resource/resourceType.ts';

describe('parseObjectQuery', () => {
  const accepted: [string, Record<string, unknown>][] = [
    ['deploy/web', { resource: 'deploy', name: 'web' }],
    ['  deploy   web -n shop ', { resource: 'deploy', name: 'web', namespace: 'shop' }],
    [
      'deployments.apps web --namespace=shop',
      { resource: 'deployments.apps', name: 'web', namespace: 'shop' },
    ],
    ['-n shop deploy/web', { resource: 'deploy', name: 'web', namespace: 'shop' }],
    ['-nshop deploy/web', { resource: 'deploy', name: 'web', namespace: 'shop' }],
    ['deploy/web -n=shop', { resource: 'deploy', name: 'web', namespace: 'shop' }],
    ['svc', { resource: 'svc' }],
    ['pods -A', { resource: 'pods', isAllNamespaces: true }],
    ['pods --all-namespaces', { resource: 'pods', isAllNamespaces: true }],
    ['clusterrole system:node', { resource: 'clusterrole', name: 'system:node' }],
    ['deploy/web --context "my prod"', { resource: 'deploy', name: 'web', context: 'my prod' }],
    ["po x --context='arn:aws:eks:eu/a'", { resource: 'po', name: 'x', context: 'arn:aws:eks:eu/a' }],
    ['kubectl get deploy web -n shop', { resource: 'deploy', name: 'web', namespace: 'shop' }],
    ['kubectl -n shop edit deploy/web', { resource: 'deploy', name: 'web', namespace: 'shop' }],
  ];
  for (const [text, expected] of accepted) {
    it(`reads: ${text}`, () => {
      assert.deepEqual(parseObjectQuery(text), {
        kind: 'query',
        query: { isAllNamespaces: false, ...expected },
      });
    });
  }

  const refused: [string, RegExp][] = [
    ['', /Type a resource/],
    ['kubectl get', /Type a resource/],
    ['deploy/', /TYPE\/NAME/],
    ['/web', /TYPE\/NAME/],
    ['deploy/web/x', /TYPE\/NAME/],
    ['deploy shop/web', /either TYPE\/NAME or TYPE NAME/],
    ['deploy web api', /one object/],
    ['deploy/web svc/web', /one object/],
    ['deploy,svc', /one kind/],
    ['deploy web -n', /-n needs a value/],
    ['deploy web --namespace=', /--namespace= needs a value/],
    ['deploy -n a -n b', /given twice/],
    ['deploy -n a -A', /either -n or -A/],
    ['deploy web -A', /by -n instead/],
    ['deploy web -o yaml', /flag -o is not known/],
    ['deploy "web', /quote is not closed/],
  ];
  for (const [text, message] of refused) {
    it(`explains what is wrong with: ${text === '' ? 'nothing' : text}`, () => {
      const parsed = parseObjectQuery(text);
      assert.ok(parsed.kind === 'problem');
      assert.match(parsed.message, message);
    });
  }
});

function type(
  apiVersion: string,
  kind: string,
  resource: string,
  more: { shortNames?: string[]; isPreferredVersion?: boolean; singularName?: string } = {},
): ResourceType {
  const [first = '', second] = apiVersion.split('/');
  const group = second === undefined ? '' : first;
  const version = second ?? first;
  return {
    gvk: { group, version, kind },
    gvr: { group, version, resource },
    isNamespaced: true,
    singularName: more.singularName ?? kind.toLowerCase(),
    shortNames: more.shortNames ?? [],
    categories: [],
    verbs: ['get', 'list', 'watch'],
    subresources: [],
    isPreferredVersion: more.isPreferredVersion ?? true,
  };
}

describe('resolveResource', () => {
  const types = [
    type('networking.example.com/v1', 'Service', 'services', { shortNames: ['svc'] }),
    type('v1', 'Service', 'services', { shortNames: ['svc'] }),
    type('v1', 'Pod', 'pods', { shortNames: ['po'] }),
    type('apps/v1beta1', 'Deployment', 'deployments', { shortNames: ['deploy'], isPreferredVersion: false }),
    type('apps/v1', 'Deployment', 'deployments', { shortNames: ['deploy'] }),
    type('a.example.com/v1', 'Widget', 'widgets', { shortNames: ['w', 'po'] }),
    type('b.example.com/v1', 'Widget', 'widgets', { shortNames: ['w'] }),
    type('c.example.com/v1', 'Gadget', 'gadgetries', { singularName: 'gizmo', shortNames: ['widgets'] }),
    type('d.example.com/v1alpha1', 'Old', 'olds', { isPreferredVersion: false }),
  ];
  const found = (argument: string): string => {
    const resolved = resolveResource(argument, types);
    switch (resolved.kind) {
      case 'found':
        return `${printApiVersion(resolved.type.gvr)} ${resolved.type.gvr.resource}`;
      case 'ambiguous':
        return `ambiguous: ${resolved.types.map(({ gvr }) => gvr.group).join(', ')}`;
      case 'unknown':
        return resolved.message;
    }
  };

  const cases: [string, string, string][] = [
    ['the plural', 'deployments', 'apps/v1 deployments'],
    ['the singular', 'deployment', 'apps/v1 deployments'],
    ['a singular unlike its kind', 'gizmo', 'c.example.com/v1 gadgetries'],
    ['a short name', 'deploy', 'apps/v1 deployments'],
    ['the kind in any case', 'GADGET', 'c.example.com/v1 gadgetries'],
    ['the core group before others', 'services', 'v1 services'],
    ['the core group before others, by short name', 'po', 'v1 pods'],
    ['a group', 'services.networking.example.com', 'networking.example.com/v1 services'],
    ['a group by its beginning', 'svc.networking', 'networking.example.com/v1 services'],
    ['a short name in a group', 'deploy.apps', 'apps/v1 deployments'],
    ['a version that is not preferred', 'deployments.v1beta1.apps', 'apps/v1beta1 deployments'],
    ['a kind, version and group', 'Deployment.v1.apps', 'apps/v1 deployments'],
    ['the core group by its version', 'pods.v1.', 'v1 pods'],
    ['the only version served', 'olds', 'd.example.com/v1alpha1 olds'],
    [
      'a plural before a short name, and tells groups apart',
      'widgets',
      'ambiguous: a.example.com, b.example.com',
    ],
    ['nothing for an unknown word', 'nonsense', 'The server has no resource type “nonsense”.'],
    ['nothing for a wrong group', 'pods.apps', 'The server has no resource type “pods.apps”.'],
    ['nothing for an unknown version', 'pods.v2.', 'The server has no resource type “pods.v2.”.'],
  ];
  for (const [title, argument, expected] of cases) {
    it(`finds ${title}: ${argument}`, () => {
      assert.equal(found(argument), expected);
    });
  }
});

describe('preferredTypes', () => {
  it('E4: keeps one version of each resource, and equal names of different groups apart', () => {
    const chosen = preferredTypes([
      type('apps/v1beta1', 'Deployment', 'deployments', { isPreferredVersion: false }),
      type('apps/v1', 'Deployment', 'deployments'),
      type('v1', 'Service', 'services'),
      type('serving.example.com/v1', 'Service', 'services'),
    ]);
    assert.deepEqual(
      chosen.map(({ gvr }) => printApiVersion(gvr)),
      ['apps/v1', 'v1', 'serving.example.com/v1'],
    );
  });
});
