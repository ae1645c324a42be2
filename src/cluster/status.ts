import type { FieldCause, OwnedField, RequestFailure, WriteOutcome } from '../core/errors.ts';
import { causesFromMessage } from '../core/text/serverMessage.ts';
import { findDenial } from './denial.ts';
import { type ApiStatus, toApiStatus, tryParseJson } from './apiStatus.ts';
import { toShortText } from './redact.ts';
import type { Answer } from './exchange.ts';

/** How long to wait where the server asks for a pause and names none, in ms. Source: client-go, 1 s. */
const defaultRetryAfterMs = 1_000;

/** The write outcomes that a refusal can become. */
export type WriteRefusal = Exclude<WriteOutcome, { readonly kind: 'committed' }>;

/** Turns an answer that is no success into a failure, once and for all. Source: facts of the API server's answers. */
export function toRequestFailure(answer: Answer): RequestFailure {
  const status = toApiStatus(tryParseJson(answer.body));
  return status === undefined ? foreignFailure(answer) : failureOfStatus(status, answer);
}

/**
 * The failure that a Status stands for: as a whole answer, or as the object of an ERROR event.
 *
 * @param answer what carried it; for an event, only the Status itself
 */
export function failureOfStatus(
  status: ApiStatus,
  answer?: Pick<Answer, 'status' | 'headers'>,
): RequestFailure {
  const code = answer?.status ?? status.code ?? 500;
  const message = messageOf(status, code);
  const namedMs = retryAfterOf(status, answer);
  const retryAfterMs = namedMs ?? defaultRetryAfterMs;
  // Servers before 1.19 name a version of the future by message only.
  const isTooLarge = status.causes.some((cause) => cause.reason === 'ResourceVersionTooLarge');
  if (code === 504 && isTooLarge) return { kind: 'versionTooLarge', message, retryAfterMs };
  switch (code) {
    case 401:
      return { kind: 'unauthenticated', message };
    case 403:
      return { kind: 'forbidden', message };
    case 404:
      return { kind: 'notFound', message };
    case 410: {
      const { continueToken } = status;
      return { kind: 'expired', message, ...(continueToken === undefined ? {} : { continueToken }) };
    }
    case 429:
      return { kind: 'throttled', message, retryAfterMs };
    default:
      return code >= 500 ? serverError(message, code, namedMs) : { kind: 'refused', message, code };
  }
}

