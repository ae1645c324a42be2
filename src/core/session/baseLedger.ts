import type { Json, JsonObject } from '../json.ts';
import { memberAt } from '../json.ts';
import type { MergeSchema } from '../merge/mergeSchema.ts';
import { rebase } from '../merge/rebase.ts';
import { type ObjectTraits, toEditable } from '../resource/editableObject.ts';
import type { ResourceVersion, Snapshot } from '../resource/snapshot.ts';

/** What a text that names one resourceVersion grew from. Objects are editable forms. */
export interface Base {
  /** The version's object, plus the changes (base → mine) that our saves have sent since. */
  readonly object: JsonObject;
  /** The same, plus what the server filled in when it took those saves: live like this is not foreign. */
  readonly expected: JsonObject;
  /** The version's own `metadata.managedFields`, to tell who came after. */
  readonly managedFields: Json | undefined;
}

/** The bases of one document by the resourceVersion that its text may name, oldest first. */
export type BaseLedger = ReadonlyMap<ResourceVersion, Base>;

/** How many bases are kept; undo reaches no further back than this many refreshes. */
export const maxBases = 24;

/** Remembers a version that we wrote, or are about to write, into the text. */
export function recordBase(ledger: BaseLedger, snapshot: Snapshot, traits: ObjectTraits): BaseLedger {
  const object = toEditable(snapshot.object, traits);
  const next = new Map(ledger);
  next.delete(snapshot.resourceVersion);
  next.set(snapshot.resourceVersion, {
    object,
    expected: object,
    managedFields: memberAt(snapshot.object, 'metadata', 'managedFields'),
  });
  for (const oldest of next.keys()) {
    if (next.size <= maxBases) break;
    next.delete(oldest);
  }
  return next;
}

/** One save that landed, in editable forms: the text's base, the text, what was sent, what came back. */
export interface LandedSave {
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly sent: JsonObject;
  /** Absent where a read, not the response, showed that the save had landed: others may have written since. */
  readonly response?: JsonObject;
}

/**
 * Adds a save's own changes to every base, so that undo after it is an edit like any other, while
 * foreign, defaulted and admission changes stay live's. Source: design.md section 2.
 */
export function recordSave(ledger: BaseLedger, save: LandedSave, schema: MergeSchema): BaseLedger {
  const { base, mine, sent, response } = save;
  const next = new Map<ResourceVersion, Base>();
  for (const [resourceVersion, entry] of ledger) {
    const withMine = rebase(base, mine, entry.expected, schema);
    next.set(resourceVersion, {
      ...entry,
      object: rebase(base, mine, entry.object, schema),
      expected: response === undefined ? withMine : rebase(sent, response, withMine, schema),
    });
  }
  return next;
}
