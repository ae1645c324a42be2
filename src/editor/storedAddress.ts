import type { DocumentAddress } from '../core/resource/documentPath.ts';

/** Whether something that was read from storage names an object and its cluster. */
export function isStoredAddress(value: unknown): value is DocumentAddress {
  const { clusterId, ref } = membersOf(value);
  const { context, namespace, gvr, name } = membersOf(ref);
  const { group, version, resource } = membersOf(gvr);
  return (
    [clusterId, context, name, group, version, resource].every((part) => typeof part === 'string') &&
    (namespace === undefined || typeof namespace === 'string')
  );
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
