import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../core/errors.ts';
import type { TerminalProgram } from '../sync/signInPort.ts';
import { tryParseJson } from './apiStatus.ts';
import { meetingVariable, type PluginReport, type PluginTask, printPluginProgram } from './pluginProgram.ts';

/** A plugin's run in a terminal, before and while it goes on. */
export interface TerminalRun extends AsyncDisposable {
  readonly program: TerminalProgram;
  /** Resolves when the plugin has ended, or the terminal has gone. Never rejects. */
  readonly report: Promise<Outcome<PluginReport>>;
}

/** How much of a plugin's output is kept, in characters. */
const maxReportLength = 1024 * 1024;

/**
 * Prepares a program that runs a plugin in a terminal. What the plugin prints, a credential, comes back through a
 * socket that only this user can open, and is neither on the screen nor in a file.
 */
export async function prepareTerminalRun(task: PluginTask, platform: NodeJS.Platform): Promise<TerminalRun> {
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-sign-in-'));
  const program = join(folder, 'program.cjs');
  await writeFile(program, printPluginProgram(), { mode: 0o600 });
  const word = randomBytes(16).toString('hex');
  const path =
    platform === 'win32'
      ? `\\\\.\\pipe\\kubemerge-${randomBytes(16).toString('hex')}`
      : join(folder, 'socket');
  let settle: (outcome: Outcome<PluginReport>) => void = () => undefined;
  const report = new Promise<Outcome<PluginReport>>((resolve) => (settle = resolve));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket, word, task, settle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    // An editor's own Node: under Electron it is Node only when told so.
    program: {
      command: process.execPath,
      args: [program],
      env: { ELECTRON_RUN_AS_NODE: '1', [meetingVariable]: `${path}\n${word}` },
    },
    report,
    [Symbol.asyncDispose]: async () => {
      settle({ kind: 'aborted' });
      for (const socket of sockets) socket.destroy();
      await close(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serve(
  socket: Socket,
  word: string,
  task: PluginTask,
  settle: (outcome: Outcome<PluginReport>) => void,
): void {
  let text = '';
  let isKnown = false;
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > maxReportLength) socket.destroy();
    if (!text.endsWith('\n')) return;
    if (isKnown) {
      const told = tryParseJson(text);
      if (told !== undefined) settle({ kind: 'ok', value: told as unknown as PluginReport });
      return;
    }
    isKnown = isSame(text.trim(), word);
    text = '';
    if (isKnown) socket.write(`${JSON.stringify(task)}\n`);
    else socket.destroy();
  });
  socket.once('close', () => {
    if (isKnown)
      settle({ kind: 'unauthenticated', message: 'the terminal was closed before the sign-in was done' });
  });
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
