import { createHash } from 'node:crypto';
import type { Outcome } from '../core/errors.ts';
import { isJsonObject, memberAt } from '../core/json.ts';
import { tryParseJson } from './apiStatus.ts';
import type { KubeUser } from './kubeconfigModel.ts';
import { type OidcProviderSurroundings, refreshIdToken } from './oidcProvider.ts';
import { expiryOf, type OidcSettings, readOidcSettings } from './oidcSettings.ts';
import type { SecretStore } from './secretStore.ts';
import { SharedWork } from './sharedWork.ts';

/** How long before its expiry a token is replaced, in ms. Source: client-go, 10 s. */
const refreshEarlyMs = 10_000;

/** How long another window that got the new refresh token may take to keep it, in ms. */
export const otherWindowMs = 1_000;

export interface OidcSurroundings extends OidcProviderSurroundings {
  readonly secrets: SecretStore;
  /** Hears that a provider gave a new refresh token; the kubeconfig's own may work no more. */
  readonly onRotated: (rotation: TokenRotation) => void;
}

export interface TokenRotation {
  readonly userName: string;
  readonly issuer: string;
  /** False where the secret store failed: the token is kept until the editor closes. */
  readonly isKept: boolean;
}

/** Tokens as they are kept in the secret store. */
interface KeptTokens {
  readonly idToken: string;
  readonly refreshToken?: string;
}

interface Slot {
  /** A refresh is never broken off: the provider may have taken the refresh token already. */
  readonly work: SharedWork<Outcome<string>>;
  /** The newest tokens that this process has seen. */
  tokens?: KeptTokens | undefined;
  /** The last ID token that the API server refused. */
  refused?: string;
  isRotationTold: boolean;
}

/**
 * ID tokens for users with the legacy `auth-provider: oidc`, each refreshed once for all who want it. New tokens
 * go to the secret store, never to the kubeconfig; a kubeconfig with another refresh token starts afresh.
 */
export class OidcTokens {
  readonly #surroundings: OidcSurroundings;
  readonly #slots = new Map<string, Slot>();

  constructor(surroundings: OidcSurroundings) {
    this.#surroundings = surroundings;
  }

  /** The token to send now. A failure is not kept. */
  async obtain(user: KubeUser, signal: AbortSignal): Promise<Outcome<string>> {
    const { authProvider, name } = user;
    if (authProvider === undefined)
      return { kind: 'misconfigured', message: 'this user has no auth-provider' };
    const read = await readOidcSettings(authProvider, name);
    if (read.kind !== 'ok') return read;
    const settings = read.value;
    const key = keyOf(settings, name);
    const slot = this.#slotOf(key);
    const kept = this.#usable(slot, slot.tokens?.idToken, settings.idToken);
    if (kept !== undefined) return { kind: 'ok', value: kept };
    return slot.work.join((shared) => this.#renew({ key, slot, settings, name }, shared), signal);
  }

  /** After a 401: this token is not used again. */
  async drop(user: KubeUser, refused: string): Promise<void> {
    if (user.authProvider === undefined) return;
    const settings = await readOidcSettings(user.authProvider, user.name);
    if (settings.kind === 'ok') this.#slotOf(keyOf(settings.value, user.name)).refused = refused;
  }

  async #renew({ key, slot, settings, name }: Renewal, signal: AbortSignal): Promise<Outcome<string>> {
    // Other windows refresh too: what they kept is as good as ours.
    let kept = (await this.#read(key)) ?? slot.tokens;
    for (;;) {
      slot.tokens = kept;
      const usable = this.#usable(slot, kept?.idToken);
      if (usable !== undefined) return { kind: 'ok', value: usable };
      const refreshToken = kept?.refreshToken ?? settings.refreshToken;
      if (refreshToken === undefined) return noRefreshToken(settings, name);
      const result = await refreshIdToken(settings, refreshToken, this.#surroundings, signal);
      if (result.kind === 'ok') {
        const tokens = { idToken: result.idToken, refreshToken: result.refreshToken ?? refreshToken };
        slot.tokens = tokens;
        const isKept = await this.#store(key, tokens);
        if (tokens.refreshToken !== refreshToken) this.#tellRotation(slot, settings, name, isKept);
        return { kind: 'ok', value: tokens.idToken };
      }
      if (result.kind !== 'invalidGrant') return result;
      await this.#pause(otherWindowMs);
      const newer = await this.#read(key);
      if (newer === undefined || newer.refreshToken === refreshToken) {
        const message = `${result.message}: user "${name}" has to sign in anew with the tool that wrote the kubeconfig`;
        return { kind: 'unauthenticated', message };
      }
      kept = newer;
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#surroundings.clock.schedule(delayMs, resolve);
    });
  }

  /** The first of these that has not run out or been refused. */
  #usable(slot: Slot, ...idTokens: readonly (string | undefined)[]): string | undefined {
    const now = this.#surroundings.clock.now();
    return idTokens.find((idToken) => {
      if (idToken === undefined || idToken === slot.refused) return false;
      const expiresAt = expiryOf(idToken);
      return expiresAt === undefined || expiresAt - refreshEarlyMs > now;
    });
  }

  /** Once per refresh token of the kubeconfig: some providers rotate at every refresh. */
  #tellRotation(slot: Slot, { issuer }: OidcSettings, userName: string, isKept: boolean): void {
    if (slot.isRotationTold && isKept) return;
    slot.isRotationTold = true;
    this.#surroundings.onRotated({ userName, issuer, isKept });
  }

  async #read(key: string): Promise<KeptTokens | undefined> {
    try {
      const value = tryParseJson((await this.#surroundings.secrets.get(key)) ?? '');
      const idToken = isJsonObject(value) ? memberAt(value, 'idToken') : undefined;
      const refreshToken = isJsonObject(value) ? memberAt(value, 'refreshToken') : undefined;
      if (typeof idToken !== 'string') return undefined;
      return { idToken, ...(typeof refreshToken === 'string' ? { refreshToken } : {}) };
    } catch {
      return undefined;
    }
  }

  async #store(key: string, { idToken, refreshToken }: KeptTokens): Promise<boolean> {
    try {
      await this.#surroundings.secrets.store(key, JSON.stringify({ idToken, refreshToken }));
      return true;
    } catch {
      return false;
    }
  }

  #slotOf(key: string): Slot {
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = { work: new SharedWork({ runsToEnd: true }), isRotationTold: false };
      this.#slots.set(key, slot);
    }
    return slot;
  }
}

interface Renewal {
  readonly key: string;
  readonly slot: Slot;
  readonly settings: OidcSettings;
  readonly name: string;
}

/** The refresh token is part of it: after a new sign-in, what grew from the last one is of no use. */
function keyOf({ issuer, clientId, refreshToken = '' }: OidcSettings, userName: string): string {
  const hash = createHash('sha256').update(JSON.stringify([issuer, clientId, userName, refreshToken]));
  return `kubemerge.oidc.${hash.digest('hex')}`;
}

function noRefreshToken({ idToken }: OidcSettings, userName: string): Outcome<string> {
  const expiresAt = idToken === undefined ? undefined : expiryOf(idToken);
  const what =
    expiresAt === undefined
      ? 'has no ID token that works'
      : `has an ID token that ran out at ${new Date(expiresAt).toISOString()}`;
  return {
    kind: 'unauthenticated',
    message: `user "${userName}" ${what}, and no refresh-token: sign in anew with the tool that wrote the kubeconfig`,
  };
}
