import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CachePart, partFolder, provision } from '../bootstrap/cache.mjs';
import { npmInstall } from '../bootstrap/command.mjs';
import { provisionScriptsNode } from '../bootstrap/node.mjs';
import { findInPath, installDebianPackages } from './debianPackages.ts';

/** A VS Code that runs as a server, and a browser to see it with. */
export interface EditorBed {
  /** The Node that runs the server. */
  readonly node: string;
  /** VS Code's own server entry. */
  readonly serverMain: string;
  readonly chromium: string;
}

/** Provisions all that tests in the real editor need. */
export async function provisionEditor(): Promise<EditorBed> {
  const node = await provisionScriptsNode();
  if (!existsSync(partServerMain())) await prepareNativeBuild();
  await provision(codeServer);
  return { node, serverMain: partServerMain(), chromium: await provisionChromium() };
}

const codeServerVersion = '4.139.1';
const serverMain = 'node_modules/code-server/lib/vscode/out/server-main.js';

const codeServer: CachePart = {
  name: 'code-server',
  version: codeServerVersion,
  proof: serverMain,
  reason: 'npm installs VS Code as a server for the editor tests; 2 to 6 minutes, 750 MB',
  make: async (folder) => {
    // Its install script refuses any Node but 24, judged by the Node that runs npm.
    const node = await provisionScriptsNode();
    const binaries = join(node, '..');
    await npmInstall(folder, [`code-server@${codeServerVersion}`], {
      title: `npm install code-server@${codeServerVersion}`,
      // argon2 is for logins by password, which the tests have none of.
      allowScripts: { 'code-server': true, argon2: false },
      env: { PATH: `${binaries}:${process.env.PATH ?? ''}` },
    });
  },
};

function partServerMain(): string {
  return join(partFolder(codeServer), serverMain);
}

/** A native module of VS Code's is compiled during its installation. */
async function prepareNativeBuild(): Promise<void> {
  const missing = [
    ...(existsSync('/usr/include/gssapi/gssapi.h') ? [] : ['libkrb5-dev']),
    ...(['python3', 'make', 'g++'] as const).filter((tool) => findInPath(tool) === undefined),
  ];
  if (process.platform !== 'linux' || missing.length === 0) return;
  await installDebianPackages(missing, 'VS Code as a server is built with them');
}

async function provisionChromium(): Promise<string> {
  const named = process.env.CHROMIUM;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which does not exist`);
    return named;
  }
  const installed = findChromium();
  if (installed !== undefined) return installed;
  await installDebianPackages(
    ['chromium', 'fonts-dejavu-core'],
    'the editor tests need Chromium (CHROMIUM=PATH names another browser of its family)',
  );
  const now = findChromium();
  if (now === undefined) throw new Error('Chromium was installed, but is not in PATH');
  return now;
}

function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const inApplications = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return (
    names.map(findInPath).find((path) => path !== undefined) ??
    (existsSync(inApplications) ? inApplications : undefined)
  );
}
