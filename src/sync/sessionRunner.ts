import { assertNever } from '../core/assertNever.ts';
import type { Outcome, WriteOutcome } from '../core/errors.ts';
import { jsonEqual, type JsonObject } from '../core/json.ts';
import { type Disposable, Emitter } from '../core/lifecycle.ts';
import { toEditable } from '../core/resource/editableObject.ts';
import { metadataString } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import {
  type Precondition,
  type ResourceVersion,
  type Snapshot,
  toSnapshot,
  toUid,
} from '../core/resource/snapshot.ts';
import { planWrite } from '../core/session/planWrite.ts';
import type { DryRunResult, ReviewRequest, SaveResult } from '../core/session/saveResult.ts';
import { findAltered } from '../core/session/alteredFields.ts';
import type { SessionEffect, SessionEvent } from '../core/session/sessionEvent.ts';
import { reduceSession, type SessionStart, startSession } from '../core/session/sessionReducer.ts';
import type { SessionState } from '../core/session/sessionState.ts';
import type { SessionView } from '../core/session/sessionView.ts';
import { viewOf } from '../core/session/viewOf.ts';
import type { Clock } from './clock.ts';
import type { ClusterPort, WriteConsent } from './clusterPort.ts';
import type { Delta } from './delta.ts';
import { Reflector } from './reflector.ts';

export interface SessionRunnerOptions {
  readonly cluster: ClusterPort;
  readonly clock: Clock;
  readonly start: SessionStart;
  /** Asks the user whether these foreign changes may be merged into the save. */
  readonly review: (request: ReviewRequest) => Promise<boolean>;
  /**
   * Asks for a person's consent to what a save is about to send; undefined for a no. The answer holds for all
   * tries that send the same; where others' changes come into it meanwhile, it is asked again.
   */
  readonly askConsent: (question: SaveQuestion) => Promise<WriteConsent | RefusedTrial | undefined>;
  /** The clean text shall take this version, by a minimal edit. */
  readonly follow: (snapshot: Snapshot) => void;
  /** Told what a collaborator threw: a bug, after which the session goes on. */
  readonly onError: (error: unknown) => void;
}

/** What a save is about to send, for those who ask a person about it. */
export interface SaveQuestion {
  /** The live object that the write is about. */
  readonly on: Snapshot;
  /** The whole object that is sent. */
  readonly object: JsonObject;
  /** Sends it for the server to try and not to keep. Never rejects. */
  readonly tryOut: () => Promise<Previewed | RefusedTrial>;
  /** The person agreed before the object changed: this is not what they were shown. */
  readonly isAskedAgain: boolean;
  /** Says that the save was cancelled: the answer is not waited for any longer. */
  readonly signal: AbortSignal;
}

/** The server did not take a write on trial: the save ends, or goes on, as if the write itself had met this. */
export interface RefusedTrial {
  readonly outcome: Exclude<WriteOutcome, { readonly kind: 'committed' }>;
}

type Previewed = Extract<DryRunResult, { readonly kind: 'previewed' }>;

/** How often a dry run is tried on an object that keeps changing. */
const maxDryRuns = 4;

/** How often a read is begun anew because the watch went on meanwhile. */
const maxOvertaken = 3;

/**
 * Runs one session: feeds the reducer with what the watch, the server and the editor say, and does
 * what it asks for. The only owner of the session's state.
 */
export class SessionRunner implements Disposable {
  readonly #options: SessionRunnerOptions;
  readonly #reflector: Reflector;
  readonly #changed = new Emitter<SessionState>();
  readonly #lifetime = new AbortController();
  #state: SessionState;
  #view: SessionView | undefined;
  #finish: ((result: SaveResult) => void) | undefined;
  #saving: Promise<unknown> = Promise.resolve();
  /** What the user agreed to in the save under way, and to what. */
  #agreed: { readonly consent: WriteConsent; readonly to: JsonObject } | undefined;
  /** Ends the question, the pause or the read that a save waits for. */
  #cancelStage: (() => void) | undefined;
  #savesEnded = 0;

  /** Fires after every change of the state. */
  readonly onDidChange = this.#changed.event;

