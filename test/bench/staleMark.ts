import { Agent, request } from 'node:https';
import { systemClock } from '../../src/cluster/systemClock.ts';
import { gvkOf } from '../../src/core/resource/kubeObject.ts';
import { builtinSchema } from '../../src/core/merge/builtinSchema.ts';
import { SessionRunner } from '../../src/sync/sessionRunner.ts';
import { configMap, create, openFixture } from '../cluster/clusterFixture.ts';
import { until } from '../support/until.ts';
import { type Figure, median } from './figure.ts';

const rounds = 100;

/**
 * How long after a bare watch's line the session says that the object is stale. Both watch the same object on the
 * same server, in one process; the mark is timed where the session tells its views, before anything is drawn.
 */
export async function run(): Promise<readonly Figure[]> {
  await using fixture = await openFixture();
  const { server, namespace, other } = fixture;
  const direct = await fixture.openDirectly();
  const cluster = direct.connect('admin');
  const opened = await create(
    cluster,
    fixture.ref('watched'),
    configMap('watched', { round: '0', mine: 'a' }),
  );
  const runner = new SessionRunner({
    cluster,
    clock: systemClock,
    start: {
      ref: fixture.ref('watched'),
      traits: { hasStatusSubresource: false },
      schema: builtinSchema(gvkOf(opened.object) ?? { group: '', version: 'v1', kind: 'ConfigMap' }),
      opened,
      reviewsForeignChanges: false,
    },
    review: () => Promise.resolve(false),
    askConsent: () => Promise.resolve(undefined),
    follow: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  let onMark: (() => void) | undefined;
  runner.onDidChange(() => {
    if (runner.view.phase !== 'fresh') onMark?.();
  });
  runner.start();
  await until(() => runner.view.liveness.kind === 'live');
  // A dirty text is not followed: each change has to be marked.
  const mine = { ...opened.object, data: { round: '0', mine: 'mine' } };
  runner.dispatch({
    kind: 'textChanged',
    mine: { kind: 'read', object: mine },
    named: opened.resourceVersion,
    isDirty: true,
  });

  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const bare = bareWatch(
    server,
    `${path}?watch=true&fieldSelector=metadata.name%3Dwatched&timeoutSeconds=600`,
  );
  try {
    await bare.opened;
    const delays: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const marked = new Promise<number>((resolve) => {
        const text = String(round);
        onMark = () => {
          const { live } = runner.state;
          const data = live.kind === 'present' ? live.snapshot.object.data : undefined;
          if (JSON.stringify(data).includes(`"round":"${text}"`)) resolve(performance.now());
        };
      });
      const seen = bare.next(`"round":"${String(round)}"`);
      await other.patch(`${path}/watched`, { data: { round: String(round) } });
      const [markedAt, seenAt] = await Promise.all([marked, seen]);
      delays.push(markedAt - seenAt);
    }
    return [
      {
        name: 'stale mark behind the line of a bare watch, median',
        value: median(delays),
        unit: 'ms',
        goal: 5,
      },
    ];
  } finally {
    bare.close();
    runner.dispose();
  }
}

function bareWatch(
  {
    url,
    ca,
    tokens,
  }: { readonly url: string; readonly ca: string; readonly tokens: Readonly<Record<string, string>> },
  path: string,
): { readonly opened: Promise<void>; next(text: string): Promise<number>; close(): void } {
  const agent = new Agent();
  const waiting = new Map<string, (at: number) => void>();
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const headers = { authorization: `Bearer ${tokens.admin ?? ''}` };
  const sent = request(new URL(path, url), { ca, agent, headers }, (response) => {
    open();
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const at = performance.now();
      for (const [text, resolve] of waiting) {
        if (!chunk.includes(text)) continue;
        waiting.delete(text);
        resolve(at);
      }
    });
    response.on('error', () => undefined);
  });
  sent.on('error', () => undefined);
  sent.end();
  return {
    opened,
    next: (text) =>
      new Promise((resolve) => {
        waiting.set(text, resolve);
      }),
    close: () => {
      sent.destroy();
      agent.destroy();
    },
  };
}
