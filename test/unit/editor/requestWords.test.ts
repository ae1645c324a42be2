import assert from 'node:assert/strict';
import { describeRequest, type LoggedRequest } from '../../../src/editor/requestWords.ts';

describe('a line of the request log', () => {
  const entry: LoggedRequest = {
    context: 'prod',
    method: 'GET',
    path: '/api/v1/pods?limit=500',
    status: 200,
    result: 'answered',
    ms: 12.4,
    bytes: 345,
  };
  const { status: _, ...unanswered } = entry;
  for (const [what, given, words] of [
    ['an answer', entry, 'prod: GET /api/v1/pods?limit=500 → 200 in 12 ms, 345 bytes'],
    [
      'no answer',
      { ...unanswered, result: 'notSent', bytes: 0 },
      'prod: GET /api/v1/pods?limit=500 → not sent, after 12 ms',
    ],
    [
      'an opened watch',
      { ...entry, result: 'opened', bytes: 0 },
      'prod: GET /api/v1/pods?limit=500 → 200 in 12 ms, open',
    ],
    [
      'a watch that broke',
      { ...entry, result: 'interrupted' },
      'prod: GET /api/v1/pods?limit=500 → 200, connection lost after 12 ms, 345 bytes',
    ],
    [
      'a page',
      { ...entry, path: '/api/v1/pods?limit=500&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEi' },
      'prod: GET /api/v1/pods?limit=500&continue=… → 200 in 12 ms, 345 bytes',
    ],
  ] as const) {
    it(`tells ${what} in words`, () => {
      assert.equal(describeRequest(given), words);
    });
  }
});
