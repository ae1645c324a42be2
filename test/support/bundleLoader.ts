import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a fresh process says of bundles that it has loaded. */
export interface LoadedBundles {
  readonly node: string;
  /** The names that each file exports, in order. */
  readonly exports: readonly (readonly string[])[];
  /** File names of all that was loaded, those named included. */
  readonly loaded: readonly string[];
  /** How long loading took, in ms. */
  readonly loadMs: number;
}

/**
 * Loads bundles in a fresh process, with a stand-in for `vscode` that has whatever is asked of it.
 *
 * @param node the Node.js to run
 * @param folder where the files are; a loader is written there
 * @throws Error with what the process printed, where it could not load them
 */
export function loadBundles(node: string, folder: string, files: readonly string[]): LoadedBundles {
  const loader = join(folder, 'load.cjs');
  writeFileSync(loader, loaderSource);
  const args = [loader, ...files.map((file) => join(folder, file))];
  const { stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  // The bundle's own lines are too long to be read.
  if (stderr !== '') throw new Error(stderr.replaceAll(/^.{300,}$/gm, '…'));
  return JSON.parse(stdout) as LoadedBundles;
}

const loaderSource = `
const Module = require('node:module');
const { basename } = require('node:path');
const load = Module._load;
const anything = () => new Proxy(class {}, { get: (target, key) => (key in target ? target[key] : anything()) });
Module._load = function (request, ...rest) {
  return request === 'vscode' ? vscode : load.call(this, request, ...rest);
};
// A bundle copies a module's own members; what it inherits stays reachable.
const vscode = Object.create(anything());
const startedAt = performance.now();
const modules = process.argv.slice(2).map((file) => require(file));
const loadMs = performance.now() - startedAt;
const loaded = Object.keys(require.cache).filter((path) => path !== __filename).map((path) => basename(path));
console.log(JSON.stringify({ node: process.version, exports: modules.map(Object.keys), loaded, loadMs }));
`;
