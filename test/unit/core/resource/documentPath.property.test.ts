import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDocumentPath, printDocumentPath } from '../../../../src/core/resource/documentPath.ts';
import type { ClusterId } from '../../../../src/core/resource/resourceRef.ts';
import { anyName } from '../../../support/anyName.ts';

const address = fc.record(
  {
    clusterId: fc.stringMatching(/^[0-9a-f]{8}$/).map((id) => id as ClusterId),
    ref: fc
      .record(
        {
          context: anyName,
          namespace: fc.option(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/), { nil: undefined }),
          gvr: fc.record(
            {
              group: fc.constantFrom('', 'apps', 'example.com', 'rbac.authorization.k8s.io'),
              version: fc.constantFrom('v1', 'v1beta1'),
              resource: fc.constantFrom('deployments', 'services'),
            },
            { noNullPrototype: true },
          ),
          name: anyName,
          subresource: fc.constantFrom('status' as const, undefined),
        },
        { noNullPrototype: true },
      )
      .map(({ namespace, subresource, ...ref }) => ({
        ...ref,
        ...(namespace === undefined ? {} : { namespace }),
        ...(subresource === undefined ? {} : { subresource }),
      })),
  },
  { noNullPrototype: true },
);

describe('document paths', () => {
  it('read back as what was printed, for every context and object name', () => {
    fc.assert(
      fc.property(address, (written) => {
        assert.deepEqual(parseDocumentPath(printDocumentPath(written)), written);
      }),
    );
  });

  it('hold as many segments as parts, whatever the names hold', () => {
    fc.assert(
      fc.property(address, (written) => {
        const path = printDocumentPath(written);
        assert.equal(path.split('/').length, written.ref.subresource === undefined ? 8 : 9);
        assert.ok(!path.split('/').some((segment) => segment === '.' || segment === '..'));
      }),
    );
  });

  it('survive what VS Code makes of a path in a URI, and storage', () => {
    fc.assert(
      fc.property(address, (written) => {
        const path = printDocumentPath(written);
        assert.equal(decodeURIComponent(encodeURIComponent(path)), path);
        assert.equal(new TextDecoder().decode(new TextEncoder().encode(path)), path);
        assert.doesNotMatch(path, /^\/[A-Z]:/, 'VS Code would print a drive letter small');
        assert.doesNotMatch(path, /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it('E4: differ for one name in two groups', () => {
    const ref = { context: 'prod', namespace: 'shop', name: 'x' };
    const clusterId = '00000000' as ClusterId;
    const path = (group: string): string =>
      printDocumentPath({ clusterId, ref: { ...ref, gvr: { group, version: 'v1', resource: 'services' } } });
    assert.notEqual(path(''), path('serving.example.com'));
  });

  it('are refused where they are not ours', () => {
    for (const path of [
      '',
      '/',
      '/a/b',
      '/a/b/c/d/e/f/g',
      '/a/b/c/d/e/f/.k8s.yaml',
      'a/b/c/d/e/f/g/h.k8s.yaml',
    ]) {
      assert.equal(parseDocumentPath(path), undefined, path);
    }
  });
});
