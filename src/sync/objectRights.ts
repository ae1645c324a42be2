import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ClusterPort } from './clusterPort.ts';

/** What can be done with a whole object, beside saving it. */
export type ObjectRight = 'delete' | 'update' | 'scale' | 'editStatus' | 'create';

interface Need {
  readonly verb: string;
  readonly subresource?: string;
}

const needs: Readonly<Record<ObjectRight, Need>> = {
  delete: { verb: 'delete' },
  update: { verb: 'update' },
  scale: { verb: 'update', subresource: 'scale' },
  editStatus: { verb: 'update', subresource: 'status' },
  create: { verb: 'create' },
};

export const allRights = Object.keys(needs) as readonly ObjectRight[];

/** What the server serves of a type at all, whoever asks. */
export function servedRights(type: ResourceType): readonly ObjectRight[] {
  return allRights.filter((right) => {
    const { verb, subresource } = needs[right];
    return subresource === undefined ? type.verbs.includes(verb) : type.subresources.includes(subresource);
  });
}

/**
 * Asks the server for each right that it serves, at once. What it does not answer counts as a right: the write
 * itself is refused then, with the server's words.
 *
 * @param ref an object; with the name '' any object of its collection
 */
export async function findRights(
  cluster: Pick<ClusterPort, 'isAllowed'>,
  ref: ResourceRef,
  type: ResourceType,
  signal: AbortSignal,
): Promise<ReadonlySet<ObjectRight>> {
  const rights = await Promise.all(
    servedRights(type).map(async (right) => {
      const { verb, subresource } = needs[right];
      const outcome = await cluster.isAllowed(ref, verb, signal, subresource);
      return outcome.kind === 'ok' && !outcome.value ? [] : [right];
    }),
  );
  return new Set(rights.flat());
}
