import { parse } from 'yaml';
import type { JsonObject } from '../../src/core/json.ts';
import { builtinSchema } from '../../src/core/merge/builtinSchema.ts';
import { mergeThreeWay } from '../../src/core/merge/threeWay.ts';
import { planEdits } from '../../src/core/text/planEdits.ts';
import { readDocument } from '../../src/core/text/readYaml.ts';
import { renderObject } from '../../src/core/text/renderObject.ts';
import { applyEdits } from '../../src/core/text/textEdit.ts';
import { type Figure, timePair } from './figure.ts';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'ConfigMap' });

/** Three-way merge and text plan of a ConfigMap against parsing the same bytes, from 10 KB to 1 MB. */
export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const kilobytes of [10, 100, 1000]) {
    const base = configMap(kilobytes, {});
    const mine = configMap(kilobytes, { 'file-1.conf': 'mine\n' });
    const live = configMap(kilobytes, { 'file-3.conf': 'live\n' });
    const text = renderObject(mine);
    const json = JSON.stringify(mine);
    const [ours, parsing] = await timePair(
      9,
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
    figures.push({
      name: `read, merge and plan a ConfigMap of ${kilobytes} KB`,
      value: ours / parsing,
      unit: 'ratio',
      against: 'JSON.parse and YAML.parse of the same bytes',
    });
  }
  return figures;
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
