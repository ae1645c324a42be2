import type { Json } from '../json.ts';
import { type FieldPath, printFieldPath } from './fieldPath.ts';
import type { AppliedChange, Conflict } from './mergeResult.ts';

/** Whose value a conflict gets. */
export type Side = 'mine' | 'live';

export interface MergeOptions {
  /**
   * Merges lists without schema by their elements' `name`, where every element on all sides has its own.
   * Elements merge as one value. Off by default: such a list is one value.
   */
  readonly mergeNamedLists?: boolean;
  /** Decides a conflict by its printed path; undefined leaves it a conflict. */
  readonly choose?: (path: string) => Side | undefined;
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

  constructor(options: MergeOptions) {
    this.options = options;
  }

  /** Live's change comes in. */
  take(path: FieldPath, { base, live }: Pick<Triple, 'base' | 'live'>, note?: string): Json | undefined {
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
