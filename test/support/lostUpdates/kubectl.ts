import { spawn } from 'node:child_process';
import type { JsonObject } from '../../../src/core/json.ts';
import { renderObject } from '../../../src/core/text/renderObject.ts';
import type { ToolResult } from './tool.ts';

/** A kubectl on one cluster, as one user. */
export interface Kubectl {
  readonly binary: string;
  readonly kubeconfig: string;
  /** A folder of its own, for its cache and for what it is given. */
  readonly folder: string;
}

/** Runs kubectl to its end; what it says in error is the reason. @param input for its standard input */
export function runKubectl(
  { binary, kubeconfig, folder }: Kubectl,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const fixed = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${folder}/cache`];
    const child = spawn(binary, [...fixed, ...args], { env: { ...process.env, ...env } });
    let errors = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code === 0 ? { kind: 'saved' } : { kind: 'refused', message: errors.trim() });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** An object as the text of a file that kubectl reads. */
export function printManifest(object: JsonObject): string {
  return renderObject(object);
}
