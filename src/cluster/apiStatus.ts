import type { FieldCause } from '../core/errors.ts';
import { isJsonArray, isJsonObject, type Json, memberAt, parseJson } from '../core/json.ts';

/** The API's own answer to a request that failed, or to a delete; not an object's `status`. */
export interface ApiStatus {
  readonly code: number | undefined;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly FieldCause[];
  readonly retryAfterMs?: number;
  /** A new token for the remainder of a list whose own token has expired. */
  readonly continueToken?: string;
}

/** @returns undefined for anything but a Status of the API */
export function toApiStatus(value: Json | undefined): ApiStatus | undefined {
  if (!isJsonObject(value) || value.kind !== 'Status') return undefined;
  const seconds = memberAt(value, 'details', 'retryAfterSeconds');
  const continueToken = memberAt(value, 'metadata', 'continue');
  return {
    code: typeof value.code === 'number' ? value.code : undefined,
    reason: textOf(value.reason),
    message: textOf(value.message),
    causes: causesOf(memberAt(value, 'details', 'causes')),
    ...(typeof seconds === 'number' && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    ...(typeof continueToken === 'string' && continueToken !== '' ? { continueToken } : {}),
  };
}

/** Parses a body that should be JSON. @returns undefined where it is not */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function causesOf(causes: Json | undefined): readonly FieldCause[] {
  if (!isJsonArray(causes)) return [];
  return causes.filter(isJsonObject).map((cause) => {
    const reason = textOf(cause.reason);
    const known = { field: textOf(cause.field), message: textOf(cause.message) };
    return reason === '' ? known : { ...known, reason };
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
