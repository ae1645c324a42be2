import { type Json, printJson } from '../../../../src/core/json.ts';
import { jsonPatch } from '../patches/jsonPatch.ts';
import { mergePatch } from '../patches/mergePatch.ts';
import { strategicPatch } from '../patches/strategicPatch.ts';
import type { Scene } from '../scene.ts';
import type { Tool } from '../tool.ts';
import { toToolResult } from './conditionalPut.ts';

/** Tools that send what mine changed as a patch, which lands on whatever is there. */
export const patchTools: readonly Tool[] = [
  patchTool('JSON Patch by index', 'application/json-patch+json', (scene) =>
    jsonPatch(scene.opened, scene.mineOf(scene.opened)),
  ),
  patchTool('JSON merge patch', 'application/merge-patch+json', (scene) =>
    mergePatch(scene.opened, scene.mineOf(scene.opened)),
  ),
  patchTool('strategic merge patch', 'application/strategic-merge-patch+json', (scene) =>
    strategicPatch(scene.opened, scene.mineOf(scene.opened), scene.type),
  ),
];

function patchTool(name: string, contentType: string, patchOf: (scene: Scene) => Json): Tool {
  return {
    name,
    save: async (scene, otherWrites) => {
      await otherWrites();
      const headers = { 'content-type': contentType };
      return toToolResult(
        await scene.request('PATCH', scene.path, { body: printJson(patchOf(scene)), headers }),
      );
    },
  };
}
