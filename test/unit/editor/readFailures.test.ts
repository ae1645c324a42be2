import assert from 'node:assert/strict';
import { toRequestFailure } from '../../../src/cluster/status.ts';
import { describeReadFailure } from '../../../src/editor/readFailures.ts';

/** What a person reads behind "Cannot open web: ". */
function words(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  return describeReadFailure(toRequestFailure({ status, headers, body }));
}

describe('what is told of an answer that is no success', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const cases: readonly (readonly [what: string, told: string, words: string])[] = [
    [
      'a Status by its own message',
      words(403, '{"kind":"Status","message":"pods is forbidden: User \\"me\\" cannot list resource"}'),
      'you are not allowed to. Pods is forbidden: User "me" cannot list resource.',
    ],
    [
      'a web page of a gateway by its title',
      words(502, `<html><title>502 Bad Gateway</title>${'x'.repeat(5_000)}</html>`, html),
      "the answer (502) is not the API server's but a web page: 502 Bad Gateway.",
    ],
    [
      'a log-in page that comes with 200',
      words(200, '<!doctype html><title>Sign in to your account</title>', html),
      "the answer (200) is not the API server's but a web page: Sign in to your account.",
    ],
    [
      'a redirect by its host, without what its query holds',
      words(302, '', { location: 'https://login.example.com/start?token=abcdef' }),
      'the server answered with a redirect (302) to login.example.com, which is not followed: something in front ' +
        'of it may want a sign-in, or the kubeconfig’s server may lack its path.',
    ],
    [
      'a redirect to a path',
      words(307, '', { location: '/login?token=abcdef' }),
      'the server answered with a redirect (307), which is not followed: something in front of it may want a ' +
        'sign-in, or the kubeconfig’s server may lack its path.',
    ],
    ['an empty answer', words(503, ' \n'), 'the server answered 503 without saying why.'],
    [
      'a busy server with its pause',
      words(429, 'Too many requests, please try again later.', { 'retry-after': '40' }),
      'the server is too busy. The server answered 429: Too many requests, please try again later. Try again in 40 s.',
    ],
  ];
  for (const [what, told, expected] of cases) {
    it(`G2: ${what}`, () => {
      assert.equal(told, expected);
    });
  }
});
