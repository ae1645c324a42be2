// node esbuild.mjs [--production] [--watch]: bundles the extension into dist/.
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context, transform } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

/**
 * Bundles src/extension.ts into dist/extension.cjs, the text worker into dist/textWorker.cjs, and what only an `import()` reaches into files of its own, loaded
 * when that line runs. So activation does not pay for what only a cluster or a document needs. Code that several files
 * need stands in one file beside them: no module is ever loaded twice.
 *
 * @param {{ isProduction: boolean, outFolder?: string }} options
 * @returns {Promise<{ files: { path: string, bytes: number, isLazy: boolean }[], packages: string[] }>} what was
 *   written, `isLazy` where it is not loaded with the extension, and the folders of the packages in it
 */
export async function bundleExtension({ isProduction, outFolder = join(root, 'dist') }) {
  const { files, metafile } = await writeBundle(
    await build(bundleOptions({ isProduction, outFolder })),
    outFolder,
    isProduction,
  );
  /** @type {Set<string>} */
  const packages = new Set();
  for (const path of Object.keys(metafile.inputs)) {
    const folder = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) packages.add(resolve(folder));
  }
  return { files, packages: [...packages].sort() };
}

/**
 * Turns what esbuild made into CommonJS, which it cannot split by itself, and writes it.
 *
 * @param {import('esbuild').BuildResult} result
 * @param {string} outFolder
 * @param {boolean} isProduction
 */
async function writeBundle({ outputFiles = [], metafile }, outFolder, isProduction) {
  if (metafile === undefined) throw new Error('esbuild made no metafile');
  await mkdir(outFolder, { recursive: true });
  // An editor may be reading the old bundles: the new ones take their place whole.
  const partial = await mkdtemp(join(outFolder, 'partial-'));
  const eager = loadedAtOnce(metafile);
  const files = [];
  for (const { path, text } of outputFiles) {
    const { code, map } = await transform(text, {
      format: 'cjs',
      target: 'node22',
      platform: 'node',
      // `import()` turns into a promise of `require`.
      supported: { 'dynamic-import': false },
      minify: isProduction,
      sourcemap: isProduction ? false : 'external',
      sourcefile: path,
      legalComments: 'none',
      logLevel: 'warning',
    });
    const name = basename(path);
    const link = isProduction ? '' : `//# sourceMappingURL=${name}.map\n`;
    await writeFile(join(partial, name), code + link);
    if (!isProduction) await writeFile(join(partial, `${name}.map`), map);
    files.push({ path: join(outFolder, name), bytes: Buffer.byteLength(code), isLazy: !eager.has(name) });
  }
  await putInPlace(partial, outFolder);
  return { files, metafile };
}

/**
 * @param {import('esbuild').Metafile} metafile
 * @returns the names of the files that extension.cjs loads, itself included
 */
function loadedAtOnce({ outputs }) {
  const found = Object.keys(outputs).filter((path) => basename(path) === 'extension.cjs');
  // The list grows while it is gone through.
  for (const path of found) {
    for (const { kind, path: imported, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true && !found.includes(imported)) found.push(imported);
    }
  }
  return new Set(found.map((path) => basename(path)));
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
 * @param {{ isProduction: boolean, outFolder: string }} settings
 * @returns {import('esbuild').BuildOptions}
 */
function bundleOptions({ isProduction, outFolder }) {
  return {
    // The second runs on a thread of its own.
    entryPoints: {
      extension: join(root, 'src', 'extension.ts'),
      textWorker: join(root, 'src', 'editor', 'textWorker.ts'),
    },
    outdir: outFolder,
    outExtension: { '.js': '.cjs' },
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode'],
    minify: isProduction,
    sourcemap: isProduction ? false : 'inline',
    metafile: true,
    // The package's own list holds them.
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [kubernetesClientWithoutModels],
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

/** Rebuilds on every change. */
async function watchExtension() {
  const outFolder = join(root, 'dist');
  /** @type {import('esbuild').Plugin} */
  const writer = {
    name: 'write',
    setup: (bundler) => {
      bundler.onEnd(async (result) => {
        if (result.errors.length === 0) await writeBundle(result, outFolder, false);
      });
    },
  };
  const options = bundleOptions({ isProduction: false, outFolder });
  const made = await context({ ...options, logLevel: 'info', plugins: [...(options.plugins ?? []), writer] });
  await made.watch();
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
