import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleExtension } from '../../esbuild.mjs';
import { provisionOldestHostNode } from '../../scripts/bootstrap/node.mjs';

describe('the bundle for release', function () {
  this.timeout(120_000);
  let folder = '';
  let node = '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubemerge-bundle-'));
    await bundleExtension({ isProduction: true, outFolder: folder });
    node = await provisionOldestHostNode();
    writeFileSync(join(folder, 'load.cjs'), loader);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function loadUnderOldestNode(...files: readonly string[]): {
    node: string;
    exports: string[][];
    loaded: string[];
  } {
    const args = [join(folder, 'load.cjs'), ...files.map((file) => join(folder, file))];
    const { stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
    // The bundle's own lines are too long to be read.
    assert.equal(stderr.replaceAll(/^.{300,}$/gm, '…'), '');
    return JSON.parse(stdout) as { node: string; exports: string[][]; loaded: string[] };
  }

  function read(name: string): string {
    return readFileSync(join(folder, name), 'utf8');
  }

  it('loads under the Node of the oldest supported VS Code', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== 'load.cjs');
    assert.ok(files.includes('extension.cjs'));
    const { node: version, exports } = loadUnderOldestNode(...files);
    assert.match(version, /^v22\.15\./);
    assert.ok(exports[files.indexOf('extension.cjs')]?.includes('activate'));
    assert.ok(exports.every((names) => names.length > 0));
  });

  it('leaves the Kubernetes client alone until a cluster is used', () => {
    const texts = loadUnderOldestNode('extension.cjs').loaded.map(read);
    for (const text of texts) assert.doesNotMatch(text, /kubernetes-client-javascript|ip-address/);
  });

  it('loads less than 300 KB with the extension', () => {
    const { loaded } = loadUnderOldestNode('extension.cjs');
    assert.ok(loaded.includes('extension.cjs'));
    const bytes = loaded.map((name) => Buffer.byteLength(read(name))).reduce((sum, size) => sum + size);
    assert.ok(bytes < 300 * 1024, `${bytes} bytes`);
  });

  it('holds neither the HTTP library nor the models of the Kubernetes client', () => {
    const texts = readdirSync(folder).map(read);
    for (const text of texts) assert.doesNotMatch(text, /attributeTypeMap|createZstdDecompress/);
  });
});

/** Loads the files named on its command line; whatever they take of `vscode` exists. */
const loader = `
const Module = require('node:module');
const load = Module._load;
const anything = () => new Proxy(class {}, { get: (target, key) => (key in target ? target[key] : anything()) });
Module._load = function (request, ...rest) {
  return request === 'vscode' ? vscode : load.call(this, request, ...rest);
};
// A bundle copies a module's own members; what it inherits stays reachable.
const vscode = Object.create(anything());
const files = process.argv.slice(2);
const exported = files.map((file) => Object.keys(require(file)));
const loaded = Object.keys(require.cache).filter((path) => path !== __filename).map((path) => require('node:path').basename(path));
console.log(JSON.stringify({ node: process.version, exports: exported, loaded }));
`;
