import type { Outcome } from '../core/errors.ts';
import type { Disposable } from '../core/lifecycle.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ClusterPort, Discovery } from '../sync/clusterPort.ts';

/** The kinds that one context serves: asked for once, and again when told to. */
export class ContextDiscovery implements Disposable {
  readonly #cluster: Pick<ClusterPort, 'discover'>;
  readonly #onChange: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #lifetime = new AbortController();
  #outcome: Outcome<Discovery> | undefined;
  #underWay: Promise<void> | undefined;

  constructor(
    cluster: Pick<ClusterPort, 'discover'>,
    onChange: () => void,
    onError: (error: unknown) => void,
  ) {
    this.#cluster = cluster;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** The last answer; undefined before the first. */
  get outcome(): Outcome<Discovery> | undefined {
    return this.#outcome;
  }

  get types(): readonly ResourceType[] {
    return this.#outcome?.kind === 'ok' ? this.#outcome.value.types : [];
  }

  /** Resolves when there is an outcome; asks where there is none. Never rejects. */
  ensure(): Promise<void> {
    return this.#outcome === undefined ? this.#ask(false) : Promise.resolve();
  }

  /** Asks anew, unless nobody has asked yet. The last answer stands until the next. */
  refresh(): void {
    if (this.#outcome !== undefined) void this.#ask(true);
  }

  dispose(): void {
    this.#lifetime.abort();
  }

  #ask(refresh: boolean): Promise<void> {
    this.#underWay ??= this.#cluster.discover(this.#lifetime.signal, { refresh }).then(
      (outcome) => {
        this.#end(outcome);
      },
      (error: unknown) => {
        this.#onError(error);
        this.#end({ kind: 'interrupted', message: 'The kinds could not be read.' });
      },
    );
    return this.#underWay;
  }

  #end(outcome: Outcome<Discovery>): void {
    this.#underWay = undefined;
    if (this.#lifetime.signal.aborted) return;
    this.#outcome = outcome;
    this.#onChange();
  }
}
