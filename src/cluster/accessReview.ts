import type { Outcome } from '../core/errors.ts';
import { memberAt, printJson } from '../core/json.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ApiClient } from './apiClient.ts';

/** Asks the server whether this user may do something. Source: SelfSubjectAccessReview. */
export async function reviewAccess(
  client: ApiClient,
  ref: ResourceRef,
  verb: string,
  signal: AbortSignal,
  subresource = '',
): Promise<Outcome<boolean>> {
  const { group, version, resource } = ref.gvr;
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {
      resourceAttributes: {
        namespace: ref.namespace ?? '',
        verb,
        group,
        version,
        resource,
        subresource,
        name: ref.name,
      },
    },
  };
  const answer = await client.fetchObject({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: printJson(review),
    signal,
  });
  if (answer.kind !== 'ok') return answer;
  return { kind: 'ok', value: memberAt(answer.value, 'status', 'allowed') === true };
}
