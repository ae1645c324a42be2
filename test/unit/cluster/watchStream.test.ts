import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { readWatchStream, toWatchEvent } from '../../../src/cluster/watchStream.ts';
import type { WatchEvent } from '../../../src/sync/clusterPort.ts';

const object = { kind: 'Pod', metadata: { name: 'a', resourceVersion: '5' } };

describe('watch events', () => {
  it('are named as the server names them', () => {
    for (const [type, kind] of [
      ['ADDED', 'added'],
      ['MODIFIED', 'modified'],
      ['DELETED', 'deleted'],
    ]) {
      assert.deepEqual(toWatchEvent(JSON.stringify({ type, object })), { kind, object });
    }
  });

  it('a bookmark is only a version, and tells the end of the initial events', () => {
    const end = { metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } } };
    assert.deepEqual(toWatchEvent(JSON.stringify({ type: 'BOOKMARK', object })), {
      kind: 'bookmark',
      resourceVersion: '5',
      isInitialEventsEnd: false,
    });
    assert.deepEqual(toWatchEvent(JSON.stringify({ type: 'BOOKMARK', object: end })), {
      kind: 'bookmark',
      resourceVersion: '7',
      isInitialEventsEnd: true,
    });
    assert.equal(
      toWatchEvent('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"0"}}}'),
      'ignored',
    );
  });

  it('B2: an ERROR event is the failure that its Status tells', () => {
    const status = { kind: 'Status', code: 410, message: 'too old' };
    assert.deepEqual(toWatchEvent(JSON.stringify({ type: 'ERROR', object: status })), {
      kind: 'error',
      failure: { kind: 'expired', message: 'too old' },
    });
  });

  it('C3: integers beyond 2^53 stay exact', () => {
    const event = toWatchEvent('{"type":"ADDED","object":{"spec":{"n":9007199254740993}}}');
    assert.ok(typeof event === 'object' && event.kind === 'added');
    assert.deepEqual(event.object, { spec: { n: 9007199254740993n } });
  });

  for (const line of [
    '<html>',
    '{"type":"ADDED"}',
    '{"type":"OTHER","object":{}}',
    '[]',
    '{"type":"ERROR","object":{}}',
  ]) {
    it(`${line} is no event`, () => {
      assert.equal(toWatchEvent(line), undefined);
    });
  }
});

describe('a watch stream', () => {
  async function readParts(...parts: readonly string[]) {
    const events: WatchEvent[] = [];
    const body = new PassThrough();
    const end = readWatchStream(body, (event) => events.push(event));
    for (const part of parts) body.write(part);
    body.end();
    return { end: await end, events };
  }
  const line = JSON.stringify({ type: 'ADDED', object });

  it('skips empty lines, and takes a last line without a line feed', async () => {
    const { end, events } = await readParts(`\n${line}\r\n\n`, line);
    assert.deepEqual(end, { kind: 'ended' });
    assert.equal(events.length, 2);
  });

  it('a last line that breaks off is cut', async () => {
    const { end, events } = await readParts(`${line}\n${line.slice(0, 20)}`);
    assert.deepEqual(end, { kind: 'cut' });
    assert.equal(events.length, 1);
  });

  it('stops at a line that is no event', async () => {
    const { end, events } = await readParts(`${line}\n<html>\n${line}\n`);
    assert.deepEqual(end, { kind: 'unreadable' });
    assert.equal(events.length, 1);
  });
});
