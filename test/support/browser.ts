import { type Browser, chromium } from 'playwright-core';

/** Starts the browser that shows VS Code's windows; it ends with this process. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Its sandbox cannot start where this process is root.
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage'],
    // The runner ends things in order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
