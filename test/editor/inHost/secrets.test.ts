import assert from 'node:assert/strict';
import { closeAll, type LiveFixture, openLiveFixture } from './liveFixture.ts';
import { secret } from './testObjects.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64');

describe('a Secret', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('H1: keeps the bytes of its other keys where one is edited', async () => {
    const data = {
      blob: Buffer.from([0, 255, 10, 200]).toString('base64'),
      one: encode('a'),
      two: encode('b'),
    };
    const keys = await fixture.createAndOpen(secret(data));
    await keys.replace(`one: ${encode('a')}`, `one: ${encode('new')}`);
    await keys.saveAndLand();
    const [put] = fixture.puts(keys);
    assert.deepEqual(JSON.parse(put?.body ?? '').data, { ...data, one: encode('new') });
    assert.deepEqual((await keys.live()).data, { ...data, one: encode('new') });
  });

  it('H1: takes plain text under stringData, encodes it once, and sends no stringData', async () => {
    const keys = await fixture.createAndOpen(secret({ one: encode('a'), two: encode('b') }));
    await keys.replace('kind: Secret', 'kind: Secret\nstringData:\n  one: plain\n  three: ü\n');
    await keys.saveAndLand();
    const expected = { one: encode('plain'), two: encode('b'), three: encode('ü') };
    const sent = JSON.parse(fixture.puts(keys)[0]?.body ?? '');
    assert.deepEqual(sent.data, expected);
    assert.equal(sent.stringData, undefined);
    assert.deepEqual((await keys.live()).data, expected);
    await keys.untilCurrent();
    await keys.replace(encode('b'), encode('c'));
    await keys.saveAndLand();
    assert.deepEqual((await keys.live()).data, { ...expected, two: encode('c') });
  });

  it('H1: refuses plain text under data at its line, and sends nothing', async () => {
    const keys = await fixture.createAndOpen(secret({ one: encode('a') }));
    await keys.replace(`one: ${encode('a')}`, 'one: plain text');
    const { kind, message } = await keys.save();
    assert.equal(kind, 'invalidText');
    assert.match(message, /must be base64.*stringData/);
    assert.deepEqual(
      keys.diagnostics.map(({ line }) => line),
      ['one: plain text'],
    );
    assert.equal(fixture.puts(keys).length, 0);
    assert.equal(keys.document.isDirty, true);
  });

  it('H1: merges by key, and tells a conflict without its values', async () => {
    const keys = await fixture.createAndOpen(secret({ one: encode('a'), two: encode('b') }));
    await keys.replace(`one: ${encode('a')}`, `one: ${encode('mine-secret')}`);
    await keys.patch({ data: { two: encode('theirs') } });
    await keys.until('stale', ({ phase }) => phase === 'stale');
    const { message } = await keys.saveAndLand();
    assert.match(message, /data\.two/);
    assert.doesNotMatch(message, new RegExp(encode('theirs')));
    assert.deepEqual((await keys.live()).data, { one: encode('mine-secret'), two: encode('theirs') });

    await keys.untilCurrent();
    await keys.replace(encode('mine-secret'), encode('mine-again'));
    await keys.patch({ data: { one: encode('theirs-too') } });
    await keys.until('conflicted', ({ phase }) => phase === 'conflicted');
    const refused = await keys.save();
    assert.equal(refused.kind, 'conflict');
    const shown = refused.message + keys.diagnostics.map((one) => one.message).join();
    for (const value of ['mine-again', 'theirs-too', 'mine-secret']) {
      assert.ok(!shown.includes(encode(value)) && !shown.includes(value), shown);
    }
  });
});
