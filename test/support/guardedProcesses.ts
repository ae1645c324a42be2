import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { GuardReport, GuardRequest } from './guardMessages.ts';

/** Processes and a folder that do not outlive this process, even if it is killed. */
export interface GuardedProcesses {
  /** Starts a process; its output is appended to the log, `env` is added to this process's environment. */
  run(
    command: string,
    args: readonly string[],
    logPath: string,
    env?: Readonly<Record<string, string>>,
  ): void;
  /** Kills the processes and keeps the folder; `run` may follow. */
  stop(): Promise<void>;
  /** Kills the processes and removes the folder. */
  end(): Promise<void>;
  /** The first process that ended by itself, if one has. */
  readonly failure: string | undefined;
}

/** @param folder removed at the end, whoever brings it about */
export function guardProcesses(folder: string): GuardedProcesses {
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'serverGuard.ts'), folder], {
    // In a group of its own: Ctrl-C in a terminal reaches this process only, which ends the rest in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // A test run that leaves its server running ends all the same, and the server with it.
  guard.unref();
  for (const pipe of [guard.stdin, guard.stdout]) if (pipe instanceof Socket) pipe.unref();
  guard.stdin.on('error', () => undefined);

  let failure: string | undefined;
  const exited = new Promise<void>((resolve) => {
    guard.on('exit', () => {
      failure ??= 'its guard ended';
      resolve();
    });
  });
  const onStopped: (() => void)[] = [];
  createInterface({ input: guard.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as GuardReport;
    if (message.kind === 'stopped') onStopped.shift()?.();
    else failure ??= `${message.command} ended: ${message.reason}`;
  });
  const request = (message: GuardRequest): void => {
    guard.stdin.write(`${JSON.stringify(message)}\n`);
  };

  return {
    run: (command, args, logPath, env = {}) => {
      request({ kind: 'run', command, args, logPath, env });
    },
    stop: async () => {
      const stopped = new Promise<void>((resolve) => onStopped.push(resolve));
      request({ kind: 'stop' });
      await keepAlive(Promise.race([stopped, exited]));
    },
    end: async () => {
      guard.stdin.end();
      await keepAlive(exited);
    },
    get failure() {
      return failure;
    },
  };
}

/** An unreferenced child alone would let this process end before the promise settles. */
async function keepAlive(promise: Promise<void>): Promise<void> {
  const timer = setInterval(() => undefined, 1_000);
  try {
    await promise;
  } finally {
    clearInterval(timer);
  }
}
