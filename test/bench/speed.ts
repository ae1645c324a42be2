import { parse } from 'yaml';
import type { JsonObject } from '../../src/core/json.ts';
import { builtinSchema } from '../../src/core/merge/builtinSchema.ts';
import { mergeLines } from '../../src/core/merge/lineMerge.ts';
import type { MergeSchema } from '../../src/core/merge/mergeSchema.ts';
import { mergeThreeWay } from '../../src/core/merge/threeWay.ts';
import { planEdits } from '../../src/core/text/planEdits.ts';
import { readDocument } from '../../src/core/text/readYaml.ts';
import { renderObject } from '../../src/core/text/renderObject.ts';
import { applyEdits } from '../../src/core/text/textEdit.ts';
import { bigDefinition } from './bigObjects.ts';
import { type Figure, timePair } from './figure.ts';

const configMapSchema = builtinSchema({ group: '', version: 'v1', kind: 'ConfigMap' });
const definitionSchema = builtinSchema({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
});

/** Three-way merge and text plan against parsing the same bytes, from 10 KB to 1 MB; and merging long texts by line. */
export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const kilobytes of [10, 100, 1000]) {
    const sides = {
      base: configMap(kilobytes, {}),
      mine: configMap(kilobytes, { 'file-1.conf': 'mine\n' }),
      live: configMap(kilobytes, { 'file-3.conf': 'live\n' }),
    };
    figures.push(...(await timeMerge(`a ConfigMap of ${kilobytes} KB`, sides, configMapSchema, 9)));
  }
  for (const kilobytes of [10, 100, 1000]) {
    const base = bigDefinition(kilobytes);
    const label = (key: string): JsonObject => ({
      ...base,
      metadata: { ...(base['metadata'] as JsonObject), labels: { [key]: 'x' } },
    });
    const sides = { base, mine: label('mine'), live: structuredClone(label('live')) };
    const rounds = kilobytes < 1000 ? 9 : 3;
    const name = `a CustomResourceDefinition of ${kilobytes} KB`;
    figures.push(...(await timeMerge(name, sides, definitionSchema, rounds)));
  }
  return [
    ...figures,
    ...timeLineMerge('unique', (line) => `line ${line}\n`),
    ...timeLineMerge('equal', () => 'line\n'),
  ];
}

interface Sides {
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly live: JsonObject;
}

async function timeMerge(
  name: string,
  { base, mine, live }: Sides,
  schema: MergeSchema,
  rounds: number,
): Promise<readonly Figure[]> {
  const text = renderObject(mine);
  const json = JSON.stringify(mine);
  const [ours, parsing] = await timePair(
    rounds,
    () => {
      const read = readDocument(text, schema);
      if (read.kind !== 'ok') throw new Error('the text cannot be read');
      const { value } = mergeThreeWay(base, read.value, live, schema);
      applyEdits(text, planEdits(text, value as JsonObject, { schema }));
    },
    () => {
      JSON.parse(json);
      parse(text, { uniqueKeys: false });
    },
  );
  return [
    {
      name: `read, merge and plan ${name}`,
      value: ours / parsing,
      unit: 'ratio',
      against: 'JSON.parse and YAML.parse of the same bytes',
    },
    { name: `the same, for each KB of ${name}`, value: ours / (text.length / 1000), unit: 'ms' },
  ];
}

/** Two writers' edits at every hundredth of 20,000 lines. */
function timeLineMerge(kind: string, print: (line: number) => string): readonly Figure[] {
  const lines = Array.from({ length: 20_000 }, (_item, line) => print(line));
  const edit = (first: number, word: string): string =>
    lines.map((line, index) => (index % 100 === first ? `${word} ${index}\n` : line)).join('');
  const [base, mine, live] = [lines.join(''), edit(10, 'mine'), edit(60, 'live')];
  const startedAt = performance.now();
  mergeLines(base, mine, live);
  const value = performance.now() - startedAt;
  return [{ name: `merge 20,000 ${kind} lines`, value, unit: 'ms', goal: 1000 }];
}

function configMap(kilobytes: number, changes: Record<string, string>): JsonObject {
  const line = 'key = a value that is some sixty characters long, for a believable file\n';
  const files = Math.max(4, Math.round(kilobytes / 10));
  const content = line.repeat(Math.ceil((kilobytes * 1000) / files / line.length));
  const data = Object.fromEntries(
    Array.from({ length: files }, (_item, index) => [`file-${index}.conf`, `# ${index}\n${content}`]),
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'big', namespace: 'shop' },
    data: { ...data, ...changes },
  };
}
