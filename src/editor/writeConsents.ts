import { type JsonObject, memberAt } from '../core/json.ts';
import { findKeepers, type Keeper } from '../core/resource/keepers.ts';
import { refKey, type ResourceRef } from '../core/resource/resourceRef.ts';
import type { DryRunResult } from '../core/session/saveResult.ts';
import { findAutoscaler } from '../sync/autoscalers.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClusterPort, WriteConsent } from '../sync/clusterPort.ts';
import type { RefusedTrial, SaveQuestion } from '../sync/sessionRunner.ts';
import type { AcknowledgedKeepers } from './acknowledgedKeepers.ts';
import type { DocumentSettings } from './documentServices.ts';
import { listPaths } from './fieldWords.ts';
import { describeKeeper, nameKeepers } from './keeperWords.ts';
import type { LiveDocument } from './liveDocuments.ts';
import type { Notifier } from './notifier.ts';
import { nameObject, namePlace } from './objectWords.ts';

/** A write that is about to be sent. */
export interface ConsentRequest {
  readonly action: 'save' | 'create' | 'scale' | 'delete' | 'removeFinalizers';
  readonly ref: ResourceRef;
  /** The object as it is, or as it is to be created: for its kind, and who keeps it. */
  readonly object?: JsonObject | undefined;
  /** What else the person should know, in sentences. */
  readonly detail?: string | undefined;
  /** Where it is, of a write that sets the number of replicas: an autoscaler may set it too. */
  readonly scalesOn?: Pick<ClusterPort, 'list'> | undefined;
}

export interface WriteConsentDependencies {
  readonly settings: Pick<DocumentSettings, 'previewsProtectedSaves' | 'readOnlyReason' | 'protectedReason'>;
  readonly notifier: Notifier;
  readonly acknowledged: AcknowledgedKeepers;
  readonly clock: Clock;
  /** Shows what the server would make of a save and asks for it. */
  readonly preview: (
    document: LiveDocument,
    result: Extract<DryRunResult, { readonly kind: 'previewed' }>,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/**
 * Makes the consents that writes are sent with. A protected context demands a person's yes to each; an object
 * that someone else keeps as it is asks for one once. A question is a dialog over the whole window: a save that
 * waits for it is waited for by nobody who could do something else meanwhile.
 */
export class WriteConsents {
  readonly #dependencies: WriteConsentDependencies;
  /** Objects whose keepers are told with the result at the moment, by key. */
  readonly #told = new Map<string, number>();

  constructor(dependencies: WriteConsentDependencies) {
    this.#dependencies = dependencies;
  }

  /** @returns undefined for a no, and where a protected context demands a yes and nobody can be asked */
  async ask(request: ConsentRequest, signal?: AbortSignal): Promise<WriteConsent | undefined> {
    const { context } = request.ref;
    const keepers = await this.#keepersToWarnOf(request, signal);
    let reason = this.#protectedReason(context);
    if (reason === undefined) {
      const consent = await this.#warn(request, keepers, signal);
      // A setting may change while a question is open.
      reason = this.#protectedReason(context);
      if (consent === undefined || reason === undefined) return consent;
    }
    const isDestructive = request.action === 'delete' || request.action === 'removeFinalizers';
    const isAgreed = isDestructive
      ? await this.#askName(request)
      : await this.#askPlainly(request, reason, keepers);
    if (!isAgreed || signal?.aborted === true) return undefined;
    await this.#acknowledge(request, keepers);
    return { context };
  }

  /** Asks for a save, after its dry run where a setting wants that. */
  async askSave(
    document: LiveDocument,
    cluster: Pick<ClusterPort, 'list'>,
    { on, object, tryOut, isAskedAgain, signal }: SaveQuestion,
  ): Promise<WriteConsent | RefusedTrial | undefined> {
    const { ref } = document;
    const isScaled = memberAt(on.object, 'spec', 'replicas') !== memberAt(object, 'spec', 'replicas');
    const scalesOn = isScaled ? cluster : undefined;
    const detail = isAskedAgain ? describeAskedAgain(document) : undefined;
    const request = { action: 'save', ref, object: on.object, scalesOn, detail } as const;
    const reason = this.#protectedReason(ref.context);
    if (reason === undefined || !this.#dependencies.settings.previewsProtectedSaves) {
      return await this.ask(request, signal);
    }
    const consent = await this.#warn(request, await this.#keepersToWarnOf(request, signal), signal);
    if (consent === undefined) return undefined;
    const trial = await tryOut();
    if (!('outcome' in trial)) {
      const isAgreed = await this.#dependencies.preview(document, trial, signal);
      return isAgreed && !signal.aborted ? consent : undefined;
    }
    const { outcome } = trial;
    if (outcome.kind !== 'rejected' || outcome.denial?.kind !== 'dryRunUnsupported') return trial;
    const untried = `It cannot be tried out first: the admission webhook ${outcome.denial.name} has side effects.`;
    const isAgreed = await this.#askPlainly({ ...request, detail: lines(detail, untried) }, reason, []);
    return isAgreed && !signal.aborted ? consent : undefined;
  }

  /**
   * Runs what a program asked for, which no warning shall hold up: who else keeps the object is told with the
   * result instead. A protected context asks all the same.
   */
  async tellingKeepers<T>(ref: ResourceRef, run: () => Promise<T>): Promise<T> {
    const key = refKey(ref);
    this.#told.set(key, (this.#told.get(key) ?? 0) + 1);
    try {
      return await run();
    } finally {
      const left = (this.#told.get(key) ?? 1) - 1;
      if (left === 0) this.#told.delete(key);
      else this.#told.set(key, left);
    }
  }

  /** Undefined also for a read-only context: it is refused where writes are sent, with its own words. */
  #protectedReason(context: string): string | undefined {
    const { settings } = this.#dependencies;
    return settings.readOnlyReason(context) === undefined ? settings.protectedReason(context) : undefined;
  }

  async #keepersToWarnOf(request: ConsentRequest, signal?: AbortSignal): Promise<readonly Keeper[]> {
    const { action, ref, object, scalesOn } = request;
    const { settings, acknowledged, clock } = this.#dependencies;
    const isReadOnly = settings.readOnlyReason(ref.context) !== undefined;
    if (isReadOnly || object === undefined || (action !== 'save' && action !== 'scale')) return [];
    const autoscaler =
      scalesOn &&
      (await findAutoscaler(scalesOn, ref, object, clock, signal ?? new AbortController().signal));
    const keepers = findKeepers(object);
    return acknowledged.unknownOf(ref, object, autoscaler === undefined ? keepers : [...keepers, autoscaler]);
  }

  async #acknowledge({ ref, object = {} }: ConsentRequest, keepers: readonly Keeper[]): Promise<void> {
    await this.#dependencies.acknowledged.add(ref, object, keepers);
  }