function serverError(message: string, code: number, retryAfterMs: number | undefined): RequestFailure {
  return { kind: 'serverError', message, code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Turns an answer to a write that is no success into its outcome. */
export function toWriteRefusal(answer: Answer): WriteRefusal {
  const status = toApiStatus(tryParseJson(answer.body));
  if (status === undefined) return foreignRefusal(answer);
  const code = answer.status;
  const message = messageOf(status, code);
  const retryAfterMs = retryAfterOf(status, answer);
  const denial = findDenial(status, code);
  if (denial !== undefined) return { kind: 'rejected', code, message, causes: status.causes, denial };
  switch (code) {
    case 401:
      return { kind: 'unauthenticated', message };
    case 403:
      return { kind: 'forbidden', message };
    case 404:
      return { kind: 'notFound', message };
    case 409:
      return conflictOf(status, message);
    case 429:
      return { kind: 'throttled', message, retryAfterMs: retryAfterMs ?? defaultRetryAfterMs };
    case 408:
      return unknownOutcome(message, retryAfterMs);
    default: {
      if (code >= 500) return unknownOutcome(message, retryAfterMs);
      const causes = status.causes.length > 0 ? status.causes : causesFromMessage(status.message);
      return { kind: 'rejected', code, message, causes };
    }
  }
}

/** The headers that ask for a pause, as ms. @returns undefined where there is none, or a date that has passed */
export function retryAfterOf(
  status: ApiStatus | undefined,
  answer?: Pick<Answer, 'headers'>,
): number | undefined {
  const header = answer?.headers['retry-after'];
  if (header !== undefined && /^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // A date is measured by the server's own clock.
  const untilMs = Date.parse(header ?? '') - Date.parse(answer?.headers.date ?? '');
  if (untilMs > 0) return untilMs;
  return status?.retryAfterMs;
}

/** What stands behind a 409: the version or uid, the name, or another manager's field. */
function conflictOf(status: ApiStatus, message: string): WriteRefusal {
  const owned = status.causes.filter((cause) => cause.reason === 'FieldManagerConflict');
  if (owned.length > 0) return { kind: 'ownedByOther', message, fields: owned.map(toOwnedField) };
  return { kind: status.reason === 'AlreadyExists' ? 'alreadyExists' : 'preconditionFailed', message };
}

function toOwnedField({ field, message }: FieldCause): OwnedField {
  const manager = /conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message;
  return { field: field.replace(/^\./, ''), manager };
}

function unknownOutcome(message: string, retryAfterMs: number | undefined): WriteRefusal {
  return { kind: 'unknown', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Something between us and the API server has answered: its words mean nothing about the object. */
function foreignFailure(answer: Answer): RequestFailure {
  const { status: code } = answer;
  const message = foreignMessage(answer);
  if (code === 401) return { kind: 'unauthenticated', message };
  if (code === 403) return { kind: 'forbidden', message };
  if (code === 404 && isUnknownPath(answer))
    return { kind: 'notFound', message: 'the server does not serve this' };
  const retryAfterMs = retryAfterOf(undefined, answer);
  if (code === 429) return { kind: 'throttled', message, retryAfterMs: retryAfterMs ?? defaultRetryAfterMs };
  if (code >= 500) return serverError(message, code, retryAfterMs);
  return code < 300 ? { kind: 'invalidAnswer', message } : { kind: 'refused', message, code };
}

function foreignRefusal(answer: Answer): WriteRefusal {
  const { status: code } = answer;
  const message = foreignMessage(answer);
  const retryAfterMs = retryAfterOf(undefined, answer);
  if (code === 401) return { kind: 'unauthenticated', message };
  if (code === 403) return { kind: 'forbidden', message };
  if (code === 404 && isUnknownPath(answer))
    return { kind: 'notFound', message: 'the server does not serve this' };
  if (code === 429) return { kind: 'throttled', message, retryAfterMs: retryAfterMs ?? defaultRetryAfterMs };
  const isRefusal = code >= 300 && code < 500 && code !== 408 && code !== 409;
  return isRefusal ? { kind: 'rejected', code, message, causes: [] } : unknownOutcome(message, retryAfterMs);
}

/** The API server's own words for a path that leads nowhere, such as that of a custom resource that is gone. */
function isUnknownPath({ body }: Answer): boolean {
  return body.trim() === '404 page not found';
}

function messageOf(status: ApiStatus, code: number): string {
  if (status.message !== '') return status.message;
  return status.reason === ''
    ? `the server answered ${code}`
    : `the server answered ${code} ${status.reason}`;
}

/** One short line about an answer that the API server did not write (issue case G2). */
function foreignMessage({ status, headers, body }: Answer): string {
  const what = `the answer (${status}) is not the API server's`;
  if (status >= 300 && status < 400) {
    const { location = '' } = headers;
    const to = URL.canParse(location) ? ` to ${new URL(location).host}` : '';
    return `the server answered with a redirect (${status})${to}, which is not followed: something in front of it may want a sign-in, or the kubeconfig’s server may lack its path`;
  }
  if (body.trim() === '') return `the server answered ${status} without saying why`;
  const isHtml = /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*</.test(body);
  if (isHtml) {
    const title = toShortText(/<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1] ?? '', 80);
    return title === '' ? `${what} but a web page` : `${what} but a web page: ${title}`;
  }
  return status < 300 ? what : `the server answered ${status}: ${toShortText(body, 200)}`;
}
