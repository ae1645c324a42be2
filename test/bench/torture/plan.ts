/** The environment variable that hands the plan to the extension host, as JSON. */
export const planVariable = 'KUBEMERGE_TORTURE';

/** What the scripted users are to do. */
export interface TorturePlan {
  readonly namespace: string;
  /** Each is a user of its own, and a context of the kubeconfig. */
  readonly contexts: readonly string[];
  readonly seconds: number;
  readonly seed: number;
  /** Where the users' entries go, one JSON a line. */
  readonly journalPath: string;
}
