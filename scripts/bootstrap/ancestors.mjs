// Notices that whoever started an npm script is gone. Runs on any Node >= 20.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Calls back once when the process that started this one has ended, however it ended. Between the two lie
 * npm and its shell where this is an npm script; those are watched too, since npm outlives its own parent.
 *
 * @param {() => void} onGone
 * @returns {() => void} stops watching
 */
export function watchAncestors(onGone) {
  const links = ancestorLinks();
  const timer = setInterval(
    () => {
      if (links.every(({ pid, parent }) => parentOf(pid) === parent)) return;
      clearInterval(timer);
      onGone();
    },
    hasProcFs() ? 300 : 2_000,
  );
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

/** @returns {{ pid: number, parent: number }[]} this process and its ancestors up to npm, each with its parent */
function ancestorLinks() {
  const links = [{ pid: process.pid, parent: process.ppid }];
  if (process.env.npm_lifecycle_event === undefined) return links;
  const chain = [...links];
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < 4; depth++) {
    const parent = parentOf(pid);
    if (parent === undefined) break;
    chain.push({ pid, parent });
    if (titleOf(pid).startsWith('npm')) return chain;
    pid = parent;
  }
  return links;
}

/** @param {number} pid */
function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  try {
    if (!hasProcFs()) return Number(ps(pid, 'ppid='));
    // The name, in parentheses, may itself hold spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function titleOf(pid) {
  try {
    return hasProcFs() ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ps(pid, 'args=');
  } catch {
    return '';
  }
}

/**
 * @param {number} pid
 * @param {string} format
 */
function ps(pid, format) {
  return execFileSync('ps', ['-o', format, '-p', String(pid)], { encoding: 'utf8' }).trim();
}

function hasProcFs() {
  return process.platform === 'linux';
}
