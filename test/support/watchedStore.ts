import type { JsonObject } from '../../src/core/json.ts';
import { metadataString } from '../../src/core/resource/kubeObject.ts';
import type { Delta } from '../../src/sync/delta.ts';

/** What a consumer of a reflector's deltas holds: uid and version by namespace and name. */
export class WatchedStore {
  readonly #objects = new Map<string, string>();
  /** Deltas taken so far. */
  deltas = 0;

  take(delta: Delta): void {
    this.deltas++;
    switch (delta.kind) {
      case 'page':
        for (const object of delta.objects) this.#set(object);
        return;
      case 'replaced':
        this.#objects.clear();
        for (const object of delta.objects) this.#set(object);
        return;
      case 'added':
      case 'modified':
        this.#set(delta.object);
        return;
      case 'deleted':
        this.#objects.delete(keyOf(delta.object));
    }
  }

  /** One line an object, sorted: equal where two stores hold the same versions of the same objects. */
  get lines(): readonly string[] {
    return [...this.#objects].map(([key, version]) => `${key} ${version}`).sort();
  }

  #set(object: JsonObject): void {
    this.#objects.set(keyOf(object), versionOf(object));
  }
}

/** The same lines of what a list answers. */
export function linesOf(objects: readonly JsonObject[]): readonly string[] {
  return objects.map((object) => `${keyOf(object)} ${versionOf(object)}`).sort();
}

function keyOf(object: JsonObject): string {
  return `${metadataString(object, 'namespace') ?? ''}/${metadataString(object, 'name') ?? ''}`;
}

function versionOf(object: JsonObject): string {
  return `${metadataString(object, 'uid') ?? ''}@${metadataString(object, 'resourceVersion') ?? ''}`;
}
