import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import { isJsonObject, type Json, memberAt, parseJson } from '../core/json.ts';
import type { Clock } from '../sync/clock.ts';
import type { IssuedCredentials } from './clientNode.ts';
import type { ExecConfig, KubeCluster } from './kubeconfigModel.ts';
import type { Environment } from './kubeconfigPaths.ts';
import type { PluginReport } from './pluginProgram.ts';
import { redact, toShortText } from './redact.ts';

/** Longest run of a plugin, in ms: long enough for a browser log-in that is under way. */
export const execTimeoutMs = 60_000;

/** How much of a plugin's output is kept, in characters. */
const maxOutputLength = 1024 * 1024;

const groupName = 'client.authentication.k8s.io';
const apiVersions = [`${groupName}/v1`, `${groupName}/v1beta1`];

/** A plugin's answer; `expiresAt` in ms since the epoch, absent where it holds until it is refused. */
export interface ExecCredential extends IssuedCredentials {
  readonly expiresAt?: number;
}

export type ExecResult =
  | { readonly kind: 'ok'; readonly value: ExecCredential }
  | { readonly kind: 'unauthenticated' | 'misconfigured'; readonly message: string }
  | { readonly kind: 'aborted' };

export interface ExecSurroundings {
  readonly env: () => Environment;
  readonly clock: Clock;
  /** Hears each line that a plugin writes for the person: device codes and log-in links are there. */
  readonly onPluginOutput: (output: PluginOutput) => void;
}

export interface PluginOutput {
  readonly command: string;
  /** A line without what looks like a secret. A plugin's standard output is its credential and goes nowhere. */
  readonly text: string;
}

/**
 * Runs a credential plugin once.
 * Source: client-go credential plugins, `client.authentication.k8s.io` v1 and v1beta1.
 *
 * @returns never throws; messages name the command, never its arguments, environment or credentials
 */
export async function runExecPlugin(
  exec: ExecConfig,
  cluster: KubeCluster,
  surroundings: ExecSurroundings,
  signal: AbortSignal,
): Promise<ExecResult> {
  const { command } = exec;
  if (!apiVersions.includes(exec.apiVersion)) {
    const named = exec.apiVersion === '' ? 'no apiVersion' : `the apiVersion ${exec.apiVersion}`;
    return misconfigured(
      `the credential plugin ${command} has ${named}; ${apiVersions.join(' or ')} is needed`,
    );
  }
  if (exec.interactiveMode === 'Always') {
    const message = `the credential plugin ${command} asks for a terminal: run “KubeMerge: Sign In in a Terminal…”`;
    return { kind: 'unauthenticated', message };
  }
  const environment = pluginEnvironment(exec, cluster, surroundings.env(), { isInteractive: false });
  const run = await runProcess(exec, environment, surroundings, signal);
  switch (run.kind) {
    case 'aborted':
      return run;
    case 'failed':
      return failureToStart(exec, run.code, environment);
    case 'timedOut':
      return {
        kind: 'unauthenticated',
        message: `the credential plugin ${command} gave no credentials within ${execTimeoutMs / 1000} s${said(run.stderr)}`,
      };
    case 'exited':
      if (run.exitCode === 0) return readCredential(run.stdout, exec);
      return {
        kind: 'unauthenticated',
        message: `the credential plugin ${command} failed (exit code ${run.exitCode ?? 'none'})${said(run.stderr)}${hint(exec)}`,
      };
  }
}

type ProcessRun =
  | {
      readonly kind: 'exited';
      readonly exitCode: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: 'timedOut'; readonly stderr: string }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'aborted' };

function runProcess(
  exec: ExecConfig,
  env: Record<string, string | undefined>,
  { clock, onPluginOutput }: ExecSurroundings,
  signal: AbortSignal,
): Promise<ProcessRun> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      // No standard input: a plugin that reads it would wait for ever.
      child = spawn(exec.command, [...exec.args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      });
    } catch (error) {
      resolve({ kind: 'failed', code: codeOf(error) });
      return;
    }
    let stdout = '';
    let stderr = '';
    let line = '';
    /** Whole lines only: a secret that is cut in two would not be known for one. */
    const tell = (text: string, isEnd = false): void => {
      const lines = (line + text).split(/\r?\n/);
      line = isEnd ? '' : (lines.pop() ?? '').slice(-maxOutputLength);
      for (const whole of lines) {
        if (whole.trim() !== '') onPluginOutput({ command: exec.command, text: redact(whole) });
      }
    };
    const settle = (run: ProcessRun): void => {
      timer.dispose();
      signal.removeEventListener('abort', abort);
      resolve(run);
    };
    const abort = (): void => {
      child.kill();
      settle({ kind: 'aborted' });
    };
    const timer = clock.schedule(execTimeoutMs, () => {
      child.kill();
      settle({ kind: 'timedOut', stderr });
    });
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, maxOutputLength);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-maxOutputLength);
      tell(text);
    });
    child.once('error', (error) => {
      settle({ kind: 'failed', code: codeOf(error) });
    });
    child.once('close', (exitCode) => {
      tell('', true);
      settle({ kind: 'exited', exitCode, stdout, stderr });
    });
  });
}

