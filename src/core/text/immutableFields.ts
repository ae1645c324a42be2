import type { FieldCause } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { diffObjects } from '../merge/diff.ts';
import { type FieldPath, printFieldPath } from '../merge/fieldPath.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { pathsOverlap } from '../merge/pathsOverlap.ts';
import { resolveServerPath } from './serverPath.ts';

/** What a server's cause says of a field that it lets nobody change once the object exists. */
export interface ImmutableCause {
  /** What may be changed beneath the field that the cause names: `spec.containers[*].image`. */
  readonly allowed: readonly string[];
  /** It is so because the object says `immutable: true`. */
  readonly isSealed: boolean;
}

const immutableWords =
  /\bimmutable\b|\bmay not change once set\b|\bcannot change roleRef\b|\bfields other than\b|\bmay not be changed in an update\b|\bupdates? to \S+ (?:is|are) forbidden\b|\bupdates may not (?:change|add or remove)\b/i;

/**
 * Reads a cause as one about a field that cannot be changed.
 *
 * @returns undefined for other causes
 * Source: apimachinery `validation.FieldImmutableErrorMsg`, and each type's own words, measured on
 *   kube-apiserver 1.36
 */
export function readImmutable({ field, message }: FieldCause): ImmutableCause | undefined {
  const [words = ''] = message.split('\n');
  if (!immutableWords.test(words)) return undefined;
  const listed = /\b(?:other than|except)\b(.*)$/.exec(words)?.[1] ?? '';
  const quoted = [...listed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const named = [...listed.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  const bare = /^ ([\w.]+(?:, [\w.]+)*) and ([\w.]+) for bound claims/.exec(listed)?.slice(1) ?? [];
  const relative = [...named, ...bare.flatMap((names) => names.split(', '))];
  return {
    allowed: [...quoted, ...relative.map((name) => `${field}.${name}`)],
    isSealed: words.includes('when `immutable` is set'),
  };
}

/**
 * The fields of a text that differ from live where the cause says that they must not.
 *
 * @param mine the text's object
 * @param live the editable object as the server holds it
 * @returns none where they cannot be told
 */
export function findImmutableChanges(
  mine: JsonObject,
  live: JsonObject,
  { field }: Pick<FieldCause, 'field'>,
  { allowed }: ImmutableCause,
  schema: MergeSchema,
): readonly FieldPath[] {
  const [inMine, inLive] = [mine, live].map((object) => resolveServerPath(object, field).path);
  const path = (inLive?.length ?? 0) > (inMine?.length ?? 0) ? (inLive ?? []) : (inMine ?? []);
  const changed = diffObjects(live, mine, schema)
    .map((change) => change.path)
    .filter((one) => !isIdentity(one));
  const within = (place: FieldPath): readonly FieldPath[] =>
    place.length === 0 ? [] : changed.filter((one) => pathsOverlap(one, nameAs(one, place)));
  const exact = within(path);
  // A service's clusterIP is refused at clusterIPs, a volume's source under a name of no field.
  const found = exact.length > 0 ? exact : within(path.slice(0, 1));
  return found.filter((one) => !allowed.some((pattern) => isWithin(printPattern(one), pattern)));
}

/** A server names list elements by index, a comparison by key: the list is what counts. */
function nameAs(change: FieldPath, place: FieldPath): FieldPath {
  const end = place.findIndex(({ kind }, index) => kind !== 'member' && change[index]?.kind !== kind);
  return end < 0 ? place : place.slice(0, end);
}

/** What a text names its base by is no change. */
function isIdentity(path: FieldPath): boolean {
  return ['metadata.resourceVersion', 'metadata.uid'].includes(printFieldPath(path));
}

/** `spec.containers[*].image` */
function printPattern(path: FieldPath): string {
  return path.reduce(
    (text, segment) =>
      segment.kind === 'member' ? `${text}${text === '' ? '' : '.'}${segment.key}` : `${text}[*]`,
    '',
  );
}

function isWithin(path: string, pattern: string): boolean {
  return path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`);
}

/** The words at one field. */
export function immutableMessage(path: FieldPath, { isSealed }: ImmutableCause): string {
  const what = printFieldPath(path);
  return isSealed
    ? `${what} cannot be changed: this object is immutable for good. Revert it, or create a copy with the new value.`
    : `${what} cannot be changed once the object exists. Revert it, or create a copy with the new value.`;
}
