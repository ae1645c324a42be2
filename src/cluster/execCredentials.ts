import { type ExecCredential, type ExecResult, type ExecSurroundings, runExecPlugin } from './execPlugin.ts';
import type { KubeCluster, KubeUser } from './kubeconfigModel.ts';
import { SharedWork } from './sharedWork.ts';

/** How long before its expiry a credential is replaced, in ms. */
const refreshEarlyMs = 10_000;

interface Slot {
  readonly work: SharedWork<ExecResult>;
  credential?: ExecCredential;
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
    const now = this.#surroundings.clock.now();
    if (kept !== undefined && (kept.expiresAt === undefined || kept.expiresAt - refreshEarlyMs > now)) {
      return { kind: 'ok', value: kept };
    }
    return slot.work.join(async (workSignal) => {
      const result = await runExecPlugin(exec, cluster, this.#surroundings, workSignal);
      if (result.kind === 'ok') slot.credential = result.value;
      return result;
    }, signal);
  }

  /** Takes a credential that a plugin gave in a terminal. */
  accept(user: KubeUser, cluster: KubeCluster, credential: ExecCredential): void {
    this.#slotOf(user, cluster).credential = credential;
  }

  /** Forgets a credential that the server refused, unless a newer one has taken its place. */
  drop(user: KubeUser, cluster: KubeCluster, refused: ExecCredential): void {
    const slot = this.#slotOf(user, cluster);
    if (slot.credential === refused) delete slot.credential;
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
