import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleExtension } from '../../esbuild.mjs';
import { runCommand } from '../bootstrap/command.mjs';
import { repositoryRoot } from '../repository.ts';

/** What a person who installs the extension needs beside the bundles. */
const shipped = ['README.md', 'CHANGELOG.md', 'LICENSE', 'media'];
/** What package.json says to those who build the extension. */
const forBuilders = ['devDependencies', 'scripts', 'allowScripts', 'type', 'private'];

/**
 * Bundles the extension for release and packs it.
 *
 * @param vsix path of the file to write
 * @returns the list of packed files, as vsce prints it
 */
export async function packVsix(vsix: string): Promise<string> {
  await mkdir(dirname(vsix), { recursive: true });
  await mkdir(join(repositoryRoot, 'out'), { recursive: true });
  const folder = await mkdtemp(join(repositoryRoot, 'out', 'package-'));
  try {
    const { packages } = await bundleExtension({ isProduction: true, outFolder: join(folder, 'dist') });
    await writeFile(join(folder, 'dist', 'THIRD-PARTY-LICENSES.txt'), await printLicences(packages));
    for (const name of shipped) {
      const source = join(repositoryRoot, name);
      if (existsSync(source)) await cp(source, join(folder, name), { recursive: true });
    }
    const manifest = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as object;
    const kept = Object.entries(manifest).filter(([key]) => !forBuilders.includes(key));
    await writeFile(join(folder, 'package.json'), JSON.stringify(Object.fromEntries(kept), null, 2));
    return await runCommand(
      process.execPath,
      [
        join(repositoryRoot, 'node_modules', '@vscode', 'vsce', 'vsce'),
        ...['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'],
        ...['--out', vsix],
      ],
      { cwd: folder, title: 'vsce package' },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function printLicences(packages: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const folder of packages) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly version: string;
      readonly license?: string;
    };
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    const text = file === undefined ? manifest.license : await readFile(join(folder, file), 'utf8');
    const line = '='.repeat(80);
    parts.push(`${line}\n${manifest.name} ${manifest.version}\n${line}\n${text?.trim() ?? 'see its source'}`);
  }
  return `${parts.join('\n\n')}\n`;
}
