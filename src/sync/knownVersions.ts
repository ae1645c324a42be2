import type { JsonObject } from '../core/json.ts';
import { metadataString } from '../core/resource/kubeObject.ts';

/** How many versions are remembered to tell a replayed event from news. */
const rememberedVersions = 1_000;

/**
 * Which version of which object a consumer has been told of, in one collection.
 * Versions are compared for equality only.
 */
export class KnownVersions {
  #current = new Map<string, string>();
  /** Versions seen since the last list, oldest first: one that comes again is history. */
  #seen = new Set<string>();

  /** Takes a complete list: all else is forgotten. */
  replace(objects: readonly JsonObject[]): void {
    this.#current = new Map(objects.map((object) => [keyOf(object), versionOf(object) ?? '']));
    this.#seen = new Set();
  }

  /** Notes that an object was seen; `known` where it is no news. A recreated object is `added`. */
  see(object: JsonObject): 'added' | 'modified' | 'known' {
    const key = keyOf(object);
    const version = versionOf(object);
    const before = this.#current.get(key);
    if (version !== undefined) {
      if (before === version || this.#seen.has(version)) return 'known';
      this.#remember(before);
      this.#remember(version);
    }
    this.#current.set(key, version ?? '');
    return before !== undefined && isSameObject(before, version) ? 'modified' : 'added';
  }

  /** Notes a deletion; `known` where it is no news: gone before, or of an earlier object of this name. */
  remove(object: JsonObject): 'deleted' | 'known' {
    const key = keyOf(object);
    const before = this.#current.get(key);
    if (before === undefined || !isSameObject(before, versionOf(object))) return 'known';
    this.#remember(before);
    this.#current.delete(key);
    return 'deleted';
  }

  #remember(version: string | undefined): void {
    if (version === undefined || version === '') return;
    this.#seen.add(version);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= rememberedVersions) break;
      this.#seen.delete(oldest);
    }
  }
}

function keyOf(object: JsonObject): string {
  return `${metadataString(object, 'namespace') ?? ''}/${metadataString(object, 'name') ?? ''}`;
}

/** uid and resourceVersion; undefined where the object has no resourceVersion, so that nothing can be told apart. */
function versionOf(object: JsonObject): string | undefined {
  const resourceVersion = metadataString(object, 'resourceVersion');
  if (resourceVersion === undefined || resourceVersion === '') return undefined;
  return `${metadataString(object, 'uid') ?? ''} ${resourceVersion}`;
}

function isSameObject(left: string, right: string | undefined): boolean {
  const uidOf = (version: string): string => version.slice(0, version.indexOf(' '));
  return left === '' || right === undefined || uidOf(left) === uidOf(right);
}
