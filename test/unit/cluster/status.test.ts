import assert from 'node:assert/strict';
import type { Answer } from '../../../src/cluster/exchange.ts';
import { toRequestFailure, toWriteRefusal } from '../../../src/cluster/status.ts';

function answer(status: number, body: object | string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify({ kind: 'Status', ...body }),
  };
}

describe('answers of the API server', () => {
  it('F12: a field of another manager is told apart from a version that moved on', () => {
    const message = 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas';
    const owned = toWriteRefusal(
      answer(409, {
        reason: 'Conflict',
        message,
        details: {
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "hpa" using apps/v1 at 2026-01-01T00:00:00Z',
              field: '.spec.replicas',
            },
          ],
        },
      }),
    );
    assert.deepEqual(owned, {
      kind: 'ownedByOther',
      message,
      fields: [{ field: 'spec.replicas', manager: 'hpa' }],
    });
    assert.equal(
      toWriteRefusal(answer(409, { reason: 'Conflict', message: 'm' })).kind,
      'preconditionFailed',
    );
    assert.equal(
      toWriteRefusal(answer(409, { reason: 'AlreadyExists', message: 'm' })).kind,
      'alreadyExists',
    );
  });

  it('G1: strict decoding names its fields in the message only', () => {
    const message =
      'Deployment in version "v1" cannot be handled: strict decoding error: unknown field "spec.replicaz"';
    const outcome = toWriteRefusal(answer(400, { reason: 'BadRequest', message }));
    assert.equal(outcome.kind, 'rejected');
    assert.deepEqual(
      outcome.causes.map(({ field }) => field),
      ['spec.replicaz'],
    );
  });

  it('a pause is read from the header first, then from the Status', () => {
    const body = { message: 'm', details: { retryAfterSeconds: 3 } };
    const date = { date: 'Mon, 01 Jan 2029 10:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2029 10:00:05 GMT' };
    const dated = toRequestFailure(answer(429, body, date));
    assert.ok(dated.kind === 'throttled' && dated.retryAfterMs === 5000);
    const both = toRequestFailure(answer(429, body, { 'retry-after': '7' }));
    assert.deepEqual(both, { kind: 'throttled', message: 'm', retryAfterMs: 7000 });
    assert.deepEqual(toRequestFailure(answer(429, body)), {
      kind: 'throttled',
      message: 'm',
      retryAfterMs: 3000,
    });
    assert.deepEqual(toRequestFailure(answer(429, { message: 'm' })), {
      kind: 'throttled',
      message: 'm',
      retryAfterMs: 1000,
    });
  });

  it('a server that is down may ask for a pause too, in an answer of its own or of something in front of it', () => {
    const inSeconds = toRequestFailure(answer(503, { message: 'm' }, { 'retry-after': '9' }));
    assert.deepEqual(inSeconds, { kind: 'serverError', message: 'm', code: 503, retryAfterMs: 9000 });
    const date = { date: 'Mon, 01 Jan 2029 10:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2029 10:00:05 GMT' };
    const foreign = toRequestFailure(answer(502, '<html>', date));
    assert.ok(foreign.kind === 'serverError' && foreign.retryAfterMs === 5000);
    const past = { ...date, 'retry-after': 'Mon, 01 Jan 2029 09:00:00 GMT' };
    const gone = toRequestFailure(answer(503, { message: 'm' }, past));
    assert.deepEqual(gone, { kind: 'serverError', message: 'm', code: 503 });
  });

  const writes: readonly [status: number, kind: string][] = [
    [400, 'rejected'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [405, 'rejected'],
    [408, 'unknown'],
    [413, 'rejected'],
    [415, 'rejected'],
    [422, 'rejected'],
    [429, 'throttled'],
    [500, 'unknown'],
    [503, 'unknown'],
    [504, 'unknown'],
  ];
  for (const [status, kind] of writes) {
    it(`a write answered ${String(status)} is ${kind}`, () => {
      assert.equal(toWriteRefusal(answer(status, { message: 'm' })).kind, kind);
    });
  }

  it('says something where the Status says nothing', () => {
    const failure = toRequestFailure(answer(500, { reason: 'InternalError' }));
    assert.deepEqual(failure, {
      kind: 'serverError',
      message: 'the server answered 500 InternalError',
      code: 500,
    });
  });

  it("G2: text that is not the API server's is short and without what looks like a secret", () => {
    const body = `upstream failed: Authorization: Bearer abc.def ${'x'.repeat(500)}`;
    const failure = toRequestFailure(answer(502, body));
    assert.equal(failure.kind, 'serverError');
    assert.ok(failure.message.length < 260, failure.message);
    assert.doesNotMatch(failure.message, /abc\.def/);
  });
});