  /** Warns once of those who may undo the write; where nobody can be asked, the result will tell of them. */
  async #warn(
    request: ConsentRequest,
    keepers: readonly Keeper[],
    signal?: AbortSignal,
  ): Promise<WriteConsent | undefined> {
    const { action, ref, object, detail } = request;
    const { context } = ref;
    if (keepers.length === 0) return { context };
    if (this.#told.has(refKey(ref))) return { context, keepers };
    const { notifier } = this.#dependencies;
    const confirmation = `${verbs[action]} Anyway`;
    const answer = await notifier.ask({
      message: `${nameKeepers(keepers)} may undo your change to ${nameObject(ref, object)}.`,
      detail: lines(
        detail,
        ...keepers.map(describeKeeper),
        '',
        `Namespace and context: ${namePlace(ref)}. ${confirmation} is remembered for this object.`,
      ),
      confirmation,
    });
    if (answer === 'unasked') return { context, keepers };
    if (answer === 'no' || signal?.aborted === true) return undefined;
    await this.#acknowledge(request, keepers);
    return { context };
  }

  #askPlainly(
    { action, ref, object, detail }: ConsentRequest,
    reason: string,
    keepers: readonly Keeper[],
  ): Promise<boolean> {
    const verb = verbs[action];
    return this.#dependencies.notifier.confirm({
      message: `${verb} ${nameObject(ref, object)} in ${ref.context}?`,
      detail: lines(
        `Namespace and context: ${namePlace(ref)}.`,
        detail,
        ...keepers.map(describeKeeper),
        reason,
      ),
      confirmation: `${verb} in ${ref.context}`,
    });
  }

  /** The name has to be typed: a destructive action is not confirmed by a key too many. */
  #askName({ action, ref, object, detail }: ConsentRequest): Promise<boolean> {
    return this.#dependencies.notifier.askName({
      title: `${verbs[action]} ${nameObject(ref, object)} in the protected context ${ref.context}`,
      prompt: [detail, `Type ${ref.name} to confirm.`].filter((line) => line !== undefined).join(' '),
      name: ref.name,
    });
  }
}

const verbs: Readonly<Record<ConsentRequest['action'], string>> = {
  save: 'Save',
  create: 'Create',
  scale: 'Scale',
  delete: 'Delete',
  removeFinalizers: 'Remove finalizers of',
};

/** The first answer was about something else. */
function describeAskedAgain({ ref, liveObject, view }: LiveDocument): string {
  const foreign =
    view.foreign.length === 0 ? '' : ` What others changed comes into it: ${listPaths(view.foreign)}.`;
  return `${nameObject(ref, liveObject)} changed since you were asked; nothing was sent yet.${foreign}`;
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((line) => line !== undefined).join('\n');
}
