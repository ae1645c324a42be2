import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { makeFolder } from './openClusters.ts';

type Folder = Awaited<ReturnType<typeof makeFolder>>;

/** What a plugin was given in one run. */
export interface PluginRun {
  readonly info: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly spec: Record<string, unknown>;
  };
  readonly args: readonly string[];
  readonly marker: string;
  readonly folder: string;
  readonly input: string;
}

/** A credential plugin that prints what a file holds, and writes down each run. */
export interface ExecScript {
  readonly command: string;
  /** What the next runs print, and what they say to the person. */
  readonly answer: (
    status: object,
    more?: { readonly stderr?: string; readonly exitCode?: number },
  ) => Promise<void>;
  readonly print: (text: string) => Promise<void>;
  readonly runs: () => Promise<readonly PluginRun[]>;
}

export const execApiVersion = 'client.authentication.k8s.io/v1';

/** Writes a plugin, run by this very Node, into a folder. */
export async function makeExecScript(folder: Folder, name = 'helper'): Promise<ExecScript> {
  const state = { answer: `${name}.answer`, runs: `${name}.runs` };
  await folder.write(state.runs, '');
  const source = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO ?? '{}');
const input = readFileSync(0, 'utf8');
const run = { info, args: process.argv.slice(2), marker: process.env.MARKER ?? '', folder: process.cwd(), input };
appendFileSync(${JSON.stringify(join(folder.path, state.runs))}, JSON.stringify(run) + '\\n');
const { text, stderr, exitCode } = JSON.parse(readFileSync(${JSON.stringify(join(folder.path, state.answer))}, 'utf8'));
process.stderr.write(stderr);
process.stdout.write(text);
process.exitCode = exitCode;
`;
  const command = await folder.write(`${name}.cjs`, source, 0o700);
  const set = async (text: string, stderr = '', exitCode = 0): Promise<void> => {
    await folder.write(state.answer, JSON.stringify({ text, stderr, exitCode }));
  };
  return {
    command,
    answer: (status, { stderr = '', exitCode = 0 } = {}) =>
      set(JSON.stringify({ kind: 'ExecCredential', apiVersion: execApiVersion, status }), stderr, exitCode),
    print: (text) => set(text),
    runs: async () => {
      const lines = (await readFile(join(folder.path, state.runs), 'utf8')).split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as PluginRun);
    },
  };
}
