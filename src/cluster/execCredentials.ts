import { type ExecCredential, type ExecResult, type ExecSurroundings, runExecPlugin } from './execPlugin.ts';
import type { KubeCluster, KubeUser } from './kubeconfigModel.ts';
import { SharedWork } from './sharedWork.ts';

/** How long before its expiry a credential is replaced, in ms; one that lives shortly, half-way to it. */
const refreshEarlyMs = 10_000;

interface Slot {
  readonly work: SharedWork<ExecResult>;
  credential?: ExecCredential;
  /** When another is asked for, in ms since the epoch; undefined for one that holds until it is refused. */
  renewAt?: number | undefined;
}

/**
 * Runs credential plugins, each once for all who want its answer, and keeps the answers until they expire
 * or the server refuses them (issue case D4). Contexts with the same plugin set-up share one answer.
 */
export class ExecCredentials {
  readonly #surroundings: ExecSurroundings;
  readonly #slots = new Map<string, Slot>();

  constructor(surroundings: ExecSurroundings) {
    this.#surroundings = surroundings;
  }

  /** The credential to send now; runs the plugin where there is none. A failure is not kept. */
  async obtain(user: KubeUser, cluster: KubeCluster, signal: AbortSignal): Promise<ExecResult> {
    const { exec } = user;
    if (exec === undefined) return { kind: 'misconfigured', message: 'this user has no credential plugin' };
    const slot = this.#slotOf(user, cluster);
    const kept = slot.credential;
    const isGood = slot.renewAt === undefined || slot.renewAt > this.#surroundings.clock.now();
    if (kept !== undefined && isGood) return { kind: 'ok', value: kept };
    return slot.work.join(async (workSignal) => {
      const result = await runExecPlugin(exec, cluster, this.#surroundings, workSignal);
      if (result.kind === 'ok') this.#keep(slot, result.value);
      return result;
    }, signal);
  }

  /** Takes a credential that a plugin gave in a terminal. */
  accept(user: KubeUser, cluster: KubeCluster, credential: ExecCredential): void {
    this.#keep(this.#slotOf(user, cluster), credential);
  }

  /** Forgets a credential that the server refused, unless a newer one has taken its place. */
  drop(user: KubeUser, cluster: KubeCluster, refused: ExecCredential): void {
    const slot = this.#slotOf(user, cluster);
    if (slot.credential === refused) delete slot.credential;
  }

  #keep(slot: Slot, credential: ExecCredential): void {
    const { expiresAt } = credential;
    slot.credential = credential;
    // A plugin may hand on what is about to expire: not every request may run it again.
    const lifeMs = expiresAt === undefined ? 0 : Math.max(0, expiresAt - this.#surroundings.clock.now());
    slot.renewAt = expiresAt === undefined ? undefined : expiresAt - Math.min(refreshEarlyMs, lifeMs / 2);
  }

  #slotOf(user: KubeUser, cluster: KubeCluster): Slot {
    const { exec } = user;
    const told =
      exec?.provideClusterInfo === true ? { ...cluster, ca: cluster.ca?.toString('base64') } : null;
    const key = JSON.stringify([exec, told]);
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = { work: new SharedWork() };
      this.#slots.set(key, slot);
    }
    return slot;
  }
}
