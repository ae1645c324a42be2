// The Node versions that scripts and tests run under, from the npm package `node`. Runs on any Node >= 20.
import { join } from 'node:path';
import { partFolder, provision } from './cache.mjs';
import { npmInstall } from './command.mjs';

const binary = 'node_modules/node/bin/node';

/** Runs TypeScript files as they are, and the editor's server. */
const scriptsNode = nodePart('24.21.0', 'it runs the TypeScript scripts and the tests');

/** The Node in the extension host of the oldest supported VS Code (1.101). Source: its `.nvmrc` and `remote/.npmrc`. */
const oldestHostNode = nodePart(
  '22.15.1',
  'the bundle is loaded under the Node of the oldest supported VS Code',
);

/** @returns {Promise<string>} path of a Node 24 */
export function provisionScriptsNode() {
  return provisionNode(scriptsNode);
}

/** @returns {Promise<string>} path of the Node that the oldest supported extension host has */
export function provisionOldestHostNode() {
  return provisionNode(oldestHostNode);
}

/**
 * @param {string} version
 * @param {string} reason
 * @returns {import('./cache.mjs').CachePart}
 */
function nodePart(version, reason) {
  return {
    name: 'node',
    version,
    proof: binary,
    reason,
    make: (folder) =>
      npmInstall(folder, [`node@${version}`], {
        title: `npm install node@${version}`,
        allowScripts: { node: true },
      }),
  };
}

/** @param {import('./cache.mjs').CachePart} part */
async function provisionNode(part) {
  await provision(part);
  return join(partFolder(part), binary);
}
