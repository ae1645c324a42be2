import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleExtension } from '../../esbuild.mjs';
import { provisionOldestHostNode } from '../../scripts/bootstrap/node.mjs';
import { loadBundles, type LoadedBundles } from '../support/bundleLoader.ts';

describe('the bundle for release', function () {
  this.timeout(120_000);
  let folder = '';
  let node = '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubemerge-bundle-'));
    await bundleExtension({ isProduction: true, outFolder: folder });
    node = await provisionOldestHostNode();
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function loadUnderOldestNode(...files: readonly string[]): LoadedBundles {
    return loadBundles(node, folder, files);
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
