import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundleExtension } from '../../esbuild.mjs';
import { packVsix } from '../../scripts/packaging/packVsix.ts';
import type { Figure } from './figure.ts';

/** What a user downloads, and what is loaded at activation and later. */
export async function run(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-bench-'));
  try {
    const vsix = join(folder, 'kubemerge.vsix');
    await packVsix(vsix);
    const { files } = await bundleExtension({ isProduction: true, outFolder: join(folder, 'bundle') });
    const bundles = files.filter(({ path }) => path.endsWith('.cjs'));
    return [
      { name: 'VSIX', value: (await stat(vsix)).size / 1024, unit: 'KB' },
      ...bundles.map(({ path, bytes }): Figure => {
        const isActivation = basename(path) === 'extension.cjs';
        const name = isActivation ? 'loaded at activation' : `loaded later: ${basename(path)}`;
        return { name, value: bytes / 1024, unit: 'KB' };
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
