// Owns a server's processes and its folder on behalf of another process: when that one ends, in whatever way,
// standard input closes, the processes are killed and the folder is removed.
//
// usage: node serverGuard.ts FOLDER
// reads lines of GuardRequest, writes lines of GuardReport, both as JSON
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { GuardReport, GuardRequest } from './guardMessages.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node serverGuard.ts FOLDER');

let running: ChildProcess[] = [];

// A signal to the whole process group is the owner's affair: it decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The owner may be gone while a report is written.
process.stdout.on('error', () => undefined);

const requests = createInterface({ input: process.stdin });
requests.on('line', (line) => {
  const request = JSON.parse(line) as GuardRequest;
  if (request.kind === 'run') run(request);
  else {
    void killAll().then(() => {
      report({ kind: 'stopped' });
    });
  }
});
requests.on('close', () => {
  void killAll().then(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    process.exit(0);
  });
});

function run({ command, args, logPath, env }: Extract<GuardRequest, { kind: 'run' }>): void {
  const log = openSync(logPath, 'a');
  // Its own pipe ends with this process, for servers that watch their standard input.
  const child = spawn(command, args, {
    stdio: ['pipe', log, log],
    env: { ...process.env, ...env },
    // With its own children it can be killed as a group.
    detached: true,
  });
  closeSync(log);
  running.push(child);
  child.on('error', (error) => {
    report({ kind: 'exited', command, reason: error.message });
  });
  child.on('exit', (code, signal) => {
    if (running.includes(child)) report({ kind: 'exited', command, reason: String(code ?? signal) });
  });
}

async function killAll(): Promise<void> {
  const ending = running;
  running = [];
  await Promise.all(ending.map(killOne));
}

function killOne(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const { pid } = child;
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.on('exit', () => {
      resolve();
    });
    // etcd has handed its writes to the system by then, so nothing is lost; a gentle end takes seconds.
    process.kill(-pid, 'SIGKILL');
  });
}

function report(message: GuardReport): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
