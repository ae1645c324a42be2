import { type Kubectl, printManifest, runKubectl } from '../kubectl.ts';
import type { Tool } from '../tool.ts';

/** Somebody keeps the object in a file, edits the file and applies it. */
export function kubectlApply(kubectl: Kubectl, isServerSide: boolean): Tool {
  const args = ['apply', '-f', '-', ...(isServerSide ? ['--server-side'] : [])];
  return {
    name: isServerSide ? 'kubectl apply --server-side' : 'kubectl apply',
    create: async (scene, object) => {
      const result = await runKubectl(kubectl, args, { input: printManifest(object) });
      // Server-side apply refuses what has duplicate keys: somebody else has made it, then.
      if (result.kind === 'refused') await scene.create();
    },
    save: async (scene, otherWrites) => {
      await otherWrites();
      return runKubectl(kubectl, args, { input: printManifest(scene.mineOf(scene.manifest)) });
    },
  };
}
