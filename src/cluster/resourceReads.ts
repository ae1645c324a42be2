import type { Outcome } from '../core/errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, memberAt } from '../core/json.ts';
import type { CollectionRef, ResourceRef } from '../core/resource/resourceRef.ts';
import { toResourceVersion } from '../core/resource/snapshot.ts';
import type {
  ListContent,
  ListOptions,
  ListPage,
  WatchEnd,
  WatchEvent,
  WatchOptions,
} from '../sync/clusterPort.ts';
import type { Clock } from '../sync/clock.ts';
import { type ApiClient, toReadFailure } from './apiClient.ts';
import type { Endpoint } from './endpoint.ts';
import { collectionPath, objectPath } from './resourceUrl.ts';
import { RowReader } from './tableRows.ts';
import { describeTransportError } from './transportError.ts';
import { readWatchStream } from './watchStream.ts';

/** How much longer than the server's own limit a watch may stay open, in ms, before it counts as dead. */
export const watchGraceMs = 10_000;

/** Reads from storage, not from a cache that may be behind: no resourceVersion is sent. */
export function getObject(
  client: ApiClient,
  ref: ResourceRef,
  signal: AbortSignal,
): Promise<Outcome<JsonObject>> {
  return client.fetchObject({ method: 'GET', path: objectPath(ref, undefined), signal });
}

/** One page. Objects of a full list carry apiVersion and kind, which the server leaves out of its items. */
export async function listObjects(
  client: ApiClient,
  collection: CollectionRef,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Outcome<ListPage>> {
  const { limit, continueToken, name, content } = options;
  const query = { limit, continue: continueToken, fieldSelector: selectorOf(name) };
  const answer = await client.fetchObject({
    method: 'GET',
    path: collectionPath(collection, query),
    accept: acceptOf(content, 'PartialObjectMetadataList'),
    signal,
  });
  if (answer.kind !== 'ok') return answer;
  const page = toListPage(answer.value, content);
  return page === undefined
    ? { kind: 'invalidAnswer', message: 'the server answered a list with something else' }
    : { kind: 'ok', value: page };
}

/** Follows a collection until the server ends the watch, the signal does, or it is silent past its limit. */
export async function watchObjects(
  client: ApiClient,
  collection: CollectionRef,
  options: WatchOptions,
  surroundings: { readonly clock: Clock; readonly endpoint: Endpoint },
  onEvent: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<WatchEnd> {
  const { resourceVersion, timeoutSeconds, content, name, sendsInitialEvents = false } = options;
  const query = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    ...(sendsInitialEvents
      ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion }),
    timeoutSeconds,
    fieldSelector: selectorOf(name),
  };
  const result = await client.stream({
    method: 'GET',
    path: collectionPath(collection, query),
    accept: acceptOf(content, 'PartialObjectMetadata'),
    signal,
  });
  if (result.kind !== 'answered') return toReadFailure(result);
  const answer = result.value;
  if (answer.status !== 200) return client.readFailure(answer, signal);

  const { clock, endpoint } = surroundings;
  const silence = { isTooLong: false };
  const timer = clock.schedule(timeoutSeconds * 1000 + watchGraceMs, () => {
    silence.isTooLong = true;
    answer.body.destroy();
  });
  const abort = (): void => {
    answer.body.destroy();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  else onEvent({ kind: 'opened' });
  const rows = content === 'rows' ? new RowReader() : undefined;
  answer.body.on('data', (chunk: Buffer) => {
    answer.tally(chunk.length);
  });
  const end = await readWatchStream(answer.body, (read) => {
    const event = rows === undefined ? read : rows.readEvent(read);
    if (event !== undefined && !signal.aborted) onEvent(event);
  });
  timer.dispose();
  signal.removeEventListener('abort', abort);
  if (end.kind !== 'ended') answer.close();
  if (signal.aborted) return { kind: 'aborted' };
  // The next watch goes the way that the kubeconfig names now.
  if (client.isRetired) return { kind: 'ended' };
  if (silence.isTooLong)
    return { kind: 'interrupted', message: `${endpoint.display} has stopped sending changes` };
  switch (end.kind) {
    case 'ended':
      return end;
    case 'cut':
      return { kind: 'interrupted', message: describeTransportError(end.error, endpoint) };
    case 'unreadable':
      return { kind: 'invalidAnswer', message: 'the server sent something else than watch events' };
  }
}

function toListPage(list: JsonObject, content: ListContent): ListPage | undefined {
  const objects = content === 'rows' ? new RowReader().readList(list) : readItems(list);
  if (objects === undefined) return undefined;
  const continueToken = memberAt(list, 'metadata', 'continue');
  const remaining = memberAt(list, 'metadata', 'remainingItemCount');
  return {
    objects,
    resourceVersion: toResourceVersion(memberAt(list, 'metadata', 'resourceVersion')),
    ...(typeof continueToken === 'string' && continueToken !== '' ? { continueToken } : {}),
    ...(typeof remaining === 'number' ? { remainingItemCount: remaining } : {}),
  };
}

function readItems(list: JsonObject): readonly JsonObject[] | undefined {
  // Go prints an empty list as null in places.
  const items = list.items ?? [];
  if (!isJsonArray(items)) return undefined;
  const { apiVersion, kind } = list;
  const itemKind =
    typeof kind === 'string' && kind.endsWith('List') ? kind.slice(0, -'List'.length) : undefined;
  return items.filter(isJsonObject).map((item): JsonObject => {
    const isComplete = item.kind !== undefined && item.apiVersion !== undefined;
    if (isComplete || itemKind === undefined || typeof apiVersion !== 'string') return item;
    return { apiVersion, kind: itemKind, ...item };
  });
}

/** Servers that have no Tables answer with metadata; those that cannot leave things out, with whole objects. */
function acceptOf(content: ListContent, as: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
  const metadata = `application/json;as=${as};g=meta.k8s.io;v=v1`;
  switch (content) {
    case 'full':
      return 'application/json';
    case 'metadata':
      return `${metadata},application/json;q=0.9`;
    case 'rows':
      return `application/json;as=Table;g=meta.k8s.io;v=v1,${metadata};q=0.9,application/json;q=0.8`;
  }
}

function selectorOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `metadata.name=${name}`;
}
