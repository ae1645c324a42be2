import type { Disposable, Event } from '../core/lifecycle.ts';

/** One row of a step. */
export type PickRow<Value> =
  | ChoiceRow<Value>
  /** Chosen, it is done and the step goes on. */
  | (RowText & { readonly kind: 'action'; readonly action: 'retry' | 'loadMore' })
  /** Words only. */
  | (RowText & { readonly kind: 'note' })
  | { readonly kind: 'separator'; readonly label: string };

/** Chosen, it ends the step with its value. */
export interface ChoiceRow<Value> extends RowText {
  readonly kind: 'choice';
  readonly value: Value;
}

interface RowText {
  /** The same for the same row when the rows are computed again. */
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** A codicon. */
  readonly icon?: string;
  /** Shown whatever is typed. */
  readonly isSticky?: boolean;
}

export interface PickView<Value> {
  readonly rows: readonly PickRow<Value>[];
  readonly isBusy: boolean;
  /** There is nothing to ask: the step ends with this value. */
  readonly chosen?: Value;
}

/** One question of a flow of quick picks; knows nothing of how it is shown. */
export interface PickStep<Value> extends Disposable {
  readonly title: string;
  readonly placeholder: string;
  /** Fires when `view` answers otherwise. */
  readonly onDidChange: Event<void>;
  /** What to show when this is typed. Asks for nothing. */
  view(typed: string): PickView<Value>;
  /** Called when the step is shown, and at each change of what is typed. */
  typed?(text: string): void;
  /** Called when a person comes near the end of the rows. */
  nearEnd?(): void;
  run?(action: 'retry' | 'loadMore'): void;
}
