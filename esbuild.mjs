// node esbuild.mjs [--production] [--watch]: bundles the extension into dist/.
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const extensionEntry = join(root, 'src', 'extension.ts');

/**
 * Bundles src/extension.ts, and each file that a dynamic import names, into a file of its own: `import('./cluster/x.ts')`
 * becomes dist/x.cjs, loaded when that line runs. So activation does not pay for what only a cluster needs.
 *
 * @param {{ isProduction: boolean, outFolder?: string, entry?: string }} options
 * @returns {Promise<{ files: { path: string, bytes: number }[], packages: string[] }>} what was written, and the folders
 *   of the packages in it
 */
export async function bundleExtension({
  isProduction,
  outFolder = join(root, 'dist'),
  entry = extensionEntry,
}) {
  await mkdir(outFolder, { recursive: true });
  // An editor may be reading the old bundles: the new ones take their place whole.
  const partial = await mkdtemp(join(outFolder, 'partial-'));
  /** @type {Map<string, Promise<import('esbuild').Metafile>>} */
  const bundles = new Map();
  /** @param {string} file */
  const bundle = (file) => {
    if (bundles.has(file)) return;
    bundles.set(
      file,
      build(bundleOptions(file, { isProduction, outFolder: partial, onLazyImport: bundle })).then(
        ({ metafile }) => {
          if (metafile === undefined) throw new Error('esbuild made no metafile');
          return metafile;
        },
      ),
    );
  };
  bundle(entry);
  const files = [];
  /** @type {Set<string>} */
  const packages = new Set();
  // The map grows while it is gone through: a bundle's own build finds the lazy ones.
  for (const made of bundles.values()) {
    const { inputs, outputs } = await made;
    for (const [path, { bytes }] of Object.entries(outputs)) {
      files.push({ path: join(outFolder, basename(path)), bytes });
    }
    for (const path of Object.keys(inputs)) {
      const folder = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];
      if (folder !== undefined) packages.add(resolve(folder));
    }
  }
  await putInPlace(partial, outFolder);
  return { files, packages: [...packages].sort() };
}

/**
 * @param {string} partial a folder below `outFolder`
 * @param {string} outFolder
 */
async function putInPlace(partial, outFolder) {
  const made = await readdir(partial);
  for (const name of made) await rename(join(partial, name), join(outFolder, name));
  for (const name of await readdir(outFolder)) {
    if (/\.cjs(\.map)?$/.test(name) && !made.includes(name)) await rm(join(outFolder, name));
  }
  await rm(partial, { recursive: true });
}

/**
 * @param {string} entry
 * @param {{ isProduction: boolean, outFolder: string, onLazyImport: (entry: string) => void }} settings
 * @returns {import('esbuild').BuildOptions}
 */
function bundleOptions(entry, { isProduction, outFolder, onLazyImport }) {
  return {
    entryPoints: [entry],
    outfile: join(outFolder, `${basename(entry, '.ts')}.cjs`),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // `import()` turns into a promise of `require`: the bundles are CommonJS.
    supported: { 'dynamic-import': false },
    external: ['vscode'],
    minify: isProduction,
    sourcemap: isProduction ? false : 'linked',
    metafile: true,
    // The package's own list holds them.
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [lazyBundles(onLazyImport), kubernetesClientWithoutModels],
  };
}

/**
 * @param {(entry: string) => void} onLazyImport
 * @returns {import('esbuild').Plugin}
 */
function lazyBundles(onLazyImport) {
  return {
    name: 'lazy-bundles',
    setup: (bundler) => {
      bundler.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        onLazyImport(resolve(resolveDir, path));
        return { path: `./${basename(path, '.ts')}.cjs`, external: true };
      });
    },
  };
}

/**
 * The package does not say that its modules have no side effects; so every model class would stay.
 *
 * @type {import('esbuild').Plugin}
 */
const kubernetesClientWithoutModels = {
  name: 'kubernetes-client-without-models',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^undici$/ }, () => ({
      path: join(root, 'scripts', 'bundle', 'undiciStub.mjs'),
    }));
    bundler.onResolve({ filter: /^(@kubernetes\/client-node|\.{1,2}\/)/ }, async (args) => {
      const isOurs =
        !args.path.startsWith('@kubernetes/') && !args.importer.includes('@kubernetes/client-node');
      if (isOurs || args.pluginData === 'resolving') return undefined;
      const { kind, importer, resolveDir } = args;
      const found = await bundler.resolve(args.path, { kind, importer, resolveDir, pluginData: 'resolving' });
      return { ...found, sideEffects: false };
    });
  },
};

/** Rebuilds on every change; a lazy bundle that appears meanwhile needs a new start. */
async function watchExtension() {
  const settings = { isProduction: false, outFolder: join(root, 'dist') };
  /** @type {Set<string>} */
  const watched = new Set();
  /** @param {string} entry */
  const watch = (entry) => {
    if (watched.has(entry)) return;
    watched.add(entry);
    void context({ ...bundleOptions(entry, { ...settings, onLazyImport: watch }), logLevel: 'info' }).then(
      (made) => made.watch(),
    );
  };
  watch(extensionEntry);
  await new Promise(() => undefined);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = process.argv.slice(2);
  if (flags.includes('--watch')) await watchExtension();
  const { files } = await bundleExtension({ isProduction: flags.includes('--production') });
  for (const { path, bytes } of files) {
    if (path.endsWith('.cjs')) console.log(`${path} ${(bytes / 1024).toFixed(1)} KB`);
  }
}
