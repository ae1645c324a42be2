import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { progress } from '../bootstrap/cache.mjs';
import { runCommand } from '../bootstrap/command.mjs';

/**
 * Installs Debian packages where this process may; elsewhere says how.
 *
 * @param reason what they are needed for
 * @throws {Error} the exact command to run, where the process is not root or has no apt
 */
export async function installDebianPackages(packages: readonly string[], reason: string): Promise<void> {
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || findInPath('apt-get') === undefined) {
    throw new Error(`${reason}: install them first, on Debian or Ubuntu with: sudo ${command}`);
  }
  progress(`${packages.join(', ')}: not installed; ${reason}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another apt at work is waited for.
  const patience = ['-o', 'DPkg::Lock::Timeout=300'];
  await runCommand('apt-get', [...patience, 'update'], { title: 'apt-get update', env });
  await runCommand('apt-get', [...patience, ...command.split(' ').slice(1)], { title: command, env });
}

/** @returns the full path of an executable in PATH, or undefined */
export function findInPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
