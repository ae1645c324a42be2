import { posix, win32, type PlatformPath } from 'node:path';

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the choice of kubeconfig files depends on. */
export interface PathSurroundings {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** Used where the environment names no home. */
  readonly homeDir: string;
  /** Paths that the user set in the editor; they replace the environment's where there are any. */
  readonly settingPaths: readonly string[];
  readonly exists: (path: string) => boolean;
}

/** Where the paths came from, for words. */
export interface KubeconfigPaths {
  readonly source: 'setting' | 'environment' | 'default';
  readonly paths: readonly string[];
}

export function pathsFor(platform: NodeJS.Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/**
 * Which kubeconfig files to read, in order of precedence.
 * Source: kubectl, "Organizing cluster access using kubeconfig files".
 */
export function findKubeconfigPaths(surroundings: PathSurroundings): KubeconfigPaths {
  const { env, platform, settingPaths } = surroundings;
  const paths = pathsFor(platform);
  const fromSetting = settingPaths.map((path) => path.trim()).filter((path) => path !== '');
  if (fromSetting.length > 0) {
    const home = homeDirectory(surroundings);
    const resolved = fromSetting.map((path) => expandPath(path, home, surroundings));
    return { source: 'setting', paths: unique(resolved) };
  }
  const fromEnvironment = (env.KUBECONFIG ?? '').split(paths.delimiter).filter((path) => path !== '');
  if (fromEnvironment.length > 0) {
    return { source: 'environment', paths: unique(fromEnvironment.map((path) => paths.resolve(path))) };
  }
  return { source: 'default', paths: [paths.join(homeDirectory(surroundings), '.kube', 'config')] };
}

/**
 * The home directory as kubectl finds it.
 * Source: client-go `homedir.HomeDir`: on Windows the first of HOME, HOMEDRIVE+HOMEPATH and USERPROFILE
 * that holds `.kube\config`, else the first that is set of HOME, USERPROFILE, HOMEDRIVE+HOMEPATH.
 */
export function homeDirectory({ env, platform, homeDir, exists }: PathSurroundings): string {
  if (platform !== 'win32') return env.HOME !== undefined && env.HOME !== '' ? env.HOME : homeDir;
  const isSet = (path: string | undefined): path is string => path !== undefined && path !== '';
  const homeDrive = isSet(env.HOMEDRIVE) && isSet(env.HOMEPATH) ? env.HOMEDRIVE + env.HOMEPATH : undefined;
  const holdsConfig = (path: string): boolean => exists(win32.join(path, '.kube', 'config'));
  const candidates = [env.HOME, homeDrive, env.USERPROFILE].filter(isSet);
  const withConfig = candidates.find(holdsConfig);
  if (withConfig !== undefined) return withConfig;
  const present = [env.HOME, env.USERPROFILE, homeDrive].filter(isSet);
  return present.find(exists) ?? present[0] ?? homeDir;
}

/** `~` and, in WSL, Windows paths: people paste both into settings. */
function expandPath(path: string, home: string, { env, platform }: PathSurroundings): string {
  const paths = pathsFor(platform);
  if (path === '~' || path.startsWith('~/') || (platform === 'win32' && path.startsWith('~\\'))) {
    return paths.join(home, path.slice(1));
  }
  const own = isInWsl(env, platform) ? fromWindowsPath(path) : path;
  return paths.isAbsolute(own) ? paths.normalize(own) : paths.resolve(home, own);
}

export function isInWsl(env: Environment, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && env.WSL_DISTRO_NAME !== undefined;
}

/** Where WSL mounts a path with a drive letter; other paths as they are. */
export function fromWindowsPath(path: string): string {
  const windowsPath = /^([A-Za-z]):[\\/](.*)$/.exec(path);
  if (windowsPath === null) return path;
  const [, drive = '', rest = ''] = windowsPath;
  return posix.join('/mnt', drive.toLowerCase(), rest.replaceAll('\\', '/'));
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
