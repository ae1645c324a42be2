import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ApiClient } from './apiClient.ts';
import { podOf } from './pods.ts';

/** What the worker is told; it changes pods until the time is over, then posts how many changes it made. */
export interface PodChurn {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  /** The pods are `pod-00000` and so on, in namespace `big`. */
  readonly pods: number;
  readonly perMinute: number;
  readonly ms: number;
}

const { pods, perMinute, ms, ...server } = workerData as PodChurn;
const client = new ApiClient(server);
const path = '/api/v1/namespaces/big/pods';
const startedAt = Date.now();
let done = 0;
// A thread of its own: what it costs shall not count as the tree's.
while (Date.now() - startedAt < ms) {
  const due = Math.floor(((Date.now() - startedAt) * perMinute) / 60_000);
  await Promise.all(Array.from({ length: Math.min(due - done, 8) }, (_item, index) => change(done + index)));
  done += Math.min(due - done, 8);
  await pause(20);
}
client.close();
parentPort?.postMessage(done);

/** Of ten changes nine are seen in a row's columns; the tenth is another pod in place of one. */
async function change(index: number): Promise<void> {
  const name = `pod-${String((index * 7919) % pods).padStart(5, '0')}`;
  if (index % 10 !== 9) {
    const phase = index % 2 === 0 ? 'Running' : 'Pending';
    await client.patch(`${path}/${name}/status`, { status: { phase, message: String(index) } });
    return;
  }
  await client.request('DELETE', `${path}/${name}?gracePeriodSeconds=0`);
  await client.create(path, podOf(name));
}
