import { memberAt } from '../core/json.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import { newestOf } from '../core/session/viewOf.ts';
import type { SessionRunner } from '../sync/sessionRunner.ts';
import type { DocumentSettings } from './documentServices.ts';

export interface WriteAccessOptions {
  readonly ref: ResourceRef;
  readonly runner: SessionRunner;
  readonly settings: DocumentSettings;
  /** Why the server offers no update of this object, where it does not. */
  readonly fixedReason?: string;
}

/** Tells the session why its document may only be read, as settings, rights and connections change. */
export class WriteAccess {
  readonly #options: WriteAccessOptions;
  /** Why the server would refuse a write, as far as it said; asked anew before each save. */
  #missingRight: string | undefined;
  #connectionProblem: string | undefined;

  constructor(options: WriteAccessOptions) {
    this.#options = options;
  }

  /** The server was said to refuse writes; by now it may not. */
  get isMissingRight(): boolean {
    return this.#missingRight !== undefined;
  }

  /** Says why the server would refuse a write; undefined where it would not. */
  setMissingRight(reason: string | undefined): void {
    this.#missingRight = reason;
    this.update();
  }

  /** Says why the cluster that the document was opened from is out of reach for good; undefined where it is not. */
  setConnectionProblem(problem: string | undefined): void {
    this.#connectionProblem = problem;
    this.update();
  }

  /** Derives the reason anew. */
  update(): void {
    const { ref, runner, settings, fixedReason } = this.#options;
    const reason =
      this.#connectionProblem ??
      settings.readOnlyReason(ref.context) ??
      fixedReason ??
      this.#mirrorReason ??
      this.#missingRight;
    if (reason !== runner.view.readOnlyReason) runner.dispatch({ kind: 'readOnlyChanged', reason });
  }

  /** Source: Kubernetes documentation, "Static Pods": the kubelet undoes what is changed of a mirror pod. */
  get #mirrorReason(): string | undefined {
    const { ref, runner } = this.#options;
    const { object } = newestOf(runner.state.live);
    const mirrored = memberAt(object, 'metadata', 'annotations', 'kubernetes.io/config.mirror');
    return ref.gvr.resource === 'pods' && mirrored !== undefined
      ? 'This is the mirror of a static pod: it is changed in the manifest on its node, and only there.'
      : undefined;
  }
}
