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
    const eager = bundles.filter(({ isLazy }) => !isLazy).reduce((sum, { bytes }) => sum + bytes, 0);
    return [
      { name: 'VSIX', value: (await stat(vsix)).size / 1024, unit: 'KB' },
      { name: 'loaded at activation', value: eager / 1024, unit: 'KB', goal: 300 },
      ...bundles
        .filter(({ isLazy }) => isLazy)
        .map(({ path, bytes }): Figure => {
          const name = basename(path).replace(/-\w+\.cjs$/, '');
          return { name: `loaded later: ${name}`, value: bytes / 1024, unit: 'KB' };
        }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
