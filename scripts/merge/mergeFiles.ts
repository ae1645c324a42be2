import { isJsonObject, type JsonObject, jsonEqual, memberAt } from '../../src/core/json.ts';
import { findBlame } from '../../src/core/merge/blame.ts';
import { builtinSchema } from '../../src/core/merge/builtinSchema.ts';
import { isEqual } from '../../src/core/merge/equality.ts';
import { printFieldPath } from '../../src/core/merge/fieldPath.ts';
import type { MergeOptions, Side } from '../../src/core/merge/mergeContext.ts';
import type { AppliedChange, Conflict } from '../../src/core/merge/mergeResult.ts';
import type { MergeSchema } from '../../src/core/merge/mergeSchema.ts';
import { withNamedLists } from '../../src/core/merge/namedLists.ts';
import { schemaFromOpenApi } from '../../src/core/merge/openApiSchema.ts';
import { unfoldStringData } from '../../src/core/merge/secretData.ts';
import { mergeThreeWay } from '../../src/core/merge/threeWay.ts';
import { toEditable } from '../../src/core/resource/editableObject.ts';
import { gvkOf } from '../../src/core/resource/kubeObject.ts';
import { planEdits } from '../../src/core/text/planEdits.ts';
import { applyEdits } from '../../src/core/text/textEdit.ts';
import { markConflicts } from './conflictMarkers.ts';
import { mergeHidden } from './hiddenFields.ts';

/** Three versions of one object, and mine as it is written. */
export interface MergeInput {
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
  readonly mineText: string;
  /** Documents as `/openapi/v3` serves them; the built-in table serves where none describes the object. */
  readonly openApi: readonly JsonObject[];
  readonly mergeNamedLists: boolean;
}

/** What `npm run merge` prints; see design.md section 8. */
export interface MergeReport {
  readonly status: 'merged' | 'conflict';
  /** Mine's text holding `value`. */
  readonly text: string;
  /** The merged object; base's value at conflicts. */
  readonly value: JsonObject;
  readonly applied: readonly JsonObject[];
  readonly conflicts: readonly JsonObject[];
}

/**
 * Merges files as the editor merges a document: fields that the server owns are never a conflict, and a
 * Secret's `stringData` counts as `data`.
 *
 * @returns the report, and the text with conflict markers where there are conflicts
 */
export function mergeFiles(input: MergeInput): { readonly report: MergeReport; readonly markedText: string } {
  const { base, mine, live, mineText } = input;
  const found = findSchema(input);
  const schema = input.mergeNamedLists ? withNamedLists(found) : found;
  const traits = { hasStatusSubresource: !hasOwnStatus(input) };
  const editable = {
    base: toEditable(base, traits),
    mine: toEditable(mine, traits),
    live: toEditable(live, traits),
  };
  const isRecreated = !isEqual(editable.base, editable.mine, schema) && isOtherObject(base, live);

  const mergeWith = (choose?: MergeOptions['choose']) => {
    const { base: before, mine: ours, live: theirs } = editable;
    const result = mergeThreeWay(before, ours, theirs, schema, choose && { choose });
    const visible = unfoldStringData(isJsonObject(result.value) ? result.value : {}, mine);
    return { ...result, value: mergeHidden({ base, mine, live }, visible, traits) };
  };
  const textOf = (value: JsonObject): string => applyEdits(mineText, planEdits(mineText, value, { schema }));
  const merged = mergeWith();
  const conflicts = [...(isRecreated ? [recreatedConflict(input)] : []), ...merged.conflicts];
  const text = textOf(merged.value);
  const describe = (entry: AppliedChange | Conflict): JsonObject => describeEntry(entry, input);
  const sideText = (side: Side): string => textOf(mergeWith(() => side).value);
  return {
    report: {
      status: conflicts.length > 0 ? 'conflict' : 'merged',
      text,
      value: merged.value,
      applied: merged.applied.map(describe),
      conflicts: conflicts.map(describe),
    },
    markedText: merged.conflicts.length > 0 ? markConflicts(text, sideText('mine'), sideText('live')) : text,
  };
}

function findSchema({ mine, openApi }: MergeInput): MergeSchema {
  const gvk = gvkOf(mine) ?? { group: '', version: '', kind: '' };
  for (const document of openApi) {
    const schema = schemaFromOpenApi(document, gvk);
    if (schema !== undefined) return schema;
  }
  return builtinSchema(gvk);
}

/** A status is the server's own unless mine has changed it. */
function hasOwnStatus({ base, mine }: MergeInput): boolean {
  const [before, ours] = [memberAt(base, 'status'), memberAt(mine, 'status')];
  return ours !== undefined && !jsonEqual(before, ours);
}

function isOtherObject(base: JsonObject, live: JsonObject): boolean {
  const [before, after] = [memberAt(base, 'metadata', 'uid'), memberAt(live, 'metadata', 'uid')];
  return before !== undefined && after !== undefined && before !== after;
}

function recreatedConflict({ base, mine, live }: MergeInput): Conflict {
  const uids = Object.entries({ base, mine, live }).flatMap(([side, object]) => {
    const uid = memberAt(object, 'metadata', 'uid');
    return uid === undefined ? [] : [[side, uid] as const];
  });
  return {
    path: ['metadata', 'uid'].map((key) => ({ kind: 'member', key })),
    ...Object.fromEntries(uids),
    note: 'live is another object: it was deleted and created again',
  };
}

function describeEntry({ path, ...rest }: AppliedChange | Conflict, { base, live }: MergeInput): JsonObject {
  const [before, after] = [base, live].map((object) => memberAt(object, 'metadata', 'managedFields'));
  const blame = findBlame(after, before, path);
  return { path: printFieldPath(path), ...(rest as Partial<JsonObject>), ...blame };
}
