import assert from 'node:assert/strict';
import type { TextJob } from '../../../src/core/session/textWork.ts';
import { toResourceVersion, toUid } from '../../../src/core/resource/snapshot.ts';
import { TextReader } from '../../../src/editor/textReader.ts';

const worker = new URL('../../../src/editor/textWorker.ts', import.meta.url);
const [named, uid] = [toResourceVersion('1'), toUid('u')];
assert.ok(named && uid);

const job = (text: string): TextJob => ({
  text,
  context: {
    gvk: { group: '', version: 'v1', kind: 'ConfigMap' },
    name: 'big',
    uid,
    named,
    traits: { hasStatusSubresource: false },
  },
  paths: [
    [
      { kind: 'member', key: 'data' },
      { kind: 'member', key: 'a' },
    ],
  ],
});
const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\ndata:\n  a: x\n';

describe('TextReader', () => {
  let reader: TextReader;

  beforeEach(() => {
    reader = new TextReader(worker);
  });
  afterEach(() => {
    reader.dispose();
  });

  it('reads on another thread, and finds the fields that are asked for', async () => {
    const { reading, places } = await reader.read(job(text));
    assert.equal(reading.kind, 'read');
    assert.deepEqual(reading.object['data'], { a: 'x' });
    assert.deepEqual(
      places.map((place) => place && text.slice(place.value.start, place.value.end)),
      ['x'],
    );
  });

  it('C8, C3: hands over problems, and integers beyond 2^53, as they are', async () => {
    const [bad, big] = await Promise.all([
      reader.read(job(text.replace('a: x', 'a: 5'))),
      reader.read(job(`${text}size: 9007199254740993\n`)),
    ]);
    assert.equal(bad.reading.kind, 'invalid');
    assert.deepEqual(
      bad.reading.problems.map(({ code }) => code),
      ['mustBeString'],
    );
    assert.equal(big.reading.kind, 'read');
    assert.equal(big.reading.object['size'], 9007199254740993n);
  });

  it('rejects what is under way when its thread fails, and starts another', async () => {
    const broken = new TextReader(new URL('data:text/javascript,throw new Error("no")'));
    await assert.rejects(broken.read(job(text)), /no/);
    await assert.rejects(broken.read(job(text)), /no/);
    broken.dispose();
  });
});
