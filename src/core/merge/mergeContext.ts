import type { Json } from '../json.ts';
import { type FieldPath, printFieldPath } from './fieldPath.ts';
import type { AppliedChange, Conflict } from './mergeResult.ts';

/** Whose value a conflict gets. */
export type Side = 'mine' | 'live';

export interface MergeOptions {
  /** Decides a conflict by its printed path; undefined leaves it a conflict. */
  readonly choose?: (path: string) => Side | undefined;
  /** What stands wherever no conflict is decided: by default the merge, and base at conflicts. */
  readonly ground?: 'merged' | 'base' | 'mine';
}

/** The three values at one place; an absent one is undefined. */
export interface Triple {
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly live: Json | undefined;
}

/** Collects what one merge finds out. */
export class MergeContext {
  readonly applied: AppliedChange[] = [];
  readonly conflicts: Conflict[] = [];
  readonly options: MergeOptions;
  readonly ground: 'merged' | 'base' | 'mine';

  constructor(options: MergeOptions) {
    this.options = options;
    this.ground = options.ground ?? 'merged';
  }

  /** Live has changed nothing that mine has not. */
  keep<T>({ base, mine }: { readonly base: T; readonly mine: T }): T {
    return this.ground === 'base' ? base : mine;
  }

  /** Live's change comes in. */
  take<T extends Json | undefined>(
    path: FieldPath,
    values: { readonly base: T; readonly mine: T; readonly live: T },
    note?: string,
  ): T {
    if (this.ground !== 'merged') return values[this.ground];
    const { base, live } = values;
    this.applied.push({
      path,
      ...(base !== undefined && { before: base }),
      ...(live !== undefined && { after: live }),
      ...(note !== undefined && { note }),
    });
    return live;
  }

  /** Lists a conflict unless it has been decided. @returns whose value stands */
  clash(path: FieldPath, values: Triple, details: Pick<Conflict, 'note' | 'lines'> = {}): 'base' | Side {
    const side = this.options.choose?.(printFieldPath(path));
    if (side === 'live') this.take(path, values);
    if (side !== undefined) return side;
    if (this.ground !== 'merged') return this.ground;
    const { base, mine, live } = values;
    this.conflicts.push({
      path,
      ...(base !== undefined && { base }),
      ...(mine !== undefined && { mine }),
      ...(live !== undefined && { live }),
      ...details,
    });
    return 'base';
  }
}
