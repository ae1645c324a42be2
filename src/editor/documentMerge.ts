import { isJsonObject, type JsonObject, memberAt } from '../core/json.ts';
import { printFieldPath } from '../core/merge/fieldPath.ts';
import type { MergeResult } from '../core/merge/mergeResult.ts';
import { rebase } from '../core/merge/rebase.ts';
import { decideConflicts, takeSide } from '../core/merge/takeSide.ts';
import { mergeThreeWay } from '../core/merge/threeWay.ts';
import { foldStringData, toEditable, withoutVersion, withVersion } from '../core/resource/editableObject.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import type { ReviewRequest } from '../core/session/saveResult.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { renderSpelled } from '../core/text/secretText.ts';
import type { AcceptOutcome, MergeInputs } from './liveDocuments.ts';
import type { OpenDocument } from './openDocument.ts';

/** What the texts of one merge were made from; objects are editable forms. */
interface MergeOrigin {
  readonly mine: JsonObject;
  readonly live: Snapshot;
}

/** The texts of merging a document with live, and the ways of taking a result into it. */
export class DocumentMerge {
  readonly #document: OpenDocument;
  readonly #origins = new WeakMap<MergeInputs, MergeOrigin>();

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  /** mine's text made to hold live's value; it names the version that mine names, so that only fields differ. */
  liveText(): string | undefined {
    const { text, liveObject } = this.#document;
    const read = this.#read(text);
    if (read === undefined || liveObject === undefined) return undefined;
    const live = toEditable(liveObject, this.#document.runner.state.traits);
    return this.#edit(text, keepVersion(live, read));
  }

  inputs(): MergeInputs | undefined {
    const { text, runner } = this.#document;
    const { state } = runner;
    const read = this.#read(text);
    const base = state.ledger.get(state.named);
    if (read === undefined || base === undefined || state.live.kind !== 'present') return undefined;
    const mine = foldStringData(withoutVersion(read));
    return this.#makeInputs(this.#edit(text, withoutVersion(read)), base.object, mine, state.live.snapshot);
  }

  inputsOf({ base, mine, on }: ReviewRequest): MergeInputs {
    const { text, spelling } = this.#document;
    const readable = this.#read(text) === undefined ? renderSpelled(mine, spelling) : text;
    return this.#makeInputs(this.#edit(readable, mine), base, mine, on);
  }

  async accept(inputs: MergeInputs, resultText: string): Promise<AcceptOutcome> {
    const origin = this.#origins.get(inputs);
    const { live } = this.#document.runner.state;
    if (origin === undefined) return refused('This merge belongs to another document.');
    if (live.kind === 'deleted') return refused('The object no longer exists. Your text is kept.');
    if (live.kind === 'recreated') {
      return refused(
        'The object was deleted and created anew, and this is about the old one. Your text is kept.',
      );
    }
    const read = readDocument(resultText, this.#schema);
    if (read.kind === 'invalid') {
      return { kind: 'invalid', message: read.problems[0]?.message ?? 'The result cannot be read.' };
    }
    let accepted = foldStringData(withoutVersion(read.value));

    if (live.snapshot.resourceVersion !== origin.live.resourceVersion) {
      const before = this.#editable(origin.live);
      const onNewLive = mergeThreeWay(before, accepted, this.#editable(live.snapshot), this.#schema);
      if (onNewLive.conflicts.length > 0) {
        const text = this.#edit(resultText, withoutVersion(read.value));
        return { kind: 'conflicted', inputs: this.#makeInputs(text, before, accepted, live.snapshot) };
      }
      accepted = asObject(onNewLive.value, accepted);
    }
    if (this.#document.textVersion !== inputs.documentVersion) {
      const now = this.#read(this.#document.text);
      if (now === undefined) return refused('Your text has errors by now. Mend them, then accept again.');
      const mineNow = foldStringData(withoutVersion(now));
      const withTyping = mergeThreeWay(origin.mine, accepted, mineNow, this.#schema);
      if (withTyping.conflicts.length > 0) {
        const paths = withTyping.conflicts.map(({ path }) => printFieldPath(path)).join(', ');
        return refused(
          `You changed ${paths} in the text since the merge began, and differently in the result.`,
        );
      }
      accepted = asObject(withTyping.value, accepted);
    }
    const text = this.#edit(resultText, withVersion(accepted, live.snapshot));
    const isApplied = await this.#document.replaceText(text, live.snapshot);
    return isApplied ? { kind: 'accepted', text } : refused('The editor did not take the merged text.');
  }

  /** Decides conflicts without the merge editor; all of them, or the one at a printed path. */
  async resolve(side: 'mine' | 'live', path?: string): Promise<boolean> {
    const { text, runner } = this.#document;
    const { state } = runner;
    const read = this.#read(text);
    if (read === undefined || state.live.kind !== 'present') return false;
    const { snapshot } = state.live;
    const live = this.#editable(snapshot);
    const mine = foldStringData(withoutVersion(read));
    // Without a base, one side as a whole is all that there is to choose.
    const base = state.ledger.get(state.named)?.object;
    if (base === undefined) {
      const whole = side === 'mine' ? mine : live;
      return await this.#document.replaceText(this.#edit(text, withVersion(whole, snapshot)), snapshot);
    }
    const unresolved = mergeThreeWay(base, mine, live, this.#schema);
    const choices = path === undefined ? side : new Map([[path, side]]);
    const resolved = takeSide(base, mine, live, this.#schema, choices);
    if (path !== undefined && resolved.conflicts.length === unresolved.conflicts.length) return false;
    if (resolved.conflicts.length === 0) {
      const merged = asObject(resolved.value, mine);
      return await this.#document.replaceText(this.#edit(text, withVersion(merged, snapshot)), snapshot);
    }
    return path !== undefined && (await this.#resolveOne(side, path, mine, read));
  }

  /** Settles one conflict of several: the others keep the base that they have. */
  async #resolveOne(
    side: 'mine' | 'live',
    path: string,
    mine: JsonObject,
    read: JsonObject,
  ): Promise<boolean> {
    const { state } = this.#document.runner;
    const base = state.ledger.get(state.named);
    if (base === undefined || state.live.kind !== 'present') return false;
    const live = this.#editable(state.live.snapshot);
    const decision = decideConflicts(base.object, mine, live, this.#schema, new Set([path]), side);
    if (decision === undefined) return false;
    if (side === 'live') {
      const text = this.#edit(this.#document.text, keepVersion(asObject(decision.mine, mine), read));
      if (!(await this.#document.editText(text))) return false;
      // What was taken is no change of mine: should live go on, and be it back, the text follows.
      const settled = decideConflicts(base.object, mine, live, this.#schema, new Set([path]), 'mine');
      if (settled !== undefined) this.#settleBase(base.object, asObject(settled.base, base.object));
      return true;
    }
    this.#settleBase(base.object, asObject(decision.base, base.object));
    return true;
  }

  /** Brings a change of base into the base that the text has by now. */
  #settleBase(from: JsonObject, to: JsonObject): void {
    const { runner } = this.#document;
    const { ledger, named } = runner.state;
    const base = ledger.get(named);
    if (base === undefined) return;
    const object = rebase(from, to, base.object, this.#schema);
    const expected = rebase(from, to, base.expected, this.#schema);
    runner.dispatch({ kind: 'baseSettled', named, base: { ...base, object, expected } });
  }

  #makeInputs(text: string, base: JsonObject, mine: JsonObject, live: Snapshot): MergeInputs {
    const liveObject = this.#editable(live);
    const merged = mergeThreeWay(base, mine, liveObject, this.#schema);
    const inputs: MergeInputs = {
      documentVersion: this.#document.textVersion,
      liveVersion: live.resourceVersion,
      conflicts: merged.conflicts,
      base: this.#edit(text, base),
      mine: text,
      live: this.#edit(text, liveObject),
      result: this.#edit(text, asObject(merged.value, mine)),
    };
    this.#origins.set(inputs, { mine, live });
    return inputs;
  }

  get #schema(): OpenDocument['runner']['state']['schema'] {
    return this.#document.runner.state.schema;
  }

  #editable(snapshot: Snapshot): JsonObject {
    return toEditable(snapshot.object, this.#document.runner.state.traits);
  }

  #edit(text: string, target: JsonObject): string {
    return this.#document.edit(text, target);
  }

  #read(text: string): JsonObject | undefined {
    const read = readDocument(text, this.#schema);
    return read.kind === 'ok' ? read.value : undefined;
  }
}

/** The object with the version and uid that a text has, where it has them. */
function keepVersion(object: JsonObject, text: JsonObject): JsonObject {
  const resourceVersion = memberAt(text, 'metadata', 'resourceVersion');
  const uid = memberAt(text, 'metadata', 'uid');
  const metadata = memberAt(object, 'metadata');
  return {
    ...object,
    metadata: {
      ...(isJsonObject(metadata) ? metadata : {}),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(uid === undefined ? {} : { uid }),
    },
  };
}

function asObject(value: MergeResult['value'], otherwise: JsonObject): JsonObject {
  return isJsonObject(value) ? value : otherwise;
}

function refused(message: string): AcceptOutcome {
  return { kind: 'refused', message };
}
