// The per-user cache of everything heavy that scripts and tests need. Runs on any Node >= 20.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { lock } from 'proper-lockfile';

/**
 * One thing kept in the cache.
 *
 * @typedef {object} CachePart
 * @property {string} name folder name without the version
 * @property {string} version identifies the content: another version is another folder
 * @property {string} proof a file inside, relative to the folder, without which the part is useless
 * @property {string} reason why it is needed, shown while it is made
 * @property {(folder: string) => Promise<void>} make fills an empty folder; may throw
 */

/** @returns {string} the cache folder of this project for this user */
export function cacheRoot() {
  const configured = process.env.XDG_CACHE_HOME;
  const home = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), '.cache');
  return join(home, 'kubemerge');
}

/** @param {string} line one line of progress; standard error, since standard output holds results */
export function progress(line) {
  process.stderr.write(`[kubemerge] ${line}\n`);
}

/**
 * @param {CachePart} part
 * @returns {string} where the part lies, whether or not it is there
 */
export function partFolder(part) {
  return join(cacheRoot(), `${part.name}-${part.version}`);
}

/**
 * @param {CachePart} part
 * @returns {boolean} whether the part is complete: its stamp, written last, and its proof are there
 */
export function isProvisioned(part) {
  const folder = partFolder(part);
  return existsSync(join(folder, stampName)) && existsSync(join(folder, part.proof));
}

/**
 * Makes the part unless it is there. Processes that want the same part wait for one another. A part is made
 * in a folder of its own and renamed when complete, so that an interrupted attempt is never taken for one.
 *
 * @param {CachePart} part
 * @returns {Promise<string>} the part's folder
 * @throws {Error} what `make` throws, or that the result lacks its proof
 */
export async function provision(part) {
  const folder = partFolder(part);
  if (isProvisioned(part)) return folder;
  await mkdir(cacheRoot(), { recursive: true });
  const release = await takeLock(folder, part.name);
  try {
    if (isProvisioned(part)) return folder;
    await removeLeftovers(folder, part.name);
    progress(`${part.name} ${part.version}: not in the cache; ${part.reason}`);
    const startedAt = Date.now();
    const partial = `${folder}.partial-${randomBytes(4).toString('hex')}`;
    await mkdir(partial);
    try {
      await part.make(partial);
      if (!existsSync(join(partial, part.proof))) {
        throw new Error(`${part.name} ${part.version}: was made, but ${part.proof} is missing in it`);
      }
      await writeFile(join(partial, stampName), `${part.name} ${part.version}\n`);
      await rename(partial, folder);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
    progress(`${part.name} ${part.version}: ready after ${Math.round((Date.now() - startedAt) / 1000)} s`);
    return folder;
  } finally {
    await release();
  }
}

const stampName = '.complete';

/**
 * The lock is renewed while it is held; a holder that died loses it after `stale` ms.
 *
 * @param {string} folder
 * @param {string} name
 */
async function takeLock(folder, name) {
  const options = { realpath: false, stale: 20_000, update: 4_000 };
  try {
    return await lock(folder, options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ELOCKED')) throw error;
  }
  progress(`${name}: waiting, another process provisions it (or died less than 20 s ago)`);
  return lock(folder, {
    ...options,
    retries: { forever: true, minTimeout: 500, maxTimeout: 1_000 },
  });
}

/**
 * @param {string} folder
 * @param {string} name
 */
async function removeLeftovers(folder, name) {
  if (existsSync(folder)) {
    progress(`${name}: the copy in the cache is damaged; made again`);
    await rm(folder, { recursive: true, force: true });
  }
  const unfinished = `${basename(folder)}.partial-`;
  for (const entry of await readdir(dirname(folder))) {
    if (!entry.startsWith(unfinished)) continue;
    progress(`${name}: an earlier attempt was interrupted; started again`);
    await rm(join(dirname(folder), entry), { recursive: true, force: true });
  }
}
