import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Dialog, Locator, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { repositoryRoot } from '../../scripts/repository.ts';
import { launchBrowser } from './browser.ts';
import {
  nameOfTheme,
  startVsCodeServer,
  type Theme,
  type VsCodeServer,
  type VsCodeServerOptions,
} from './vscodeServer.ts';

/** How a window for tests is started. */
export interface WorkbenchOptions extends Pick<VsCodeServerOptions, 'env' | 'settings'> {
  /** Unpacked extensions beside this one. */
  readonly extensions?: readonly string[];
  /** A packed extension in place of the built one of this project. */
  readonly vsix?: string;
  /** In CSS pixels; 1400 × 900 where absent. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** An editor tab as a person sees it. */
export interface TabState {
  readonly name: string;
  /** Tooltip and accessible name. */
  readonly label: string;
  readonly isActive: boolean;
  readonly isDirty: boolean;
}

/** What code that runs inside the extension host is given. */
export interface InHost {
  readonly vscode: typeof vscode;
  /** What the extension's `activate` returned. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- test code reads it as its users would
  readonly api: any;
}

/** Longest wait for something to appear in the window, in ms. */
const patienceMs = 20_000;

/** A real VS Code window with the built extension installed, seen and used as a person would. */
export class Workbench implements AsyncDisposable {
  readonly server: VsCodeServer;
  readonly page: Page;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #secret: string;
  readonly #consoleLines: string[] = [];
  #driverPort: number | undefined;
  /** Files of extension hosts that are gone. */
  readonly #seenDrivers: Set<string>;
  readonly #isGuest: boolean;

  private constructor(parts: {
    readonly server: VsCodeServer;
    readonly browser: Browser;
    readonly context: BrowserContext;
    readonly page: Page;
    readonly secret: string;
    /** The window whose server and browser this one shares. */
    readonly host?: Workbench;
  }) {
    this.#seenDrivers = parts.host === undefined ? new Set() : parts.host.#seenDrivers;
    this.#isGuest = parts.host !== undefined;
    this.server = parts.server;
    this.page = parts.page;
    this.#browser = parts.browser;
    this.#context = parts.context;
    this.#secret = parts.secret;
    this.page.on('console', (message) => this.#consoleLines.push(message.text()));
  }

  /** Starts VS Code with a fresh profile and opens a window. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const secret = randomBytes(16).toString('hex');
    const server = await startVsCodeServer({
      mode: 'ui',
      extensions: [
        ...(options.vsix === undefined ? [repositoryRoot] : []),
        join(import.meta.dirname, 'driverExtension'),
        ...(options.extensions ?? []),
      ],
      ...(options.vsix === undefined ? {} : { vsix: options.vsix }),
      ...(options.settings === undefined ? {} : { settings: options.settings }),
      env: { ...options.env, KUBEMERGE_DRIVER_SECRET: secret },
    });
    let browser: Browser | undefined;
    try {
      browser = await launchBrowser(server.bed.chromium);
      const context = await browser.newContext({
        viewport: options.viewport ?? { width: 1400, height: 900 },
      });
      context.setDefaultTimeout(patienceMs);
      const page = await context.newPage();
      const workbench = new Workbench({ server, browser, context, page, secret });
      await page.goto(server.windowUrl([]));
      await workbench.#waitUntilReady();
      return workbench;
    } catch (error) {
      await browser?.close();
      await server.stop();
      throw error;
    }
  }

  /** Opens another window on the same server and folder; it ends with this one, or before. */
  async openAnother(): Promise<Workbench> {
    const page = await this.#context.newPage();
    const parts = { server: this.server, browser: this.#browser, context: this.#context, page, host: this };
    const other = new Workbench({ ...parts, secret: this.#secret });
    await page.goto(this.server.windowUrl([]));
    await other.#waitUntilReady();
    return other;
  }

  /** Loads the window anew, as "Reload Window" does; a question whether to leave is answered with yes. */
  async reload(): Promise<void> {
    this.page.once('dialog', (dialog) => void dialog.accept());
    this.#driverPort = undefined;
    await this.page.reload();
    await this.#waitUntilReady();
  }

  /** Closes the window and opens it anew; a question whether to leave is answered with yes. */
  async reopen(whileClosed: () => Promise<void>): Promise<void> {
    const leave = (dialog: Dialog): void => void dialog.accept();
    this.page.on('dialog', leave);
    this.#driverPort = undefined;
    await this.page.goto('about:blank');
    this.page.off('dialog', leave);
    await whileClosed();
    await this.page.goto(this.server.windowUrl([]));
    await this.#waitUntilReady();
  }

  async #waitUntilReady(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.inHost(() => true);
  }

  /**
   * Runs a function inside the extension host of this window. It is sent as text: it sees its argument and nothing
   * around it. Its result comes back as JSON.
   */
  async inHost<Argument, Result>(
    run: (host: InHost, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    this.#driverPort ??= await this.#findDriver();
    const reply = await fetch(`http://127.0.0.1:${String(this.#driverPort)}/`, {
      method: 'POST',
      headers: { authorization: this.#secret },
      body: JSON.stringify({ source: run.toString(), argument }),
    });
    const { value, error } = (await reply.json()) as { value: Result; error?: string };
    if (error !== undefined) throw new Error(`in the extension host: ${error}`);
    return value;
  }

  /** Kills this window's extension host, as a crash does, and waits for the one that VS Code starts in its place. */
  async crashExtensionHost(): Promise<void> {
    const pid = await this.inHost(() => process.pid);
    this.#driverPort = undefined;
    process.kill(pid, 'SIGKILL');
    await this.inHost(() => true);
  }

  /** Each new extension host leaves a file; the one not seen before is this window's. */
  async #findDriver(): Promise<number> {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      for (const name of await readdir(this.server.folder)) {
        if (!/^driver-\d+\.json$/.test(name) || this.#seenDrivers.has(name)) continue;
        try {
          const text = await readFile(join(this.server.folder, name), 'utf8');
          const { port } = JSON.parse(text) as { port: number };
          this.#seenDrivers.add(name);
          return port;
        } catch {
          // Half written; looked at again.
        }
      }
      await pause(50);
    }
    throw new Error('the extension host did not start');
  }

  /** Runs a command through the palette, by the title that the palette shows. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    await input.fill(`>${title}`);
    const row = this.quickPickRow(title).first();
    await row.waitFor();
    await row.click();
  }

  /** Rows of the open quick pick that hold a text. */
  quickPickRow(text: string | RegExp): Locator {
    return this.page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: text });
  }

  /**
   * Types into the quick pick or input box that asks for something, once it is the one that is open.
   *
   * @param placeholder how the text in its empty input begins
   */
  async fillQuickInput(placeholder: string, text: string): Promise<void> {
    await this.page
      .locator(`.quick-input-widget .quick-input-box input[placeholder^="${placeholder}"]`)
      .fill(text);
  }

  /** Notification toasts, all or those that hold a text. */
  notifications(text?: string | RegExp): Locator {
    const all = this.page.locator('.notifications-toasts .notification-list-item');
    return text === undefined ? all : all.filter({ hasText: text });
  }

  /** Waits for a notification and presses a button of it. */
  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    const notification = this.notifications(text).first();
    await notification.waitFor();
    // Buttons show while the pointer is over it.
    await notification.hover();
    await notification.locator('.monaco-button', { hasText: button }).first().click();
  }