  constructor(options: SessionRunnerOptions) {
    this.#options = options;
    this.#state = startSession(options.start);
    const { name, ...collection } = options.start.ref;
    this.#reflector = new Reflector({
      cluster: options.cluster,
      collection,
      content: 'full',
      streamsLists: true,
      name,
      clock: options.clock,
      onDelta: (delta) => {
        this.#takeDelta(delta);
      },
      onLiveness: (liveness) => {
        this.dispatch({ kind: 'livenessChanged', liveness });
      },
      onError: options.onError,
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  get view(): SessionView {
    return (this.#view ??= viewOf(this.#state));
  }

  /** Starts watching. */
  start(): void {
    this.#reflector.start();
  }

  /** Tries the watch again at once, where it is waiting to. */
  retryWatch(): void {
    this.#reflector.retryNow();
  }

  /** Saves this reading of the text, after any save under way. Never rejects. */
  save(mine: JsonObject, named: ResourceVersion): Promise<SaveResult> {
    const result = this.#saving.then(
      () =>
        new Promise<SaveResult>((resolve) => {
          this.#finish = resolve;
          this.dispatch({ kind: 'saveStarted', mine, named });
        }),
    );
    this.#saving = result;
    return result;
  }

  /** Ends the questions, pauses and reads of a save; a write under way is waited for. */
  cancelSave(): void {
    this.dispatch({ kind: 'saveCancelled' });
    this.#cancelStage?.();
  }

  /**
   * Sends what a save of this reading would send, for the server to try and not to keep. Reads and merges
   * again where the object has changed. Never rejects; leaves the session as it is.
   */
  async dryRun(mine: JsonObject, named: ResourceVersion): Promise<DryRunResult> {
    for (let attempt = 1; ; attempt++) {
      await this.#saving;
      const plan = planWrite(this.#state, mine, named);
      if (plan.kind === 'ended') return plan.result;
      const outcome = await this.#tryOut(plan.precondition, plan.object);
      switch (outcome.kind) {
        case 'committed': {
          const { on, base, merged, applied } = plan;
          const { traits, schema } = this.#state;
          const received = toEditable(outcome.object, traits);
          const { altered } = findAltered({ base, mine }, merged, received, schema);
          const { object: after, warnings } = outcome;
          return { kind: 'previewed', before: on, after, applied, altered, warnings };
        }
        case 'preconditionFailed':
        case 'notFound': {
          if (attempt === maxDryRuns) return { kind: 'preconditionFailed', attempts: attempt };
          const read = await this.refresh();
          if (read.kind !== 'ok' && read.kind !== 'notFound') {
            return { kind: 'notSent', message: read.kind === 'aborted' ? outcome.message : read.message };
          }
          continue;
        }
        default:
          return outcome;
      }
    }
  }

  /** Reads the object afresh, outside a save. */
  async refresh(): Promise<Outcome<Snapshot>> {
    for (let overtaken = 0; ;) {
      await this.#saving;
      const savesEnded = this.#savesEnded;
      const { live } = this.#state;
      const outcome = await this.#get(this.#lifetime.signal);
      if (this.#lifetime.signal.aborted) return { kind: 'aborted' };
      // A save that came between makes the answer's age unknown.
      if (savesEnded !== this.#savesEnded || this.#state.save !== undefined) continue;
      // The watch went on meanwhile: what it has shown already is older than what it shows now.
      if (live !== this.#state.live && this.#state.confirming === undefined) {
        if (this.#isShown(outcome)) return outcome;
        if (++overtaken < maxOvertaken) continue;
      }
      this.dispatch({ kind: 'readFresh', outcome });
      return outcome;
    }
  }

  #isShown(outcome: Outcome<Snapshot>): boolean {
    const { history, live } = this.#state;
    return outcome.kind === 'ok'
      ? history.includes(outcome.value.resourceVersion)
      : outcome.kind !== 'notFound' || live.kind === 'deleted';
  }

  dispatch(event: SessionEvent): void {
    const { state, effects } = reduceSession(this.#state, event);
    if (state !== this.#state) {
      this.#state = state;
      this.#view = undefined;
      this.#changed.fire(state);
    }
    for (const effect of effects) this.#perform(effect);
  }

  /** Stops watching. A save under way goes on to its end. */
  dispose(): void {
    this.#lifetime.abort();
    this.#reflector.dispose();
    this.#changed.dispose();
  }

  #perform(effect: SessionEffect): void {
    switch (effect.kind) {
      case 'write':
        this.#answer(this.#write(effect.precondition, effect.object), (outcome) => ({
          kind: 'wrote',
          outcome,
        }));
        return;
      case 'read':
        this.#answer(this.#readForSave(), (outcome) => ({ kind: 'readAnswered', outcome }));
        return;
      case 'wait':
        this.#wait(effect.pauseMs);
        return;
      case 'review':
        this.#answer(
          this.#options.review(effect.request),
          (isAccepted) => ({ kind: 'reviewed', isAccepted }),
          {
            kind: 'reviewed',
            isAccepted: false,
          },
        );
        return;
      case 'confirmLive':
        this.refresh().catch(this.#options.onError);
        return;
      case 'finishSave': {
        this.#savesEnded++;
        const finish = this.#finish;
        this.#finish = undefined;
        const consent = this.#agreed?.consent;
        this.#agreed = undefined;
        finish?.(withKeepers(effect.result, consent));
        return;
      }
      case 'follow':
        this.#options.follow(effect.snapshot);
        return;
      default:
        assertNever(effect);
    }
  }

  #answer<T>(pending: Promise<T>, toEvent: (value: T) => SessionEvent, onThrow?: SessionEvent): void {
    pending.then(
      (value) => {
        this.dispatch(toEvent(value));
      },
      (error: unknown) => {
        this.#options.onError(error);
        if (onThrow !== undefined) this.dispatch(onThrow);
      },
    );
  }

