// Runs the commands that provisioning consists of. Runs on any Node >= 20.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { progress } from './cache.mjs';

/**
 * Runs a command to its end; its output is shown only where it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, title: string }} options `title` names it in progress lines
 * @returns {Promise<string>} its standard output
 * @throws {Error} it could not be started, or failed; the message ends with its last lines
 */
export function runCommand(command, args, options) {
  return new Promise((resolve, reject) => {
    const startedAt = Date.now();
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (errors += text));
    const heartbeat = setInterval(() => {
      progress(`${options.title}: still running (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    }, 30_000);
    child.on('error', (error) => {
      clearInterval(heartbeat);
      reject(new Error(`${options.title}: cannot start ${command}: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearInterval(heartbeat);
      if (code === 0) {
        resolve(output);
        return;
      }
      const tail = `${output}\n${errors}`.trim().split('\n').slice(-25).join('\n');
      reject(new Error(`${options.title}: ${command} ended with ${String(code ?? signal)}\n${tail}`));
    });
  });
}

/**
 * Installs npm packages into a folder of the cache.
 *
 * @param {string} folder
 * @param {readonly string[]} packages with exact versions
 * @param {{ title: string, allowScripts: Record<string, boolean>, env?: NodeJS.ProcessEnv }} options
 *   `allowScripts`: the packages whose install scripts may run, for an npm that asks
 */
export async function npmInstall(folder, packages, options) {
  const manifest = { private: true, allowScripts: options.allowScripts };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], {
    cwd: folder,
    env: { ...environmentForNestedNpm(), ...options.env },
    title: options.title,
  });
}

/**
 * What `npm run` tells its children about this package and about its own Node would mislead an npm that works in
 * another folder, by another Node: install scripts read the Node's version from the user agent.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentForNestedNpm(env = process.env) {
  const misleading =
    /^npm_(package|lifecycle)_|^npm_(command|execpath|node_execpath|config_(local_prefix|save_exact|user_agent))$/i;
  const kept = Object.entries(env).filter(([key]) => !misleading.test(key));
  // Native modules need Node's headers; where they are installed nothing has to be downloaded.
  const headers = existsSync('/usr/include/node') ? { npm_config_nodedir: '/usr' } : {};
  return { ...headers, ...Object.fromEntries(kept) };
}