/** The environment of a plugin's run. Its own variables win over ours; what it is told of the request over both. */
export function pluginEnvironment(
  exec: ExecConfig,
  cluster: KubeCluster,
  env: Environment,
  { isInteractive }: { readonly isInteractive: boolean },
): Record<string, string | undefined> {
  const environment: Record<string, string | undefined> = { ...env };
  for (const { name, value } of exec.env) environment[name] = value;
  environment.KUBERNETES_EXEC_INFO = JSON.stringify(execInfo(exec, cluster, isInteractive));
  return environment;
}

/** What a plugin's run in a terminal brought. */
export function readTerminalReport(
  { exitCode, stdout, failure }: PluginReport,
  exec: ExecConfig,
  env: Environment,
): ExecResult {
  if (failure !== undefined) return failureToStart(exec, failure, env);
  if (exitCode === 0) return readCredential(stdout, exec);
  return {
    kind: 'unauthenticated',
    message: `the credential plugin ${exec.command} failed (exit code ${exitCode ?? 'none'})${hint(exec)}`,
  };
}

/** What the plugin is told about the request. */
function execInfo(exec: ExecConfig, cluster: KubeCluster, isInteractive: boolean): unknown {
  return {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: {
      interactive: isInteractive,
      ...(exec.provideClusterInfo
        ? {
            cluster: {
              server: cluster.server,
              ...(cluster.tlsServerName === undefined ? {} : { 'tls-server-name': cluster.tlsServerName }),
              ...(cluster.skipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
              ...(cluster.ca === undefined
                ? {}
                : { 'certificate-authority-data': cluster.ca.toString('base64') }),
              ...(cluster.proxyUrl === undefined ? {} : { 'proxy-url': cluster.proxyUrl }),
              ...(cluster.isCompressionDisabled ? { 'disable-compression': true } : {}),
              ...(cluster.execExtension === undefined ? {} : { config: cluster.execExtension }),
            },
          }
        : {}),
    },
  };
}

function readCredential(stdout: string, exec: ExecConfig): ExecResult {
  const { command } = exec;
  let answer: Json;
  try {
    answer = parseJson(stdout);
  } catch {
    return misconfigured(`the credential plugin ${command} did not print JSON`);
  }
  if (memberAt(answer, 'kind') !== 'ExecCredential') {
    return misconfigured(`the credential plugin ${command} did not print an ExecCredential`);
  }
  if (memberAt(answer, 'apiVersion') !== exec.apiVersion) {
    return misconfigured(
      `the credential plugin ${command} answered in another apiVersion than ${exec.apiVersion}`,
    );
  }
  const status = memberAt(answer, 'status');
  const read = (key: string): string | undefined => {
    const value = memberAt(status, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const token = read('token');
  const certificate = read('clientCertificateData');
  const key = read('clientKeyData');
  if (!isJsonObject(status) || (token === undefined && certificate === undefined)) {
    return { kind: 'unauthenticated', message: `the credential plugin ${command} gave no credentials` };
  }
  if ((certificate === undefined) !== (key === undefined)) {
    return misconfigured(`the credential plugin ${command} gave a certificate or a key without the other`);
  }
  const expiresAt = Date.parse(read('expirationTimestamp') ?? '');
  return {
    kind: 'ok',
    value: {
      ...(token === undefined ? {} : { token }),
      ...(certificate === undefined ? {} : { certificate }),
      ...(key === undefined ? {} : { key }),
      ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
    },
  };
}

function failureToStart(exec: ExecConfig, code: string, env: Environment): ExecResult {
  const { command } = exec;
  if (code !== 'ENOENT') {
    return misconfigured(`the credential plugin ${command} cannot be started (${code})${hint(exec)}`);
  }
  const isPath = /[\\/]/.test(command);
  const where = isPath ? 'does not exist' : `is not on PATH (${env.PATH ?? env.Path ?? ''})`;
  return misconfigured(`the credential plugin ${command} ${where}${hint(exec)}`);
}

function misconfigured(message: string): ExecResult {
  return { kind: 'misconfigured', message };
}

function said(stderr: string): string {
  const text = toShortText(stderr);
  return text === '' ? '' : `: ${text}`;
}

function hint({ installHint }: ExecConfig): string {
  return installHint === undefined ? '' : `. ${installHint}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
