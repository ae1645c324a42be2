// node scripts/run.mjs NAME [arguments…]: runs scripts/NAME.ts under a Node that runs TypeScript.
// Starts under any Node >= 20.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchAncestors } from './bootstrap/ancestors.mjs';
import { progress } from './bootstrap/cache.mjs';
import { provisionScriptsNode } from './bootstrap/node.mjs';

const [name, ...args] = process.argv.slice(2);
if (name === undefined) throw new Error('usage: node scripts/run.mjs NAME [arguments…]');

const isFitting = process.versions.node.startsWith('24.');
const node = isFitting ? process.execPath : await provisionScriptsNode();
const script = join(dirname(fileURLToPath(import.meta.url)), `${name}.ts`);

// The channel tells the script that this process has died; see scripts/lifetime.ts.
const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...args], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
child.channel?.unref();

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal));
}
watchAncestors(() => {
  progress(`${name}: the process that started it is gone; stopping`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 15_000).unref();
});

child.on('error', (error) => {
  progress(`cannot start ${node}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? (signal === null ? 1 : 128));
});
