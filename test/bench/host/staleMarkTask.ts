import type { ApiRef } from '../../../src/editor/extensionApi.ts';

/** Names what the extension host is told. */
export const staleMarkVariable = 'KUBEMERGE_STALE_MARK';

/** What the extension host is told: which object to change, how often, and where the delays go, in ms as JSON. */
export interface StaleMarkTask {
  readonly ref: ApiRef;
  /** Of the object in the API. */
  readonly path: string;
  readonly rounds: number;
  readonly result: string;
}
