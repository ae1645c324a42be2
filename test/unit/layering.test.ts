import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

interface Layer {
  /** A file or folder below src/, the longest that matches a file rules it. */
  readonly of: string;
  /** Files and folders below src/ and packages; a trailing `*` matches any rest. */
  readonly mayImport: readonly string[];
}

/** Needs nothing and may be used by all of core. */
const primitives = ['core/json.ts', 'core/assertNever.ts', 'core/lifecycle.ts'];

const layers: readonly Layer[] = [
  { of: 'core/lifecycle.ts', mayImport: [] },
  { of: 'core/assertNever.ts', mayImport: [] },
  { of: 'core/json.ts', mayImport: [] },
  { of: 'core/resource/', mayImport: [...primitives, 'core/resource/'] },
  { of: 'core/errors.ts', mayImport: [...primitives, 'core/resource/'] },
  {
    of: 'core/merge/',
    mayImport: [...primitives, 'core/resource/', 'core/errors.ts', 'core/merge/', 'diff'],
  },
  {
    of: 'core/text/',
    mayImport: [...primitives, 'core/resource/', 'core/errors.ts', 'core/merge/', 'core/text/', 'yaml'],
  },
  { of: 'core/', mayImport: ['core/'] },
  { of: 'sync/', mayImport: ['core/', 'sync/'] },
  {
    of: 'cluster/',
    mayImport: [
      ...['core/', 'sync/', 'cluster/', 'node:*', '@kubernetes/client-node*'],
      // Proxies, and the commands of exec plugins on every platform.
      ...['http-proxy-agent', 'https-proxy-agent', 'socks-proxy-agent', 'cross-spawn', 'yaml'],
    ],
  },
  { of: 'editor/', mayImport: ['core/', 'sync/', 'editor/', 'vscode', 'node:*'] },
  { of: 'extension.ts', mayImport: ['core/', 'sync/', 'cluster/', 'editor/', 'node:*'] },
];

/** What a file asks for: by import, `import type`, `export … from` and `import()` alike. */
function importsOf(file: string): readonly string[] {
  const found = ts.preProcessFile(readFileSync(join(root, 'src', file), 'utf8'), true, true);
  return found.importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? normalize(join(dirname(file), fileName)) : fileName,
  );
}

function layerOf(file: string): Layer | undefined {
  return layers
    .filter(({ of }) => file === of || (of.endsWith('/') && file.startsWith(of)))
    .sort((a, b) => b.of.length - a.of.length)[0];
}

function allows(rule: string, target: string): boolean {
  if (rule.endsWith('*')) return target.startsWith(rule.slice(0, -1));
  return rule.endsWith('/') ? target.startsWith(rule) : target === rule;
}

describe('layering of src/', () => {
  const files = globSync('**/*.ts', { cwd: join(root, 'src') });

  it('puts every file into a layer', () => {
    assert.ok(files.length > 0);
    assert.deepEqual(
      files.filter((file) => layerOf(file) === undefined),
      [],
    );
  });

  it('lets each file import only what its layer may', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !(layerOf(file)?.mayImport ?? []).some((rule) => allows(rule, target)))
        .map((target) => `${file} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('has one file that imports the Kubernetes client', () => {
    const importing = files.filter((file) =>
      importsOf(file).some((name) => name.startsWith('@kubernetes/client-node')),
    );
    assert.equal(importing.length, 1, importing.join(', '));
  });

  it('keeps core free of clocks, chance, timers and output', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|performance\.|console\.|process\.|fetch\()/;
    const wrong = files.filter(
      (file) =>
        file.startsWith('core/') &&
        impure.test(withoutComments(readFileSync(join(root, 'src', file), 'utf8'))),
    );
    assert.deepEqual(wrong, []);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
