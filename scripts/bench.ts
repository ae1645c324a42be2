// npm run bench [-- NAME… --seconds N --seed N]: measures, and writes the figures to out/bench.json. Scenarios are the
// files of test/bench/.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism, platform, release } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Figure, Scenario, ScenarioOptions } from '../test/bench/figure.ts';
import { progress } from './bootstrap/cache.mjs';
import { repositoryRoot } from './repository.ts';

const folder = join(repositoryRoot, 'test', 'bench');
/** Files of it that are no scenarios. */
const support = ['figure.ts', 'bigObjects.ts'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, seed: { type: 'string' } },
});
process.exitCode = await main(positionals, {
  ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
  ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
});

async function main(wanted: readonly string[], options: ScenarioOptions): Promise<number> {
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.ts') && !support.includes(file))
    .map((file) => basename(file, '.ts'));
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    progress(`no such scenario: ${unknown.join(', ')}; there are ${names.join(', ')}`);
    return 2;
  }
  const scenarios: Record<string, readonly Figure[]> = {};
  for (const name of wanted.length > 0 ? wanted : names) {
    progress(`bench: ${name}`);
    const scenario = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Scenario;
    const figures = await scenario.run(options);
    scenarios[name] = figures;
    for (const figure of figures) console.log(`  ${print(figure)}`);
  }
  const machine = { node: process.version, os: `${platform()} ${release()}`, cores: availableParallelism() };
  const path = join(repositoryRoot, 'out', 'bench.json');
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `${JSON.stringify({ machine, scenarios }, null, 2)}\n`);
  console.log(path);
  return 0;
}

function print({ name, value, unit, against, goal }: Figure): string {
  const number = value.toFixed(unit === 'ratio' ? 2 : unit === 'right' || unit === 'count' ? 0 : 1);
  const shown = unit === 'ratio' ? `${number} ×` : `${number} ${unit}`;
  const beside = against === undefined ? '' : ` of ${against}`;
  return `${name}: ${shown}${beside}${goal === undefined ? '' : ` (goal: at most ${goal})`}`;
}
