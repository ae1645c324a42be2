import type { Outcome } from '../core/errors.ts';

/** What a terminal runs. */
export interface TerminalProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of the terminal's own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** A sign-in that waits for its terminal; disposing it gives it up. */
export interface TerminalSignIn extends AsyncDisposable {
  readonly program: TerminalProgram;
  /** `ok` once the credentials are there and in use; everything that waited for them is tried again. */
  readonly done: Promise<Outcome<undefined>>;
}

/** Sign-ins that need a person at a terminal. */
export interface SignInPort {
  /** Prepares the credential plugin of a context for a terminal. Fails where the context has none. */
  beginSignIn(context: string): Promise<Outcome<TerminalSignIn>>;
}
