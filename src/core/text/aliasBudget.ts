import type { AliasNode, TextNode } from './yamlTree.ts';

/**
 * Counts what a document would expand to, and how much of that comes from aliases, without expanding it.
 * Source: go.yaml.in/yaml/v2 `decoder.unmarshal`, whose limits these are.
 */
export class AliasBudget {
  #nodes = 0;
  #fromAliases = 0;
  #largest: { readonly alias: AliasNode; readonly size: number } | undefined;
  readonly #sizes = new Map<TextNode, number>();

  /** Counts one node. @returns the count before it */
  count(): number {
    return this.#nodes++;
  }

  /** Remembers how much the anchored node holds: all that was counted since `before`. */
  setSize(anchored: TextNode, before: number): void {
    this.#sizes.set(anchored, this.#nodes - before);
  }

  addAlias(alias: AliasNode): void {
    const size = this.#sizes.get(alias.target) ?? 1;
    this.#nodes += size;
    this.#fromAliases += size;
    if (this.#largest === undefined || size > this.#largest.size) this.#largest = { alias, size };
  }

  /** @returns the alias that brings in most, where kubectl would refuse the document */
  findExcess(): AliasNode | undefined {
    const isExcess =
      this.#fromAliases > 100 &&
      this.#nodes > 1000 &&
      this.#fromAliases / this.#nodes > allowedRatio(this.#nodes);
    return isExcess ? this.#largest?.alias : undefined;
  }
}

function allowedRatio(nodes: number): number {
  const [low, high] = [400_000, 4_000_000];
  const position = Math.min(1, Math.max(0, (nodes - low) / (high - low)));
  return 0.99 - 0.89 * position;
}
