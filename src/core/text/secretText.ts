import { defineMembers, isJsonObject, type Json, type JsonObject, memberAt, withMember } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { decodeData, isSecret } from '../resource/editableObject.ts';
import { locateField, rootOf, toTree } from './locate.ts';
import { planEdits } from './planEdits.ts';
import { renderObject } from './renderObject.ts';
import { applyEdits } from './textEdit.ts';

/** How a document writes the values of a Secret that are text: as base64 under `data`, or decoded under `stringData`. */
export type SecretSpelling = 'encoded' | 'decoded';

/** Prints an object as a new text in this spelling. */
export function renderSpelled(object: JsonObject, spelling: SecretSpelling): string {
  return renderObject(spell(object, spelling));
}

/**
 * The text edited to hold this object, see `planEdits`; values of a Secret come in this spelling.
 *
 * @param target a visible or an editable object
 */
export function editSpelled(
  text: string,
  target: JsonObject,
  { schema, spelling }: { readonly schema: MergeSchema; readonly spelling: SecretSpelling },
): string {
  const wanted = spell(target, spelling);
  const edit = (from: string, to: JsonObject): string => applyEdits(from, planEdits(from, to, { schema }));
  const renamed = renameSection(text, wanted);
  const emptied = renamed === text ? undefined : withoutBlocks(renamed);
  return edit(emptied === undefined ? renamed : edit(renamed, emptied), wanted);
}

/** A block of lines would stay a block, of one line of base64: such values are emptied before. */
function withoutBlocks(text: string): JsonObject | undefined {
  const tree = toTree(text);
  const value = tree && rootOf(tree)?.value;
  const data = memberAt(value, 'data');
  if (!isJsonObject(value) || !isJsonObject(data)) return undefined;
  const members = Object.entries(data).map(([key, member]): [string, Json] => [
    key,
    typeof member === 'string' && member.includes('\n') ? null : member,
  ]);
  return withMember(value, 'data', defineMembers(members));
}

function spell(object: JsonObject, spelling: SecretSpelling): JsonObject {
  return spelling === 'decoded' ? decodeData(object) : object;
}

/**
 * Where all values move from `data` to `stringData`, or back, the mapping is renamed first: their order, and the
 * comments between them, stay.
 */
function renameSection(text: string, wanted: JsonObject): string {
  const isDecoding = isJsonObject(wanted['stringData']);
  if (!isSecret(wanted) || (!isDecoding && !isJsonObject(wanted['data']))) return text;
  const [from, to] = isDecoding ? ['data', 'stringData'] : ['stringData', 'data'];
  const old = locateField(text, [{ kind: 'member', key: from }]);
  const known = locateField(text, [{ kind: 'member', key: to }]);
  if (old?.isExact !== true || old.key === undefined || known?.isExact === true) return text;
  const { start, end } = old.key;
  return applyEdits(text, [{ offset: start, length: end - start, newText: to }]);
}
