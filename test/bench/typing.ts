import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../../src/core/json.ts';
import { builtinSchema } from '../../src/core/merge/builtinSchema.ts';
import { toSnapshot } from '../../src/core/resource/snapshot.ts';
import { reduceSession, startSession } from '../../src/core/session/sessionReducer.ts';
import { doTextJob, type TextJob } from '../../src/core/session/textWork.ts';
import { renderObject } from '../../src/core/text/renderObject.ts';
import { TextReader } from '../../src/editor/textReader.ts';
import { bigDefinition } from './bigObjects.ts';
import { type Figure, median } from './figure.ts';

const gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
const traits = { hasStatusSubresource: true };
/** One frame of a 60 Hz screen, in ms. */
const frameMs = 1000 / 60;
const rounds = 7;

/** What one keystroke in a document of 500 KB costs the thread of the extension host, all it leads to included. */
export async function run(): Promise<readonly Figure[]> {
  const object = bigDefinition(500);
  const opened = toSnapshot(object);
  const live = toSnapshot({
    ...object,
    metadata: { ...(object['metadata'] as JsonObject), resourceVersion: '2' },
  });
  if (opened === undefined || live === undefined) throw new Error('no version');
  const ref = { context: 'c', gvr: { ...gvk, resource: 'customresourcedefinitions' }, name: 'big' };
  const start = { ref, traits, schema: builtinSchema(gvk), opened, reviewsForeignChanges: false };
  const text = renderObject(object);
  const reader = new TextReader(new URL('../../src/editor/textWorker.ts', import.meta.url));
  const named = opened.resourceVersion;
  const job = (typed: string): TextJob => ({
    text: `${text}# ${typed}\n`,
    context: { gvk, name: 'big', uid: opened.uid, named, traits },
    paths: [],
  });
  try {
    let state = reduceSession(startSession(start), {
      kind: 'watched',
      news: { kind: 'seen', snapshot: live },
    }).state;
    await reader.read(job('warm'));
    const [blocks, whole]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const typed = job(String(round));
      const watch = watchTurns();
      const { reading } = await reader.read(typed);
      const mine =
        reading.kind === 'read'
          ? { kind: 'read' as const, object: reading.object }
          : { kind: 'unreadable' as const };
      state = reduceSession(state, { kind: 'textChanged', mine, named, isDirty: true }).state;
      blocks.push(await watch.end());
      const startedAt = performance.now();
      doTextJob(typed);
      whole.push(performance.now() - startedAt);
    }
    const block = median(blocks);
    return [
      { name: 'longest turn of a keystroke’s analysis, 500 KB', value: block, unit: 'ms', goal: 50 },
      {
        name: 'the same',
        value: block / frameMs,
        unit: 'ratio',
        against: 'a frame of 16.7 ms',
        goal: 3,
      },
      {
        name: 'the same',
        value: block / median(whole),
        unit: 'ratio',
        against: 'reading the text on that thread',
      },
    ];
  } finally {
    reader.dispose();
  }
}

/** Measures how long the event loop is held up at most, in ms. */
function watchTurns(): { end(): Promise<number> } {
  let longest = 0;
  const ending = new AbortController();
  const watching = (async () => {
    let last = performance.now();
    while (!ending.signal.aborted) {
      await nextTurn();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  return {
    end: async () => {
      await nextTurn();
      ending.abort();
      await watching;
      return longest;
    },
  };
}
