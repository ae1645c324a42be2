import { execFile } from 'node:child_process';
import { open, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocument } from '../../../../src/core/text/readYaml.ts';
import { type Kubectl, printManifest, runKubectl } from '../kubectl.ts';
import type { Scene } from '../scene.ts';
import type { Tool, ToolResult } from '../tool.ts';

/**
 * Hands the text to the bench through one pipe and takes the edited text from another. Asked again, which
 * means that the server has refused, it gives up by changing nothing.
 */
const editorScript = `#!/bin/sh
[ -e "$LOST_UPDATES/asked" ] && exit 0
: > "$LOST_UPDATES/asked"
cat "$1" > "$LOST_UPDATES/opened"
cat "$LOST_UPDATES/edited" > "$1"
`;

/** `kubectl edit`: the object is open in an editor while the other writer writes. */
export function kubectlEdit(kubectl: Kubectl): Tool {
  return {
    name: 'kubectl edit',
    save: async (scene, otherWrites) => {
      const folder = await mkdtemp(join(kubectl.folder, 'edit-'));
      const editor = join(folder, 'editor.sh');
      await writeFile(editor, editorScript, { mode: 0o700 });
      const [opened, edited] = [join(folder, 'opened'), join(folder, 'edited')];
      await promisify(execFile)('mkfifo', [opened, edited]);
      const env = { KUBE_EDITOR: editor, LOST_UPDATES: folder };
      const ended = runKubectl(kubectl, ['edit', target(scene), `--namespace=${scene.namespace}`], { env });
      const early = ended.then(async (result) => {
        await release(opened);
        return result;
      });
      const text = await readFile(opened, 'utf8');
      if (text === '') return unopened(await early);
      const read = readDocument(text);
      if (read.kind === 'invalid') throw new Error(`${scene.scenario.title}: kubectl printed no object`);
      await otherWrites();
      await writeFile(edited, printManifest(scene.mineOf(read.value)));
      return early;
    },
  };
}

function target({ type, name }: Scene): string {
  const { group, version } = type.gvk;
  return `${type.resource}${group === '' ? '' : `.${version}.${group}`}/${name}`;
}

/** Ends a read of a pipe that nobody writes to any more. */
async function release(pipe: string): Promise<void> {
  const handle = await open(pipe, 'r+');
  await handle.close();
}

function unopened(result: ToolResult): never {
  throw new Error(`kubectl edit opened nothing: ${result.kind === 'refused' ? result.message : 'it ended'}`);
}
