import type { Blame } from '../core/merge/mergeResult.ts';
import { describeBlame } from './fieldWords.ts';

/** How many managers are named. */
const maxOwners = 6;

/**
 * Lines that say who set a field, the latest first; none where nobody is on record.
 *
 * @param hasFields the field holds others, which may have been set by different managers
 */
export function describeOwners(owners: readonly Blame[], hasFields: boolean, nowMs: number): string[] {
  const [latest, ...others] = owners.map((owner) => describeOwner(owner, nowMs));
  if (latest === undefined) return [];
  const start = hasFields ? 'Last changed in here by' : 'Set by';
  const more = others.length - (maxOwners - 1);
  return [
    `${start} ${latest}`,
    ...others.slice(0, maxOwners - 1).map((words) => `also by ${words}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** `argocd, 2 days ago (server-side apply)`, `hpa, 3 min ago (through scale)`. */
function describeOwner(owner: Blame, nowMs: number): string {
  const how = [
    owner.operation === 'Apply' ? 'server-side apply' : undefined,
    owner.subresource === undefined ? undefined : `through ${owner.subresource}`,
  ].filter((part) => part !== undefined);
  const who = describeBlame(owner, nowMs) ?? '';
  return how.length === 0 ? who : `${who} (${how.join(', ')})`;
}
