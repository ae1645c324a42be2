import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @returns `type` of the package.json that a file belongs to; undefined where it says none or there is none */
export async function nearestPackageType(file: string): Promise<string | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { type?: string };
      return manifest.type;
    } catch {
      if (folder === dirname(folder)) return undefined;
    }
  }
}
