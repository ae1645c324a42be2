import type { WriteOutcome } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, memberAt, printJson, withMember } from '../core/json.ts';
import { type Precondition, toResourceVersion, toSnapshot, toUid } from '../core/resource/snapshot.ts';
import type { WriteRequest } from '../sync/clusterPort.ts';
import type { ApiClient, ApiRequest, ApiResult } from './apiClient.ts';
import { toApiStatus, tryParseJson } from './apiStatus.ts';
import { collectionPath, objectPath } from './resourceUrl.ts';
import { toWriteRefusal } from './status.ts';
import type { Answer } from './exchange.ts';
import { parseWarnings } from './warningHeader.ts';

/** The field manager of every write that a person makes in an editor. */
const fieldManager = 'kubemerge';

/**
 * Sends one write, once. Nothing but a refused credential makes it go out a second time.
 *
 * @throws Error where a precondition is empty: the types exclude it
 */
export async function sendWrite(
  client: ApiClient,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const result = await client.send({ ...toApiRequest(request), signal });
  if (result.kind !== 'answered') return toUnansweredOutcome(result);
  const answer = result.value;
  if (answer.status < 200 || answer.status > 299) return toWriteRefusal(answer);
  return toCommitted(request, answer);
}

function toApiRequest(request: WriteRequest): Omit<ApiRequest, 'signal'> {
  const { ref } = request;
  switch (request.kind) {
    case 'update': {
      const { subresource, object, precondition } = request;
      return {
        method: 'PUT',
        path: objectPath(ref, subresource, writeQuery(request.isDryRun)),
        body: printJson(withPrecondition(object, precondition)),
      };
    }
    case 'create':
      return {
        method: 'POST',
        path: collectionPath(ref, writeQuery(request.isDryRun)),
        body: printJson(request.object),
      };
    case 'delete': {
      const { uid, resourceVersion } = usable(request.precondition);
      const options = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid, resourceVersion },
        propagationPolicy: request.propagationPolicy,
      };
      return { method: 'DELETE', path: objectPath(ref, undefined), body: printJson(options) };
    }
  }
}

function writeQuery(isDryRun: boolean | undefined): Record<string, string | undefined> {
  return { dryRun: isDryRun === true ? 'All' : undefined, fieldManager, fieldValidation: 'Strict' };
}

/** The object with the version and uid that it must still have for the write to land. */
function withPrecondition(object: JsonObject, precondition: Precondition): JsonObject {
  const { uid, resourceVersion } = usable(precondition);
  const metadata = memberAt(object, 'metadata');
  const guarded = withMember(
    withMember(isJsonObject(metadata) ? metadata : {}, 'resourceVersion', resourceVersion),
    'uid',
    uid,
  );
  return withMember(object, 'metadata', guarded);
}

/** The last gate: without a version the server would overwrite whatever it holds. */
function usable({ uid, resourceVersion }: Precondition): Precondition {
  if (toUid(uid) === undefined || toResourceVersion(resourceVersion) === undefined) {
    throw new Error('a write without a resourceVersion and a uid is never sent');
  }
  return { uid, resourceVersion };
}

function toCommitted(request: WriteRequest, answer: Answer): WriteOutcome {
  const object: Json | undefined = tryParseJson(answer.body);
  const warnings = parseWarnings(answer.headers.warning);
  if (request.kind === 'delete' && isJsonObject(object)) return { kind: 'committed', object, warnings };
  if (!isJsonObject(object) || toApiStatus(object) !== undefined) return toWriteRefusal(answer);
  const snapshot = toSnapshot(object);
  return { kind: 'committed', object, warnings, ...(snapshot === undefined ? {} : { snapshot }) };
}

function toUnansweredOutcome(
  result: Exclude<ApiResult<Answer>, { readonly kind: 'answered' }>,
): WriteOutcome {
  switch (result.kind) {
    case 'notSent':
      return { kind: 'notSent', message: result.message };
    case 'interrupted':
    case 'invalidAnswer':
      return { kind: 'unknown', message: result.message };
    case 'aborted':
      return result.wasSent
        ? { kind: 'unknown', message: 'cancelled after it was sent' }
        : { kind: 'notSent', message: 'cancelled before it was sent' };
    case 'unauthenticated':
    case 'misconfigured':
      return { kind: 'unauthenticated', message: result.message };
  }
}
