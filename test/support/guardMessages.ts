/** What the owner asks of serverGuard.ts. */
export type GuardRequest =
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly args: readonly string[];
      readonly logPath: string;
      /** Added to the owner's environment. */
      readonly env: Readonly<Record<string, string>>;
    }
  /** Ends all processes; the folder stays. */
  | { readonly kind: 'stop' };

/** What serverGuard.ts tells its owner. */
export type GuardReport =
  | { readonly kind: 'stopped' }
  /** A process ended by itself. */
  | { readonly kind: 'exited'; readonly command: string; readonly reason: string };