  /** The open modal dialog. */
  dialog(text?: string | RegExp): Locator {
    const all = this.page.locator('.monaco-dialog-box');
    return text === undefined ? all : all.filter({ hasText: text });
  }

  async pressInDialog(button: string): Promise<void> {
    await this.dialog().locator('.monaco-button', { hasText: button }).first().click();
  }

  async tabs(): Promise<readonly TabState[]> {
    return this.page.locator('.tabs-container .tab').evaluateAll((elements) =>
      elements.map((element) => ({
        name: element.querySelector('.label-name')?.textContent ?? '',
        label:
          element.getAttribute('aria-label') ??
          element.querySelector('.tab-label')?.getAttribute('aria-label') ??
          '',
        isActive: element.classList.contains('active'),
        isDirty: element.classList.contains('dirty'),
      })),
    );
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: name });
  }

  /** A status bar item, by its text or accessible name. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  /** The lines of the active editor that are scrolled into view, as shown. */
  async visibleText(): Promise<string> {
    const lines = await this.page
      .locator('.editor-group-container.active .view-lines .view-line')
      .evaluateAll((elements) =>
        elements
          .map((element) => ({
            top: Number.parseFloat(element.style.top),
            text: (element.textContent ?? '').replaceAll('\u00a0', ' '),
          }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text),
      );
    return lines.join('\n');
  }

  /** Puts the keyboard into the active text editor. */
  async focusEditor(): Promise<void> {
    await this.inHost(async ({ vscode }) => {
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    });
  }

  /** Changes a user setting of the running window; undefined takes it back. */
  async changeSetting(name: string, value: unknown): Promise<void> {
    await this.inHost(
      async ({ vscode }, change) => {
        await vscode.workspace.getConfiguration().update(change.name, change.value, true);
      },
      { name, value },
    );
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.changeSetting('workbench.colorTheme', nameOfTheme(theme));
    await this.page.locator(`.monaco-workbench.vs${theme === 'light' ? '' : '-dark'}`).waitFor();
  }

  /** @param path of a PNG; folders are made */
  async screenshot(path: string): Promise<void> {
    await mkdir(join(path, '..'), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled' });
  }

  /** Keeps what is needed to understand a failed test below out/failures/: a picture, the texts, the logs. */
  async keepFailure(name: string): Promise<string> {
    const folder = join(repositoryRoot, 'out', 'failures', name.replaceAll(/[^\w.-]+/g, '-').slice(0, 100));
    await mkdir(folder, { recursive: true });
    await this.screenshot(join(folder, 'window.png'));
    await writeFile(join(folder, 'window.txt'), await this.page.locator('body').innerText());
    await writeFile(join(folder, 'console.txt'), this.#consoleLines.join('\n'));
    await writeFile(join(folder, 'server.log'), await readFile(this.server.logPath));
    return folder;
  }

  async stop(): Promise<void> {
    if (this.#isGuest) {
      await this.page.close();
      return;
    }
    await this.#context.close().catch(() => undefined);
    await this.#browser.close();
    await this.server.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
