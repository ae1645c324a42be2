import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient, ApiReply } from '../../support/apiClient.ts';
import type { Chance } from './chance.ts';
import type { ContestedObject } from './fields.ts';
import type { WriterEntry } from './journal.ts';

/** Changes random fields of the objects, straight through the API, until the signal ends it. */
export async function runWriter(options: {
  readonly actor: number;
  readonly client: ApiClient;
  readonly objects: readonly ContestedObject[];
  readonly chance: Chance;
  readonly signal: AbortSignal;
  readonly entries: WriterEntry[];
}): Promise<void> {
  const { actor, client, objects, chance, signal, entries } = options;
  for (let count = 1; !signal.aborted; count++) {
    const object = chance.pick(objects);
    if (chance(0.01)) await recreate(client, object, entries);
    else if (object.hasStatus && chance(0.1)) await writeStatus(client, object, count, entries);
    else if (object.hasStatus && chance(0.05)) await reorderContainers(client, object, entries);
    else await changeField(count);
    await pause(chance.between(800, 3000));
  }

  async function changeField(count: number): Promise<void> {
    const object = chance.pick(objects);
    const field = chance.pick(object.fields);
    const value = field.canBeRemoved && chance(0.1) ? null : field.makeValue(actor, count);
    const reply = await client.request('PATCH', `${object.path}?fieldManager=writer-${actor}`, {
      body: field.makePatch(value),
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
    });
    note(object, reply, { path: field.path, value: value === null ? null : JSON.stringify(value) });
  }

  function note(object: ContestedObject, reply: ApiReply, change?: WriterEntry['change']): void {
    noteReply(entries, object, reply, change);
  }
}

async function writeStatus(
  client: ApiClient,
  object: ContestedObject,
  count: number,
  entries: WriterEntry[],
): Promise<void> {
  const reply = await client.request('PATCH', `${object.path}/status?fieldManager=controller`, {
    body: { status: { observedGeneration: count } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  noteReply(entries, object, reply);
}

/** Reads, turns the list around and writes on the version read, as a careful person would. */
async function reorderContainers(
  client: ApiClient,
  object: ContestedObject,
  entries: WriterEntry[],
): Promise<void> {
  const read = await client.request('GET', object.path);
  if (read.status !== 200) return;
  const body = read.json as { spec: { template: { spec: { containers: unknown[] } } } };
  body.spec.template.spec.containers.reverse();
  const reply = await client.request('PUT', `${object.path}?fieldManager=sorter`, { body });
  noteReply(entries, object, reply);
}

async function recreate(client: ApiClient, object: ContestedObject, entries: WriterEntry[]): Promise<void> {
  await client.request('DELETE', object.path);
  const reply = await client.request('POST', object.collection, { body: object.body });
  noteReply(entries, object, reply);
}

function noteReply(
  entries: WriterEntry[],
  { path }: ContestedObject,
  reply: ApiReply,
  change?: WriterEntry['change'],
): void {
  if (reply.status >= 300) return;
  const { metadata } = reply.json as { metadata: { resourceVersion: string } };
  entries.push({
    object: path,
    resourceVersion: metadata.resourceVersion,
    ...(change === undefined ? {} : { change }),
  });
}
