// npm run provision [-- PART…]: makes what scripts and tests need, ahead of its first use.
import { provisionOldestHostNode } from './bootstrap/node.mjs';
import { progress } from './bootstrap/cache.mjs';
import { provisionApiServer } from './provision/apiServer.ts';
import { provisionEditor } from './provision/editor.ts';
import { provisionKubectl } from './provision/kubectl.ts';

const parts: ReadonlyMap<string, () => Promise<unknown>> = new Map<string, () => Promise<unknown>>([
  ['apiserver', provisionApiServer],
  ['kubectl', provisionKubectl],
  ['oldest-host-node', provisionOldestHostNode],
  ['editor', provisionEditor],
]);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.has(name));
if (unknown.length > 0) {
  progress(`no such part: ${unknown.join(', ')}; there are ${[...parts.keys()].join(', ')}`);
  process.exit(2);
}
for (const [name, make] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name, JSON.stringify(await make()));
}