  async #write(precondition: Precondition, object: JsonObject): Promise<WriteOutcome> {
    const { cluster, start } = this.#options;
    try {
      const answer = await this.#consentTo(precondition, object);
      if (answer === undefined) {
        this.dispatch({ kind: 'saveCancelled' });
        return { kind: 'notSent', message: 'The save was not confirmed.' };
      }
      if ('outcome' in answer) return answer.outcome;
      // Not ended by dispose: an aborted write would leave its result unknown.
      const signal = new AbortController().signal;
      const request = { kind: 'update', ...partOf(start.ref), precondition, object } as const;
      return await cluster.write(request, signal, answer);
    } catch (error) {
      this.#options.onError(error);
      return { kind: 'unknown', message: 'The save ended in an internal error.' };
    }
  }

  /** Sends a write for the server to try and not to keep; that needs nobody's consent. */
  async #tryOut(precondition: Precondition, object: JsonObject): Promise<WriteOutcome> {
    const { cluster, start } = this.#options;
    try {
      const request = { kind: 'update', ...partOf(start.ref), precondition, object, isDryRun: true } as const;
      return await cluster.write(request, this.#lifetime.signal);
    } catch (error) {
      this.#options.onError(error);
      return { kind: 'unknown', message: 'The dry run ended in an internal error.' };
    }
  }

  /** An answer to another plan is none: a race may have brought into the save what nobody was shown. */
  async #consentTo(
    precondition: Precondition,
    object: JsonObject,
  ): Promise<WriteConsent | RefusedTrial | undefined> {
    const plan = toEditable(object, this.#state.traits);
    if (this.#agreed !== undefined && jsonEqual(this.#agreed.to, plan)) return this.#agreed.consent;
    const answer = await this.#askConsent(precondition, object);
    if (answer !== undefined && !('outcome' in answer)) this.#agreed = { consent: answer, to: plan };
    return answer;
  }

  async #askConsent(
    precondition: Precondition,
    object: JsonObject,
  ): Promise<WriteConsent | RefusedTrial | undefined> {
    const on = this.#state.save?.sent?.on;
    if (on === undefined) throw new Error('a write is about a live object');
    const tryOut = (): Promise<Previewed | RefusedTrial> => this.#tryOutSave(precondition, object);
    const attempt = new AbortController();
    const cancelled = new Promise<undefined>((resolve) => {
      this.#cancelStage = () => {
        attempt.abort();
        resolve(undefined);
      };
    });
    try {
      const { signal } = attempt;
      const isAskedAgain = this.#agreed !== undefined;
      const question = { on, object, tryOut, isAskedAgain, signal };
      return await Promise.race([this.#options.askConsent(question), cancelled]);
    } finally {
      this.#cancelStage = undefined;
    }
  }

  /** Tries out what the save under way is about to send. */
  async #tryOutSave(precondition: Precondition, object: JsonObject): Promise<Previewed | RefusedTrial> {
    const { save, traits, schema } = this.#state;
    const outcome = await this.#tryOut(precondition, object);
    if (outcome.kind === 'unknown') return { outcome: { kind: 'notSent', message: outcome.message } };
    if (outcome.kind !== 'committed') return { outcome };
    if (save?.sent === undefined) throw new Error('a save that is tried out is under way');
    const { on, merged } = save.sent;
    const { altered } = findAltered(save, merged, toEditable(outcome.object, traits), schema);
    const { object: after, warnings } = outcome;
    return { kind: 'previewed', before: on, after, applied: save.applied, altered, warnings };
  }

  async #readForSave(): Promise<Outcome<Snapshot>> {
    const attempt = new AbortController();
    this.#cancelStage = () => {
      attempt.abort();
    };
    const outcome = await this.#get(attempt.signal);
    this.#cancelStage = undefined;
    return outcome;
  }

  async #get(signal: AbortSignal): Promise<Outcome<Snapshot>> {
    try {
      const outcome = await this.#options.cluster.get(this.#options.start.ref, signal);
      if (outcome.kind !== 'ok') return outcome;
      const value = toSnapshot(outcome.value);
      return value === undefined
        ? { kind: 'invalidAnswer', message: 'The server answered with an object that has no version.' }
        : { kind: 'ok', value };
    } catch (error) {
      this.#options.onError(error);
      return { kind: 'interrupted', message: 'The read ended in an internal error.' };
    }
  }

  /** A quarter of chance is added, so that two clients do not meet again. */
  #wait(pauseMs: number): void {
    const { clock } = this.#options;
    const proceed = (): void => {
      this.#cancelStage = undefined;
      this.dispatch({ kind: 'waited' });
    };
    const timer = clock.schedule(pauseMs * (1 + 0.25 * clock.random()), proceed);
    this.#cancelStage = () => {
      timer.dispose();
      proceed();
    };
  }

  #takeDelta(delta: Delta): void {
    switch (delta.kind) {
      case 'page':
        return;
      case 'replaced': {
        const snapshot = delta.objects[0] === undefined ? undefined : toSnapshot(delta.objects[0]);
        const news = {
          kind: 'relisted',
          ...(snapshot === undefined ? {} : { snapshot }),
        } as const;
        this.dispatch({ kind: 'watched', news });
        return;
      }
      case 'added':
      case 'modified': {
        const snapshot = toSnapshot(delta.object);
        if (snapshot !== undefined) this.dispatch({ kind: 'watched', news: { kind: 'seen', snapshot } });
        return;
      }
      case 'deleted': {
        const uid = toUid(metadataString(delta.object, 'uid'));
        if (uid !== undefined) this.dispatch({ kind: 'watched', news: { kind: 'gone', uid } });
        return;
      }
      default:
        assertNever(delta);
    }
  }
}

/** Who keeps the object was to be told: the result tells it. */
function withKeepers(result: SaveResult, consent: WriteConsent | undefined): SaveResult {
  const keepers = consent?.keepers ?? [];
  return result.kind === 'committed' && keepers.length > 0 ? { ...result, keepers } : result;
}

/** Where a write of what the session edits goes: the object, or its part. */
function partOf(ref: ResourceRef): { readonly ref: ResourceRef; readonly subresource?: string } {
  return ref.subresource === undefined ? { ref } : { ref, subresource: ref.subresource };
}
