import { printJson } from '../../../../src/core/json.ts';
import type { ApiReply } from '../../apiClient.ts';
import type { Tool, ToolResult } from '../tool.ts';

/** The edited object as a whole, on the version that was opened, without a merge. */
export const conditionalPut: Tool = {
  name: 'conditional PUT',
  save: async (scene, otherWrites) => {
    await otherWrites();
    const body = printJson(scene.mineOf(scene.opened));
    return toToolResult(await scene.request('PUT', scene.path, { body }));
  },
};

export function toToolResult({ status, text }: ApiReply): ToolResult {
  return status < 300 ? { kind: 'saved' } : { kind: 'refused', message: `${String(status)} ${text}` };
}
