import type { Disposable } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { OwnedCollection } from './treeContext.ts';
import type { TreeNode } from './treeNodes.ts';

/** How long a collection that nobody sees is still watched, in ms. */
export const graceMs = 30_000;

/**
 * Knows which nodes are expanded and visible, and stops the collections of those that are not, after a
 * grace period. The node of a stopped collection is handed over when it is to be shown anew.
 */
export class TreeActivity implements Disposable {
  readonly #clock: Clock;
  readonly #collections: () => readonly OwnedCollection[];
  readonly #showAgain: (owner: OwnedCollection['owner']) => void;
  readonly #expanded = new Set<string>();
  readonly #stops = new Map<OwnedCollection['collection'], Disposable>();
  readonly #stopped = new WeakSet<OwnedCollection['collection']>();
  #isVisible = true;

  constructor(
    clock: Clock,
    collections: () => readonly OwnedCollection[],
    showAgain: (owner: OwnedCollection['owner']) => void,
  ) {
    this.#clock = clock;
    this.#collections = collections;
    this.#showAgain = showAgain;
  }

  /** Also to be called when children are asked for: only those of expanded nodes are. */
  expanded(node: TreeNode): void {
    this.#expanded.add(node.id);
    this.#update();
  }

  collapsed(node: TreeNode): void {
    this.#expanded.delete(node.id);
    this.#update();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#update();
  }

  dispose(): void {
    for (const stop of this.#stops.values()) stop.dispose();
    this.#stops.clear();
  }

  #update(): void {
    for (const owned of this.#collections()) {
      const { owner, collection } = owned;
      if (!this.#isSeen(owner)) {
        if (collection.isStarted) this.#stopLater(owned);
        continue;
      }
      this.#stops.get(collection)?.dispose();
      this.#stops.delete(collection);
      if (collection.isStarted) this.#stopped.delete(collection);
      else if (this.#stopped.delete(collection)) this.#showAgain(owner);
    }
  }

  #stopLater({ owner, collection }: OwnedCollection): void {
    if (this.#stops.has(collection)) return;
    const stop = this.#clock.schedule(graceMs, () => {
      this.#stops.delete(collection);
      this.#stopped.add(collection);
      collection.stop();
      // A collapsed node drops its rows now and asks again later; one that is expanded out of sight would
      // ask at once.
      if (!this.#expanded.has(owner.id)) this.#showAgain(owner);
    });
    this.#stops.set(collection, stop);
  }

  #isSeen(owner: TreeNode): boolean {
    for (let node: TreeNode | undefined = owner; node !== undefined;) {
      if (!this.#expanded.has(node.id)) return false;
      node = node.kind === 'context' ? undefined : node.parent;
    }
    return this.#isVisible;
  }
}
