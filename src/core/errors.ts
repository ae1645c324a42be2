import type { JsonObject } from './json.ts';
import type { Snapshot } from './resource/snapshot.ts';

/** One cause of a rejected write. `field` is kubectl's form, `spec.containers[0].image`; '' where unknown. */
export interface FieldCause {
  readonly field: string;
  readonly message: string;
  /** The server's reason, such as `FieldValueInvalid`; absent for causes read from a message. */
  readonly reason?: string;
}

/** A field that another manager owns, from a 409 of server-side apply. */
export interface OwnedField {
  readonly field: string;
  readonly manager: string;
}

/** Who refused a write beside authorization and the type's own checks: what to do next differs. */
export type Denial =
  | { readonly kind: 'webhook'; readonly name: string }
  /** A webhook could not be asked, or answered nonsense: the server takes nothing past it. */
  | { readonly kind: 'webhookFailed'; readonly name: string }
  /** A ValidatingAdmissionPolicy. */
  | { readonly kind: 'policy'; readonly name: string }
  | { readonly kind: 'quota'; readonly name: string }
  | { readonly kind: 'namespaceTerminating' }
  /** Any other admission plugin, such as Pod Security. */
  | { readonly kind: 'admission' }
  | { readonly kind: 'tooLarge' }
  /** A webhook has effects beside its answer, so the server runs nothing past it on trial. */
  | { readonly kind: 'dryRunUnsupported'; readonly name: string };

/**
 * Why a request brought no result. `message` is one short sentence or two for a person:
 * never headers, tokens or bodies (issue case G2).
 */
export type RequestFailure =
  | { readonly kind: 'unauthenticated'; readonly message: string } // 401, or no credentials to be had
  | { readonly kind: 'forbidden'; readonly message: string } // 403
  | { readonly kind: 'notFound'; readonly message: string } // 404
  | { readonly kind: 'expired'; readonly message: string; readonly continueToken?: string } // 410
  | { readonly kind: 'throttled'; readonly message: string; readonly retryAfterMs: number } // 429
  | { readonly kind: 'versionTooLarge'; readonly message: string; readonly retryAfterMs: number } // 504 ResourceVersionTooLarge
  | { readonly kind: 'refused'; readonly message: string; readonly code: number } // any other 4xx, and 3xx
  | {
      readonly kind: 'serverError'; // 5xx; `retryAfterMs` where the server named a pause
      readonly message: string;
      readonly code: number;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'unreachable'; readonly message: string } // no connection was made
  | { readonly kind: 'interrupted'; readonly message: string } // connection lost or timed out after sending
  | { readonly kind: 'invalidAnswer'; readonly message: string } // not what the API promises
  | { readonly kind: 'misconfigured'; readonly message: string } // kubeconfig, certificate or plugin set-up
  | { readonly kind: 'aborted' }; // by our own signal

/** The result of reading something. */
export type Outcome<T> = { readonly kind: 'ok'; readonly value: T } | RequestFailure;

/**
 * The result of a write. Branch on `kind`, never on `message`.
 * Source: Kubernetes API conventions, "Response Status Kind"; measured per case on a real server.
 */
export type WriteOutcome =
  /** `snapshot` is absent for a delete, and for objects served without version or uid. */
  | {
      readonly kind: 'committed';
      readonly object: JsonObject;
      readonly snapshot?: Snapshot;
      readonly warnings: readonly string[];
    }
  /** 409 Conflict: version or uid differs; read to learn which. */
  | { readonly kind: 'preconditionFailed'; readonly message: string }
  /** 409 AlreadyExists. */
  | { readonly kind: 'alreadyExists'; readonly message: string }
  /** 409 of server-side apply. */
  | { readonly kind: 'ownedByOther'; readonly message: string; readonly fields: readonly OwnedField[] }
  | { readonly kind: 'notFound'; readonly message: string }
  /** 400, 413, 422, 403 of admission, and 500 of a webhook that failed: nothing was written. */
  | {
      readonly kind: 'rejected';
      readonly code: number;
      readonly message: string;
      readonly causes: readonly FieldCause[];
      readonly denial?: Denial;
    }
  | { readonly kind: 'unauthenticated'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'throttled'; readonly message: string; readonly retryAfterMs: number }
  /** The request never left: safe to repeat. */
  | { readonly kind: 'notSent'; readonly message: string }
  /** No answer, reset, 5xx: read before anything else. `retryAfterMs` where the server named one. */
  | { readonly kind: 'unknown'; readonly message: string; readonly retryAfterMs?: number }
  /** Refused here before any request: a read-only or unconfirmed context. */
  | { readonly kind: 'readOnly'; readonly message: string };
