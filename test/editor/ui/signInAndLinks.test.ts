import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { sharedApiServer } from '../../support/sharedApiServer.ts';
import { until } from '../../support/until.ts';
import { configMap } from '../inHost/testObjects.ts';
import { useLiveWindow } from './sharedWindow.ts';
import { execApiVersion } from './windowContexts.ts';

describe('a credential plugin that asks a person', () => {
  const live = useLiveWindow();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubemerge-gate-'));
  });
  afterEach(async () => {
    await live().workbench.changeSetting('kubemerge.kubeconfig', undefined);
    await live().workbench.changeSetting('terminal.integrated.gpuAcceleration', undefined);
    await live().workbench.inHost(async ({ vscode }) => {
      for (const terminal of vscode.window.terminals) terminal.dispose();
      await vscode.commands.executeCommand('workbench.action.closePanel');
    });
    await rm(folder, { recursive: true, force: true });
  });

  /** A context `gate` whose plugin asks for a word before it gives the token. */
  async function writeGate(): Promise<{ readonly path: string; readonly token: string }> {
    const { url, ca, tokens } = await sharedApiServer();
    const token = tokens.admin ?? '';
    const credential = { kind: 'ExecCredential', apiVersion: execApiVersion, status: { token } };
    await writeFile(
      join(folder, 'ask.sh'),
      `#!/bin/sh
printf 'Word for the gate: ' >&2
read -r word
test "$word" = sesame || { echo 'that is not it' >&2; exit 3; }
echo '${JSON.stringify(credential)}'
`,
      { mode: 0o700 },
    );
    const exec = { apiVersion: execApiVersion, command: './ask.sh', interactiveMode: 'Always' };
    const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const path = join(folder, 'config');
    await writeFile(
      path,
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'gate', cluster }],
        users: [{ name: 'gate', user: { exec } }],
        contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate' } }],
        'current-context': 'gate',
      }),
      { mode: 0o600 },
    );
    return { path, token };
  }

  it('does so in a terminal of the editor; then what waited for it goes on, and no credential is on the screen', async () => {
    const { workbench } = live();
    const { path, token } = await writeGate();
    const target = await live().create(configMap({ mode: 'a' }));
    await workbench.changeSetting('kubemerge.kubeconfig', [path]);
    // Drawn as text, the terminal can be read.
    await workbench.changeSetting('terminal.integrated.gpuAcceleration', 'off');
    const open = (): Promise<string> =>
      workbench.inHost(
        async ({ api }, ref) => {
          try {
            return String(await api.open(ref));
          } catch (error) {
            return String(error);
          }
        },
        { ...target.ref, context: 'gate' },
      );
    let refused = '';
    await until(async () => !(refused = await open()).includes('no context'));
    assert.match(refused, /asks for a terminal: run “KubeMerge: Sign In in a Terminal…”/);
    await workbench.runCommand('KubeMerge: Sign In in a Terminal');
    await workbench.quickPickRow('gate').click();
    const terminal = workbench.page.locator('.terminal-wrapper.active .xterm-rows');
    await terminal.filter({ hasText: 'Word for the gate:' }).waitFor();
    await workbench.page.keyboard.type('sesame\n');
    await workbench.statusBarItem('Signed in to gate.').waitFor();
    await live().screenshot('sign-in-terminal');
    assert.ok(!(await terminal.innerText()).includes(token.slice(0, 8)));
    assert.match(await open(), /^k8s:/);
    await workbench.tab(target.tabName).waitFor();
  });
});

describe('a link to an object', () => {
  const live = useLiveWindow();

  it('asks before it is opened: a no contacts nothing, a yes opens the object', async () => {
    const { workbench, proxy } = live();
    const kept = await live().createAndOpen(configMap({ mode: 'a' }));
    const link = await workbench.inHost(({ vscode }) => vscode.commands.executeCommand('kubemerge.copyLink'));
    await live().reset();
    const follow = async (): Promise<void> => {
      await workbench.runCommand('Developer: Open URL');
      await workbench.page.locator('.quick-input-widget .quick-input-box input').fill(String(link));
      await workbench.page.keyboard.press('Enter');
      await workbench.dialog(/Allow .*KubeMerge.* extension to open this URI/).waitFor();
      await workbench.pressInDialog('Open');
      await workbench.dialog(new RegExp(`Open .*${kept.ref.name}`)).waitFor();
    };
    await follow();
    await live().screenshot('link-question');
    const asked = proxy.requests.length;
    await workbench.pressInDialog('Cancel');
    await workbench.dialog().waitFor({ state: 'detached' });
    assert.equal(proxy.requests.length, asked);
    await follow();
    await workbench.pressInDialog('Open');
    await workbench.tab(kept.tabName).waitFor();
  });
});
