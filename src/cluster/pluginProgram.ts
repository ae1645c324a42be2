/** Tells the program where to meet the extension: the socket's path and a word that only both know. */
export const meetingVariable = 'KUBEMERGE_SIGN_IN';

/** What the program is told to run. */
export interface PluginTask {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the program tells of a run. */
export interface PluginReport {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Why the plugin could not be started: a system code. */
  readonly failure?: string;
}

/**
 * A program of its own, which a terminal runs: it runs a plugin with the terminal's input and error output, and
 * hands what the plugin prints to the extension instead of the screen. It must name nothing outside itself.
 */
function runPluginHere(variable: string): void {
  const { connect } = process.getBuiltinModule('node:net');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [path = '', word = ''] = (process.env[variable] ?? '').split('\n');
  const socket = connect(path, () => socket.write(`${word}\n`));
  const leave = (message: string, code: number): void => {
    process.stderr.write(`\n${message}\n`);
    process.exitCode = code;
  };
  socket.on('error', () => {
    leave('KubeMerge does not wait for this sign-in any more.', 1);
  });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n')) return;
    const { command, args, env } = JSON.parse(text) as PluginTask;
    const report = (told: PluginReport): void => {
      socket.end(`${JSON.stringify(told)}\n`);
      leave(
        told.exitCode === 0 ? 'Signed in. This terminal can be closed.' : 'Not signed in.',
        told.exitCode ?? 1,
      );
    };
    const run = (isShell: boolean): void => {
      const quoted = args.map((argument) => `"${argument.replaceAll('"', '""')}"`);
      const child = isShell
        ? spawn(`"${command}"`, quoted, { env, stdio: ['inherit', 'pipe', 'inherit'], shell: true })
        : spawn(command, args, { env, stdio: ['inherit', 'pipe', 'inherit'] });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        stdout += part;
      });
      child.once('error', (error: NodeJS.ErrnoException) => {
        // Windows starts scripts such as gcloud.cmd by its shell only.
        if (process.platform === 'win32' && !isShell) run(true);
        else report({ exitCode: null, stdout: '', failure: error.code ?? 'unknown' });
      });
      child.once('close', (exitCode: number | null) => {
        if (child.pid !== undefined) report({ exitCode, stdout });
      });
    };
    run(false);
  });
}

/** The program's text, CommonJS. */
export function printPluginProgram(): string {
  return `(${runPluginHere.toString()})(${JSON.stringify(meetingVariable)});\n`;
}
