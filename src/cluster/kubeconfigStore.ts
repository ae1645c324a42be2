import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Disposable, Emitter, type Event } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { KubeconfigView } from '../sync/clusterPort.ts';
import { inClusterContext } from './inCluster.ts';
import { type MergedKubeconfig, mergeKubeconfigs } from './kubeconfigMerge.ts';
import type { KubeconfigFile, KubeUser, ResolvedContext } from './kubeconfigModel.ts';
import { parseKubeconfig } from './kubeconfigParser.ts';
import { type Environment, findKubeconfigPaths, isInWsl } from './kubeconfigPaths.ts';

/**
 * How often the files are looked at, in ms. Looking at the path sees what folder notifications miss:
 * files created later, replaced by a rename, reached through symlinks, or on network file systems.
 */
export const kubeconfigPollMs = 2_000;

export interface KubeconfigSurroundings {
  readonly env: () => Environment;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  readonly kubeconfigPaths: () => readonly string[];
  /** Where a pod's service account lies; absent for the place that Kubernetes puts it in. */
  readonly serviceAccountFolder?: string;
  readonly clock: Clock;
}

/** Holds what the kubeconfig files say, and follows them. It never writes one (issue case D12). */
export class KubeconfigStore implements Disposable {
  readonly #surroundings: KubeconfigSurroundings;
  readonly #changes = new Emitter<KubeconfigView>();
  #contexts: readonly ResolvedContext[] = [];
  #view: KubeconfigView = { files: [], contexts: [], problems: [] };
  #watched: Watched = { paths: [], fingerprint: '' };
  /** The certificate, key and token files of the users. */
  #credentialFiles: Watched = { paths: [], fingerprint: '' };
  #loading: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #isDisposed = false;

  /**
   * Also where `view` is as before and only credentials or the way to a cluster are new: whoever stopped for want
   * of them tries again.
   */
  readonly onDidChange: Event<KubeconfigView> = this.#changes.event;

  constructor(surroundings: KubeconfigSurroundings) {
    this.#surroundings = surroundings;
  }

  get view(): KubeconfigView {
    return this.#view;
  }

  find(context: string): ResolvedContext | undefined {
    return this.#contexts.find(({ entry }) => entry.name === context);
  }

  /** Reads all files again; the first call also starts following them. */
  async reload(): Promise<void> {
    // A load under way may have read a file before the change that this call is about.
    if (this.#loading !== undefined) await this.#loading;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
    if (this.#timer === undefined) this.#schedulePoll();
  }

  /** Looks at the files at once, and reads them again where one has changed. */
  async checkNow(): Promise<void> {
    const { paths, fingerprint } = this.#watched;
    if ((await fingerprintOf(paths)) !== fingerprint) await this.reload();
    const files = this.#credentialFiles;
    const now = await fingerprintOf(files.paths);
    if (files !== this.#credentialFiles || now === files.fingerprint) return;
    this.#credentialFiles = { ...files, fingerprint: now };
    this.announce();
  }

  /** Has everything that hangs on the kubeconfig try again, such as after a sign-in. */
  announce(): void {
    this.#changes.fire(this.#view);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#changes.dispose();
  }

  async #load(): Promise<void> {
    const { env, platform, homeDir, kubeconfigPaths, serviceAccountFolder } = this.#surroundings;
    const settingPaths = kubeconfigPaths();
    const { paths } = findKubeconfigPaths({ env: env(), platform, homeDir, settingPaths, exists });
    const { merged, watched } = await readMerged(paths, { platform, isWsl: isInWsl(env(), platform) });
    const inCluster =
      merged.contexts.length === 0 ? await inClusterContext(env(), serviceAccountFolder) : undefined;
    const resolved = inCluster === undefined ? merged.contexts : [inCluster];
    const credentialPaths = [...new Set(resolved.flatMap(({ user }) => credentialPathsOf(user)))];
    this.#credentialFiles = { paths: credentialPaths, fingerprint: await fingerprintOf(credentialPaths) };
    const view = { files: paths, contexts: resolved.map(({ entry }) => entry), problems: merged.problems };
    const hasChanged = !isDeepStrictEqual([view, resolved], [this.#view, this.#contexts]);
    this.#watched = watched;
    this.#contexts = resolved;
    this.#view = view;
    if (hasChanged) this.#changes.fire(view);
  }

  #schedulePoll(): void {
    if (this.#isDisposed) return;
    this.#timer = this.#surroundings.clock.schedule(kubeconfigPollMs, () => {
      void this.checkNow().finally(() => {
        this.#schedulePoll();
      });
    });
  }
}

/** What the meaning of a path depends on. */
interface KubeconfigSystem {
  readonly platform: NodeJS.Platform;
  readonly isWsl: boolean;
}

/** Files, such as the kubeconfigs and the certificate authorities that they name, and how they were last seen. */
interface Watched {
  readonly paths: readonly string[];
  /** Taken before the files were read: a change in between is seen by the next look. */
  readonly fingerprint: string;
}

async function readMerged(
  paths: readonly string[],
  system: KubeconfigSystem,
): Promise<{ merged: MergedKubeconfig; watched: Watched }> {
  let watchedPaths = paths;
  for (;;) {
    const fingerprint = await fingerprintOf(watchedPaths);
    const read = await Promise.all(paths.map((path) => readKubeconfig(path, system)));
    const found = new Set(paths);
    const merged = mergeKubeconfigs(
      read.filter((file) => file !== undefined),
      (material) => {
        if (material.kind === 'inline') return Buffer.from(material.base64, 'base64');
        found.add(material.path);
        return readFileSync(material.path);
      },
    );
    const known = new Set(watchedPaths);
    if ([...found].every((path) => known.has(path))) {
      return { merged, watched: { paths: watchedPaths, fingerprint } };
    }
    watchedPaths = [...known, ...[...found].filter((path) => !known.has(path))];
  }
}

function credentialPathsOf({ tokenFile, clientCertificate, clientKey }: KubeUser): readonly string[] {
  const materials = [clientCertificate, clientKey].flatMap((material) =>
    material?.kind === 'file' ? [material.path] : [],
  );
  return tokenFile === undefined ? materials : [...materials, tokenFile];
}

async function readKubeconfig(path: string, system: KubeconfigSystem): Promise<KubeconfigFile | undefined> {
  try {
    return parseKubeconfig(await readFile(path, 'utf8'), path, system);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    const nothing = { clusters: new Map(), users: new Map(), contexts: new Map() };
    const reason = code === 'EISDIR' ? 'is a folder, not a kubeconfig' : `cannot be read (${code})`;
    return { path, ...nothing, problems: [`${path} ${reason}`] };
  }
}

/** Changes whenever one of the paths leads to another file or to other content. */
async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    paths.map(async (path) => {
      try {
        const [target, stats] = await Promise.all([realpath(path), stat(path, { bigint: true })]);
        return [path, target, printStats(stats)];
      } catch (error) {
        return [path, codeOf(error)];
      }
    }),
  );
  return JSON.stringify(parts);
}

function printStats({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'error';
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
