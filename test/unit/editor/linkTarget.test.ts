import assert from 'node:assert/strict';
import type { LinkedObject } from '../../../src/core/resource/objectLink.ts';
import { findLinkTarget } from '../../../src/editor/linkTarget.ts';
import { fakeContext } from '../../support/fakeClusters.ts';

const prod = fakeContext('prod');
const test = fakeContext('test');

function link(context: string, cluster?: string): LinkedObject {
  return {
    ref: {
      context,
      namespace: 'shop',
      gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
      name: 'web',
    },
    ...(cluster === undefined ? {} : { clusterId: cluster as LinkedObject['clusterId'] & string }),
  };
}

describe('what a link means here', () => {
  it('is the context of its name; the question shows object, context and server', () => {
    const target = findLinkTarget(link('prod', prod.clusterId), [test, prod]);
    assert.ok(target.kind === 'found');
    assert.equal(target.ref.context, 'prod');
    assert.equal(target.question.message, 'Open web?');
    assert.match(
      target.question.detail,
      /deployments\.apps, v1\n.*shop\nContext: prod\nServer: https:\/\/prod/s,
    );
    assert.doesNotMatch(target.question.detail, /another cluster/);
  });

  it('is the same cluster under another name, which is said', () => {
    const target = findLinkTarget(link('theirs', test.clusterId), [prod, test]);
    assert.ok(target.kind === 'found');
    assert.equal(target.ref.context, 'test');
    assert.match(target.question.detail, /The link calls this context “theirs”/);
  });

  it("is the link's own cluster rather than another one of the same name", () => {
    const target = findLinkTarget(link('prod', test.clusterId), [prod, test]);
    assert.equal(target.kind === 'found' && target.ref.context, 'test');
  });

  it('warns where a context of the name stands for a cluster that the link does not mean', () => {
    const target = findLinkTarget(link('prod', 'elsewhere'), [prod]);
    assert.ok(target.kind === 'found');
    assert.match(target.question.detail, /another cluster than the one that the link was made for/);
  });

  it('is nothing where there is no such context', () => {
    const target = findLinkTarget(link('gone', 'elsewhere'), [prod]);
    assert.ok(target.kind === 'unknown');
    assert.match(target.message, /“gone”, which is not in your kubeconfig/);
  });
});
