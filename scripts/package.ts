// npm run package: bundles the extension for release and packs it into dist/kubemerge.vsix.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleExtension } from '../esbuild.mjs';
import { runCommand } from './bootstrap/command.mjs';
import { repositoryRoot } from './repository.ts';

const outFolder = join(repositoryRoot, 'dist');
const vsix = join(outFolder, 'kubemerge.vsix');

const { packages } = await bundleExtension({ isProduction: true, outFolder });
await writeFile(join(outFolder, 'THIRD-PARTY-LICENSES.txt'), packages.map(licenceOf).join('\n\n'));
const output = await runCommand(
  process.execPath,
  [
    join(repositoryRoot, 'node_modules', '@vscode', 'vsce', 'vsce'),
    ...['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'],
    ...['--out', vsix],
  ],
  { cwd: repositoryRoot, title: 'vsce package' },
);
console.log(output.trim());

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const path = file === undefined ? undefined : join(folder, file);
  const text =
    path !== undefined && existsSync(path)
      ? readFileSync(path, 'utf8').trim()
      : (license ?? 'see its source');
  return `${'='.repeat(80)}\n${name} ${version}\n${'='.repeat(80)}\n${text}`;
}
