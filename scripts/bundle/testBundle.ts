import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repositoryRoot } from '../repository.ts';

/**
 * Bundles test files to CommonJS, since an extension host loads nothing else reliably.
 *
 * @param entries TypeScript or JavaScript files by the names of their bundles, without `.cjs`
 * @param outdir below the project, so that packages are found from there
 */
export async function bundleTests(entries: Readonly<Record<string, string>>, outdir: string): Promise<void> {
  await build({
    // Together: what many of them import is read and parsed once.
    entryPoints: entries,
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    packages: 'external',
    external: ['vscode'],
    sourcemap: 'inline',
    logLevel: 'error',
    nodePaths: [repositoryRoot],
    plugins: [ownFolders],
  });
}

/** A bundled module still finds the files beside its source. */
const ownFolders: Plugin = {
  name: 'own-folders',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.dirname')) return undefined;
      return {
        contents: text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
        loader: extname(path).endsWith('ts') ? 'ts' : 'js',
      };
    });
  },
};
