import { isAbsolute, resolve } from 'node:path';

/** The top folder of the project. */
export const repositoryRoot = resolve(import.meta.dirname, '..');

/** Reads a path that a person typed: relative to where they ran npm, not to the project. */
export function userPath(path: string): string {
  return isAbsolute(path) ? path : resolve(process.env.INIT_CWD ?? process.cwd(), path);
}
