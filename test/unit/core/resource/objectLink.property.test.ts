import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linkPath, printLinkQuery, readLink } from '../../../../src/core/resource/objectLink.ts';
import type { ClusterId } from '../../../../src/core/resource/resourceRef.ts';

const context = fc.oneof(
  fc.constantFrom(
    'a&b=c',
    '100%',
    '%2F',
    'a+b c',
    'ns/api:6443/user@x',
    'arn:aws:eks:eu-west-1:1:cluster/a',
    '#?',
    '👩‍💻',
  ),
  fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
);
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const name = fc.oneof(
  label,
  fc.constantFrom('system:node', 'a&b', 'MyRole:Admin', 'x=y', 'a b', '+', 'kube:#1'),
);
const address = fc.record(
  {
    clusterId: fc.stringMatching(/^[0-9a-f]{8}$/).map((id) => id as ClusterId),
    ref: fc
      .record(
        {
          context,
          namespace: fc.option(label, { nil: undefined }),
          gvr: fc.record(
            {
              group: fc.constantFrom('', 'apps', 'rbac.authorization.k8s.io'),
              version: fc.constantFrom('v1', 'v1beta1'),
              resource: fc.constantFrom('deployments', 'services'),
            },
            { noNullPrototype: true },
          ),
          name,
        },
        { noNullPrototype: true },
      )
      .map(({ namespace, ...ref }) => ({ ...ref, ...(namespace === undefined ? {} : { namespace }) })),
  },
  { noNullPrototype: true },
);

/** What VS Code does with the query of a URI that it prints, hands to the system and parses again. */
function viaUri(query: string): string {
  return decodeURIComponent(encodeURIComponent(query));
}

describe('links to objects', () => {
  it('read back as what was printed, for every context and object name', () => {
    fc.assert(
      fc.property(address, (written) => {
        assert.deepEqual(readLink(linkPath, viaUri(printLinkQuery(written))), { kind: 'ok', value: written });
      }),
    );
  });

  it('may be written by hand, without a cluster', () => {
    assert.deepEqual(
      readLink(linkPath, 'context=prod&namespace=shop&group=apps&version=v1&resource=deployments&name=web'),
      {
        kind: 'ok',
        value: {
          ref: {
            context: 'prod',
            namespace: 'shop',
            gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
            name: 'web',
          },
        },
      },
    );
  });

  const good = { context: 'prod', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' };
  for (const [what, changes, message] of [
    ['no name', { name: '' }, /does not name the name/],
    ['no context', { context: '' }, /does not name the context/],
    ['a path for a name', { name: '../secrets' }, /its name is one that no object has/],
    ['a path that is a step up', { name: '..' }, /its name is one that no object has/],
    ['an encoded path for a name', { name: '%2e%2e' }, /its name is one that no object has/],
    ['a path for a resource', { resource: 'pods/x' }, /its resource is none/],
    ['a path for a version', { version: '../v1' }, /its version is none/],
    ['a path for a group', { group: 'a/b' }, /its group is none/],
    ['a path for a namespace', { namespace: 'a/b' }, /its namespace is none/],
    [
      'a line feed in a context',
      { context: 'prod\nServer: other' },
      /its context holds characters that cannot be shown/,
    ],
    [
      'text that runs backwards',
      { context: 'prod\u202etset' },
      /its context holds characters that cannot be shown/,
    ],
    ['an endless name', { name: 'x'.repeat(600) }, /its name is too long/],
  ] as const) {
    it(`are refused with ${what}`, () => {
      const reading = readLink(linkPath, new URLSearchParams({ ...good, ...changes }).toString());
      assert.equal(reading.kind, 'problem');
      assert.match(reading.message, message);
    });
  }

  it('are refused with another path, or a part that comes twice', () => {
    assert.equal(readLink('/delete', new URLSearchParams(good).toString()).kind, 'problem');
    assert.equal(readLink(linkPath, `${new URLSearchParams(good).toString()}&name=other`).kind, 'problem');
    for (const query of ['', '&&&', '=', '%', '%zz&name=%'])
      assert.equal(readLink(linkPath, query).kind, 'problem');
  });
});
