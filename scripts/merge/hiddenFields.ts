import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  memberAt,
  withMember,
} from '../../src/core/json.ts';
import { lastAppliedAnnotation, type ObjectTraits } from '../../src/core/resource/editableObject.ts';

interface Versions {
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
}

/**
 * Gives a merged object back what the server owns, where mine's text has it: live's, unless only mine
 * changed it. Never a conflict. Source: design.md section 1, "foreign change".
 *
 * @param merged the merged editable object
 */
export function mergeHidden(versions: Versions, merged: JsonObject, traits: ObjectTraits): JsonObject {
  const paths = [
    ...['resourceVersion', 'uid', 'generation', 'managedFields'].map((key) => ['metadata', key]),
    ['metadata', 'annotations', lastAppliedAnnotation],
    ...(traits.hasStatusSubresource ? [['status']] : []),
  ];
  return inOrderOf(
    versions.mine,
    paths.reduce((object, path) => withValueAt(object, path, hiddenValue(versions, path)), merged),
  );
}

function hiddenValue({ base, mine, live }: Versions, path: readonly string[]): Json | undefined {
  const [before, ours, theirs] = [memberAt(base, ...path), memberAt(mine, ...path), memberAt(live, ...path)];
  if (ours === undefined) return undefined;
  if (before !== undefined && jsonEqual(before, ours)) return theirs;
  return before !== undefined && jsonEqual(before, theirs) ? ours : (theirs ?? ours);
}

function withValueAt(object: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [key = '', ...rest] = path;
  if (rest.length === 0) return withMember(object, key, value);
  const child = memberAt(object, key);
  if (!isJsonObject(child) && value === undefined) return object;
  return withMember(object, key, withValueAt(isJsonObject(child) ? child : {}, rest, value));
}

/** The same object with the members that `model` has too in its order, mappings inside as well. */
function inOrderOf(model: JsonObject, object: JsonObject): JsonObject {
  const known = Object.keys(model).filter((key) => Object.hasOwn(object, key));
  const added = Object.keys(object).filter((key) => !Object.hasOwn(model, key));
  return Object.fromEntries(
    [...known, ...added].map((key) => {
      const [like, value] = [model[key], object[key]];
      return [key, isJsonObject(like) && isJsonObject(value) ? inOrderOf(like, value) : (value ?? null)];
    }),
  );
}
