import assert from 'node:assert/strict';
import { closeAll, isPutOf, type LiveFixture, makeGate, openLiveFixture } from './liveFixture.ts';
import type { OpenObject } from './openObject.ts';
import { configMap } from './testObjects.ts';

/** Steps of one run; more find nothing that these do not, and take longer. */
const stepCount = 45;

describe('edits, saves, undo and changes by others in any order', () => {
  let fixture: LiveFixture;

  before(async () => {
    fixture = await openLiveFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());
  afterEach(closeAll);

  for (const seed of [1, 2, 3]) {
    it(`lose nothing that either side wrote, and never conflict on different fields (seed ${String(seed)})`, async () => {
      const choose = makeChooser(seed);
      const theirs: Record<string, string> = { t0: 'v', t1: 'v' };
      const settings = await fixture.createAndOpen(configMap({ m0: 'v', m1: 'v', ...theirs }));
      const trace: string[] = [];
      let count = 0;

      const change = async (): Promise<void> => {
        const key = choose(['t0', 't1']);
        theirs[key] = `v${String(++count)}`;
        await settings.patch({ data: { [key]: theirs[key] } });
      };
      const type = async (): Promise<void> => {
        const key = choose(['m0', 'm1']);
        await settings.replace(new RegExp(`  ${key}: .*`), `  ${key}: v${String(++count)}`);
      };
      const check = async (saved: Record<string, string>): Promise<void> => {
        assert.deepEqual((await settings.live()).data, { ...saved, ...theirs });
      };
      /** A clean text follows the server; what is saved is known once it has. */
      const settle = async (): Promise<void> => {
        const { data } = await settings.live();
        await settings.untilText('the clean text follows', (text) => {
          const shown = Object.entries(data).every(([key, value]) =>
            text.includes(`  ${key}: ${String(value)}\n`),
          );
          return shown || settings.state.isDirty;
        });
      };
      const save = async (): Promise<void> => {
        await settle();
        const saved = ownKeys(settings);
        const { kind, message } = await settings.save();
        assert.ok(kind === 'committed' || kind === 'unchanged', message);
        await check(saved);
      };
      const saveWhile = async (meanwhile: () => Promise<void>): Promise<void> => {
        await settle();
        const gate = makeGate();
        const fault = { kind: choose(['hold', 'holdAnswer'] as const), until: gate.opened } as const;
        using held = fixture.proxy.inject(isPutOf(settings), fault, 1);
        const saved = ownKeys(settings);
        const saving = settings.save();
        await Promise.race([held.first, saving]);
        await meanwhile();
        gate.open();
        const { kind, message } = await saving;
        assert.ok(kind === 'committed' || kind === 'unchanged', message);
        await check(saved);
      };
      const steps: Readonly<Record<string, () => Promise<void>>> = {
        type,
        change,
        save,
        undo: () => settings.run('undo'),
        redo: () => settings.run('redo'),
        see: () => settings.untilSeen(),
        settle,
        changeWhileSaving: () => saveWhile(change),
        typeWhileSaving: () => saveWhile(type),
        undoWhileSaving: () => saveWhile(() => settings.run('undo')),
      };
      try {
        for (let step = 0; step < stepCount; step++) {
          const name = choose(Object.keys(steps));
          trace.push(name);
          await steps[name]?.();
          assert.notEqual(settings.state.phase, 'conflicted');
        }
        trace.push('end');
        await save();
        await settings.untilSeen();
        await settings.untilText('the text shows all of it', () => {
          const { text } = settings;
          return Object.entries(theirs).every(([key, value]) => text.includes(`  ${key}: ${value}`));
        });
        await settings.until('nothing is left', ({ phase, isDirty }) => phase === 'fresh' && !isDirty);
      } catch (error) {
        throw new Error(`after ${trace.join(', ')}\n${settings.text}`, { cause: error });
      }
    });
  }
});

/** What the text holds of the fields that the user alone edits. */
function ownKeys({ text }: OpenObject): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^ {2}(m\d): (.*)\r?$/gm)].map(([, key, value]) => [key, value]),
  );
}

/** Chooses by a fixed sequence. Source: Park and Miller, the minimal standard generator. */
function makeChooser(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (state * 48_271) % 2_147_483_647;
    return from[state % from.length] as (typeof from)[number];
  };
}
