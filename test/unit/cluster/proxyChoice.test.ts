import assert from 'node:assert/strict';
import { chooseProxy } from '../../../src/cluster/proxyChoice.ts';

const proxy = 'http://proxy:3128';

function choose(server: string, env: Record<string, string>, own?: string): string | undefined {
  return chooseProxy(new URL(server), own, env);
}

describe('the choice of a proxy', () => {
  it("D7: the kubeconfig's proxy-url goes before the environment", () => {
    assert.equal(choose('https://a', { HTTPS_PROXY: proxy }, 'socks5://own'), 'socks5://own');
    assert.equal(choose('https://a', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, 'http://own'), 'http://own');
  });

  it('D8: HTTPS_PROXY serves https servers, HTTP_PROXY http ones, in either case', () => {
    assert.equal(choose('https://a', { HTTPS_PROXY: proxy }), proxy);
    assert.equal(choose('https://a', { https_proxy: proxy }), proxy);
    assert.equal(choose('https://a', { HTTP_PROXY: proxy }), undefined);
    assert.equal(choose('http://a', { HTTP_PROXY: proxy }), proxy);
    assert.equal(choose('https://a', { HTTPS_PROXY: 'proxy:3128' }), proxy);
    assert.equal(choose('https://a', { HTTPS_PROXY: '' }), undefined);
    assert.equal(choose('https://a', { HTTPS_PROXY: '', https_proxy: proxy }), proxy);
  });

  it("this machine is never reached through the environment's proxy", () => {
    for (const host of ['localhost', '127.0.0.1', '127.3.2.1', '[::1]']) {
      assert.equal(choose(`https://${host}:6443`, { HTTPS_PROXY: proxy }), undefined);
    }
  });

  const exempt: readonly [server: string, noProxy: string][] = [
    ['https://api.example.com', '*'],
    ['https://api.example.com', 'example.com'],
    ['https://api.example.com', '.example.com'],
    ['https://api.example.com', '*.example.com'],
    ['https://api.example.com', 'other, api.example.com '],
    ['https://API.example.com', 'api.EXAMPLE.com'],
    ['https://api.example.com:6443', 'api.example.com:6443'],
    ['https://api.example.com', 'api.example.com:443'],
    ['https://10.1.2.3:6443', '10.1.2.3'],
    ['https://10.1.2.3:6443', '10.0.0.0/8'],
    ['https://[fd00::1]:6443', 'fd00::/8'],
    ['https://[fd00::1]:6443', '[fd00::1]:6443'],
  ];
  for (const [server, noProxy] of exempt) {
    it(`D8: ${server} is reached directly where NO_PROXY is ${noProxy}`, () => {
      assert.equal(choose(server, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }), undefined);
      assert.equal(choose(server, { HTTPS_PROXY: proxy, no_proxy: noProxy }), undefined);
    });
  }

  const served: readonly [server: string, noProxy: string][] = [
    ['https://api.example.com', ''],
    ['https://api.example.com', 'ample.com'],
    ['https://example.com', '.example.com'],
    ['https://api.example.com:6443', 'api.example.com:443'],
    ['https://11.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.0.0.0/99'],
    ['https://api.example.com', '10.0.0.0/8'],
  ];
  for (const [server, noProxy] of served) {
    it(`${server} is reached through the proxy where NO_PROXY is '${noProxy}'`, () => {
      assert.equal(choose(server, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }), proxy);
    });
  }
});
