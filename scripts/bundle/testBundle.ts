import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repositoryRoot } from '../repository.ts';

/**
 * Bundles a test file to CommonJS, since an extension host loads nothing else reliably.
 *
 * @param file TypeScript or JavaScript
 * @param outfile below the project, so that packages are found from there
 */
export async function bundleTest(file: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [file],
    outfile,
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
