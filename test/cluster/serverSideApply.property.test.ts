import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { repositoryRoot } from '../../scripts/repository.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  memberAt,
  withMember,
} from '../../src/core/json.ts';
import type { MergeSchema } from '../../src/core/merge/mergeSchema.ts';
import { schemaFromOpenApi } from '../../src/core/merge/openApiSchema.ts';
import { mergeThreeWay } from '../../src/core/merge/threeWay.ts';
import { toEditable } from '../../src/core/resource/editableObject.ts';
import { type GroupVersionKind, parseApiVersion } from '../../src/core/resource/gvk.ts';
import type { ApiClient } from '../support/apiClient.ts';
import { ApartEditor } from '../support/oneSidedEdits.ts';
import { createNamespace, sharedApiServer } from '../support/sharedApiServer.ts';
import { until } from '../support/until.ts';
import { flatten } from '../unit/core/merge/flatten.ts';
import { type AppliedKind, appliedKinds } from './appliedKinds.ts';

/** Objects of each kind; four requests each. `KUBEMERGE_LONG=1` asks for more. */
const numRuns = process.env['KUBEMERGE_LONG'] === '1' ? 1_000 : 25;

describe('merging edits of different places, against server-side apply', () => {
  let client: ApiClient;
  let namespace: string;

  before(async () => {
    client = (await sharedApiServer()).client();
    namespace = await createNamespace(client, 'oracle');
    for (const name of ['storefront', 'pipeline']) {
      const file = join(repositoryRoot, 'test/data/merge', `${name}.crd.yaml`);
      const definition: unknown = parse(readFileSync(file, 'utf8'));
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await client.apply(`${path}/${name}s.shop.example.com`, definition, 'test');
    }
  });

  for (const kind of appliedKinds) {
    it(`A14: is what the server makes of a ${kind.base.kind}`, async function () {
      this.timeout(numRuns * 4_000);
      const schema = await readSchema(kind);
      let number = 0;
      const property = fc.asyncProperty(fc.array(fc.nat(999), { minLength: 150, maxLength: 150 }), (tape) =>
        check(kind, schema, tape, `o${++number}`),
      );
      // A smaller tape is no simpler edit.
      await fc.assert(property, { numRuns, endOnFailure: true });
    });
  }

  async function check(
    kind: AppliedKind,
    schema: MergeSchema,
    tape: readonly number[],
    name: string,
  ): Promise<void> {
    let position = 0;
    const roll = (sides: number): number => (tape[position++ % tape.length] ?? 0) % sides;
    const base = named(kind.base, name);
    const { mine, live, mineApplied, liveApplied } = new ApartEditor(kind.plan, roll).edit(base, schema);
    const path = `${collectionOf(kind)}/${name}`;

    await client.apply(path, base, 'a');
    if (liveApplied !== undefined) await client.apply(path, withIdentity(liveApplied, base), 'b');
    const applied = (await client.apply(path, withIdentity(mineApplied, base), 'a')) as JsonObject;

    const merged = mergeThreeWay(base, mine ?? null, live ?? null, schema);
    assert.deepEqual(merged.conflicts, []);
    // The server's own defaults are added to both.
    const { resourceVersion, uid } = applied['metadata'] as JsonObject;
    const metadata = { ...(memberAt(merged.value, 'metadata') as JsonObject), resourceVersion, uid };
    const body = withMember(merged.value as JsonObject, 'metadata', metadata as JsonObject);
    const put = (await client.replace(`${path}?dryRun=All`, body)) as JsonObject;
    assertSame(leavesOf(put, schema), leavesOf(applied, schema));
  }

  function collectionOf({ base, plural }: AppliedKind): string {
    const { apiVersion } = base;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return `${root}/namespaces/${namespace}/${plural}`;
  }

  /** As the server describes it; a new custom resource is described a moment after it is served. */
  async function readSchema({ base }: AppliedKind): Promise<MergeSchema> {
    const { apiVersion, kind } = base;
    const gvk: GroupVersionKind = { ...parseApiVersion(apiVersion), kind };
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
    let schema: MergeSchema | undefined;
    await until(async () => {
      const reply = await client.request('GET', `/openapi/v3/${path}`);
      schema = reply.status === 200 ? schemaFromOpenApi(reply.json as JsonObject, gvk) : undefined;
      return schema !== undefined;
    });
    assert.ok(schema);
    return schema;
  }
});

function named(base: JsonObject, name: string): JsonObject {
  return withMember(base, 'metadata', { ...(base['metadata'] as JsonObject), name });
}

/** An apply names its object, whatever it changes. */
function withIdentity(part: Json | undefined, base: JsonObject): JsonObject {
  const object = isJsonObject(part) ? part : {};
  const metadata = memberAt(object, 'metadata');
  return {
    ...object,
    apiVersion: base['apiVersion'] ?? '',
    kind: base['kind'] ?? '',
    metadata: {
      ...(isJsonObject(metadata) ? metadata : {}),
      name: memberAt(base, 'metadata', 'name') ?? '',
    },
  };
}

function leavesOf(object: JsonObject, schema: MergeSchema): ReadonlyMap<string, Json> {
  return flatten(toEditable(object, { hasStatusSubresource: true }), schema);
}

function assertSame(actual: ReadonlyMap<string, Json>, expected: ReadonlyMap<string, Json>): void {
  const differing = [...new Set([...actual.keys(), ...expected.keys()])].filter(
    (path) => !jsonEqual(actual.get(path), expected.get(path)),
  );
  assert.deepEqual(
    differing.map((path) => [path, actual.get(path)]),
    differing.map((path) => [path, expected.get(path)]),
  );
}
