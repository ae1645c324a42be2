import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EditorBed, provisionEditor } from '../../scripts/provision/editor.ts';
import { runCommand } from '../../scripts/bootstrap/command.mjs';
import { editorFolderVariable } from './inHostResult.ts';
import { findFreePort } from './freePort.ts';
import { guardProcesses } from './guardedProcesses.ts';

/** How a VS Code is started. */
export interface VsCodeServerOptions {
  /**
   * `inHost`: tests run inside the extension host; notifications and dialogs are switched off there.
   * `ui`: an ordinary window.
   */
  readonly mode: 'inHost' | 'ui';
  /** Folders of unpacked extensions that are installed by a link. */
  readonly extensions?: readonly string[];
  /** A VSIX that is installed as a person would. */
  readonly vsix?: string;
  /** What the extension host sees beside this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** VS Code settings beside those that keep it quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A running VS Code without a window yet. It ends with this process at the latest and leaves no file behind. */
export interface VsCodeServer extends AsyncDisposable {
  readonly bed: EditorBed;
  readonly port: number;
  /** Everything of this VS Code lies below it: profile, extensions, logs. */
  readonly folder: string;
  /** An empty folder to open. */
  readonly workspaceFolder: string;
  readonly logPath: string;
  /** The address of a window. */
  windowUrl(payload: readonly (readonly [string, string])[]): string;
  stop(): Promise<void>;
}

/** Starts VS Code's server with a fresh profile and waits until it answers. */
export async function startVsCodeServer(options: VsCodeServerOptions): Promise<VsCodeServer> {
  const bed = await provisionEditor();
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-editor-'));
  const processes = guardProcesses(folder);
  const stop = (): Promise<void> => processes.end();
  try {
    const settingsPath = join(folder, 'User', 'settings.json');
    const extensionsFolder = join(folder, 'extensions');
    const workspaceFolder = join(folder, 'workspace');
    const logPath = join(folder, 'server.log');
    await mkdir(join(settingsPath, '..'), { recursive: true });
    await mkdir(extensionsFolder);
    await mkdir(workspaceFolder);
    await writeFile(
      settingsPath,
      JSON.stringify(
        { ...quietSettings, 'workbench.colorTheme': nameOfTheme(firstTheme()), ...options.settings },
        null,
        2,
      ),
    );
    for (const extension of options.extensions ?? []) linkExtension(extension, extensionsFolder);

    const port = await findFreePort();
    const profile = [
      '--accept-server-license-terms',
      `--user-data-dir=${folder}`,
      `--server-data-dir=${folder}`,
      `--extensions-dir=${extensionsFolder}`,
    ];
    if (options.vsix !== undefined) {
      const install = [bed.serverMain, `--install-extension=${options.vsix}`, ...profile];
      await runCommand(bed.node, install, { title: `install ${options.vsix}` });
    }
    const args = [
      bed.serverMain,
      '--host=127.0.0.1',
      `--port=${String(port)}`,
      '--without-connection-token',
      '--disable-telemetry',
      '--disable-workspace-trust',
      ...profile,
      ...(options.mode === 'inHost' ? ['--enable-smoke-test-driver'] : []),
    ];
    processes.run(bed.node, args, logPath, { ...options.env, [editorFolderVariable]: folder });
    const url = `http://127.0.0.1:${String(port)}`;
    await waitForServer(url, () => processes.failure, logPath);

    return {
      bed,
      port,
      folder,
      workspaceFolder,
      logPath,
      windowUrl: (payload) => {
        const pairs = [['skipWelcome', 'true'], ...payload];
        return `${url}/?${new URLSearchParams({ folder: workspaceFolder, payload: JSON.stringify(pairs) }).toString()}`;
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Theme = 'light' | 'dark';

/** The theme that windows begin with: `KUBEMERGE_THEME`, else dark. */
export function firstTheme(): Theme {
  return process.env.KUBEMERGE_THEME === 'light' ? 'light' : 'dark';
}

export function nameOfTheme(theme: Theme): string {
  return theme === 'light' ? 'Default Light Modern' : 'Default Dark Modern';
}

const quietSettings: Readonly<Record<string, unknown>> = {
  // The web's default is afterDelay, the desktop's is this.
  'files.autoSave': 'off',
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'window.commandCenter': false,
  'window.title': '${dirty}${activeEditorShort}',
};

/** Installed as NAME-VERSION below the extensions folder, an extension starts by its own activation events. */
function linkExtension(extension: string, extensionsFolder: string): void {
  const { publisher, name, version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as {
    readonly publisher: string;
    readonly name: string;
    readonly version: string;
  };
  symlinkSync(extension, join(extensionsFolder, `${publisher}.${name}-${version}`));
}

async function waitForServer(url: string, failure: () => string | undefined, logPath: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && failure() === undefined) {
    const isUp = await fetch(`${url}/version`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isUp) return;
    await pause(100);
  }
  const log = existsSync(logPath) ? readFileSync(logPath, 'utf8') : '';
  throw new Error(
    `VS Code did not start: ${failure() ?? 'no answer'}\n${log.split('\n').slice(-25).join('\n')}`,
  );
}
