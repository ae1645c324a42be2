import { printFieldPath } from '../../../../src/core/merge/fieldPath.ts';
import { toVisible } from '../../../../src/core/resource/editableObject.ts';
import { printApiVersion } from '../../../../src/core/resource/gvk.ts';
import { toSnapshot } from '../../../../src/core/resource/snapshot.ts';
import { schemaFromOpenApi } from '../../../../src/core/merge/openApiSchema.ts';
import { builtinSchema } from '../../../../src/core/merge/builtinSchema.ts';
import { readMine } from '../../../../src/core/session/readMine.ts';
import type { SaveResult } from '../../../../src/core/session/saveResult.ts';
import { planEdits } from '../../../../src/core/text/planEdits.ts';
import { renderObject } from '../../../../src/core/text/renderObject.ts';
import { applyEdits } from '../../../../src/core/text/textEdit.ts';
import { systemClock } from '../../../../src/cluster/systemClock.ts';
import type { ClusterPort } from '../../../../src/sync/clusterPort.ts';
import { SessionRunner } from '../../../../src/sync/sessionRunner.ts';
import type { Scene } from '../scene.ts';
import type { Tool, ToolResult } from '../tool.ts';

/**
 * Ours, by the path of a real save: the text that an editor shows, edited; its reading; the session's steps;
 * conditional writes over the cluster port. The server's 409 tells it of the other's write.
 */
export function kubemerge(cluster: ClusterPort): Tool {
  return {
    name: 'KubeMerge',
    save: async (scene, otherWrites) => {
      const document = await openDocument(cluster, scene);
      try {
        await otherWrites();
        const reading = readMine(document.typeMine(), document.context);
        if (reading.kind === 'invalid') {
          return { kind: 'refused', message: reading.problems.map(({ message }) => message).join() };
        }
        return toToolResult(await document.runner.save(reading.object, document.context.named));
      } finally {
        document.runner.dispose();
      }
    },
  };
}

async function openDocument(cluster: ClusterPort, scene: Scene) {
  const { gvk, resource, isNamespaced, hasStatusSubresource } = scene.type;
  const { name, namespace } = scene;
  const place = isNamespaced ? { namespace } : {};
  const ref = { context: cluster.context.name, ...place, gvr: { ...gvk, resource }, name };
  const signal = new AbortController().signal;
  const [read, served] = await Promise.all([
    cluster.get(ref, signal),
    cluster.openApi(printApiVersion(gvk), signal),
  ]);
  const opened = read.kind === 'ok' ? toSnapshot(read.value) : undefined;
  if (opened === undefined || served.kind !== 'ok') throw new Error(`${name} could not be opened`);
  const schema = schemaFromOpenApi(served.value, gvk) ?? builtinSchema(gvk);
  const traits = { hasStatusSubresource };
  const runner = new SessionRunner({
    cluster,
    clock: systemClock,
    start: { ref, traits, schema, opened, reviewsForeignChanges: false },
    review: () => Promise.resolve(true),
    askConsent: () => Promise.resolve({ context: ref.context }),
    follow: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const visible = toVisible(opened.object, traits);
  const text = renderObject(visible);
  const named = opened.resourceVersion;
  return {
    runner,
    context: { gvk, name, ...place, uid: opened.uid, named, traits, schema },
    /** The text after mine's edits. */
    typeMine: () => applyEdits(text, planEdits(text, scene.mineOf(visible), { schema })),
  };
}

function toToolResult(result: SaveResult): ToolResult {
  switch (result.kind) {
    case 'committed':
    case 'unchanged':
      return { kind: 'saved' };
    case 'conflict': {
      const conflicts = result.conflicts.map(({ path }) => printFieldPath(path)).sort();
      return { kind: 'refused', message: `conflict at ${conflicts.join(', ')}`, conflicts };
    }
    case 'recreated':
    case 'deleted':
      return { kind: 'refused', message: result.kind, because: result.kind };
    default:
      return { kind: 'refused', message: 'message' in result ? result.message : result.kind };
  }
}
