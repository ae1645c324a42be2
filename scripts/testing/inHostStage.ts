import { globSync } from 'node:fs';
import { join } from 'node:path';
import { runInHostSuite } from '../../test/support/inHostSuite.ts';
import { repositoryRoot } from '../repository.ts';
import type { Stage } from './stage.ts';

/** All tests that run inside the extension host, in one VS Code. */
export const inHostStage: Stage = {
  name: 'in-host',
  run: async ({ env, grep, signal }) => {
    const files = globSync('test/editor/inHost/**/*.test.ts', { cwd: repositoryRoot }).sort();
    if (files.length === 0) return { passed: 0, failed: 1, output: 'no test file in test/editor/inHost' };
    const lines: string[] = [];
    const { passed, failures, retried } = await runInHostSuite(
      files.map((file) => join(repositoryRoot, file)),
      { env, signal, retries: 1, print: (line) => lines.push(line), ...(grep === undefined ? {} : { grep }) },
    );
    for (const { title, message } of failures) lines.push(`FAILED ${title}`, message);
    return { passed, failed: failures.length, retried, output: lines.join('\n') };
  },
};
