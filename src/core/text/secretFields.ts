import { isJsonObject, type Json, type JsonObject, memberAt, withMember } from '../json.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import { isSecret } from '../resource/editableObject.ts';
import { readSecretValue } from '../resource/secretValue.ts';
import type { SecretSpelling } from './secretText.ts';

/** Where a text writes a value of a Secret. */
export type SecretSection = 'data' | 'stringData';

/** A Secret as written, with one value set or, where `member` is undefined, taken out; an empty section goes with it. */
export function withSecretValue(
  value: JsonObject,
  section: SecretSection,
  key: string,
  member: Json | undefined,
): JsonObject {
  const members = memberAt(value, section);
  const changed = withMember(isJsonObject(members) ? members : {}, key, member);
  return withMember(value, section, Object.keys(changed).length === 0 ? undefined : changed);
}

/**
 * A Secret as written, with one value as live holds it, spelled as the text spells values; the other section has
 * it no more.
 *
 * @param live a Secret whose values are under `data` alone
 */
export function withLiveSecretValue(
  written: JsonObject,
  live: JsonObject,
  key: string,
  spelling: SecretSpelling,
): JsonObject {
  const member = memberAt(live, 'data', key);
  const read = typeof member === 'string' ? readSecretValue(member) : undefined;
  return spelling === 'decoded' && read?.kind === 'text'
    ? withSecretValue(withSecretValue(written, 'data', key, undefined), 'stringData', key, read.text)
    : withSecretValue(withSecretValue(written, 'stringData', key, undefined), 'data', key, member);
}

/** The key of a Secret's value that a path names; undefined for other fields, and for all values together. */
export function secretKeyOf(object: JsonObject, path: FieldPath): string | undefined {
  const [section, key, ...rest] = path;
  const isValue = section?.kind === 'member' && section.key === 'data' && rest.length === 0;
  return isSecret(object) && isValue && key?.kind === 'member' ? key.key : undefined;
}
