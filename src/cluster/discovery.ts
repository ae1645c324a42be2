import type { Outcome, RequestFailure } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Discovery } from '../sync/clusterPort.ts';
import type { ApiClient } from './apiClient.ts';
import {
  type GroupVersionList,
  isAggregated,
  readAggregated,
  readGroupVersions,
  readResourceList,
  withPreferredVersions,
} from './discoveryAnswers.ts';
import { groupVersionPath } from './resourceUrl.ts';

/** One request for all, newest form first; a server that knows none of them answers plainly. */
const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

type Failure = Discovery['failures'][number];

/**
 * Asks a server what it serves. A group that cannot be read is named and hides no other (issue case E3);
 * only a server that tells nothing at all is a failure.
 */
export async function discoverResources(client: ApiClient, signal: AbortSignal): Promise<Outcome<Discovery>> {
  const fetch = (path: string): Promise<Outcome<JsonObject>> =>
    client.fetchObject({ method: 'GET', path, accept: aggregatedAccept, signal });
  const [core, named] = await Promise.all([fetch('/api'), fetch('/apis')]);
  if (core.kind !== 'ok' && named.kind !== 'ok') return named;
  const parts = await Promise.all([
    core.kind === 'ok' ? readRoot(client, core.value, signal) : failed('', core),
    named.kind === 'ok' ? readRoot(client, named.value, signal) : failed('*', named),
  ]);
  if (signal.aborted) return { kind: 'aborted' };
  const types = parts.flatMap((part) => part.types);
  return { kind: 'ok', value: { types, failures: parts.flatMap((part) => part.failures) } };
}

async function readRoot(client: ApiClient, root: JsonObject, signal: AbortSignal): Promise<Discovery> {
  if (isAggregated(root)) return readAggregated(root);
  const lists = readGroupVersions(root);
  const parts = await Promise.all(lists.map((list) => readGroup(client, list, signal)));
  return {
    types: withPreferredVersions(parts.flatMap((part) => part.types)),
    failures: parts.flatMap((part) => part.failures),
  };
}

/** All versions of one group, in the server's order of preference. */
async function readGroup(
  client: ApiClient,
  { group, versions }: GroupVersionList,
  signal: AbortSignal,
): Promise<Discovery> {
  const answers = await Promise.all(
    versions.map(async (version): Promise<{ types: readonly ResourceType[]; failure?: Failure }> => {
      const path = groupVersionPath({ group, version });
      // One dead aggregated API must not hold the others up.
      const answer = await client.fetchObject({ method: 'GET', path, signal }, 'busy');
      if (answer.kind === 'ok') return { types: readResourceList(answer.value, { group, version }) };
      return { types: [], failure: toFailure(group, answer) };
    }),
  );
  const failures = answers.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  return { types: answers.flatMap(({ types }) => types), failures: failures.slice(0, 1) };
}

function failed(group: string, failure: RequestFailure): Discovery {
  return { types: [], failures: [toFailure(group, failure)] };
}

function toFailure(group: string, failure: RequestFailure): Failure {
  return { group, message: failure.kind === 'aborted' ? 'cancelled' : failure.message };
}
