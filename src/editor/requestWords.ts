import { assertNever } from '../core/assertNever.ts';

/** What a line of the request log tells: never headers, bodies or credentials. */
export interface LoggedRequest {
  readonly context: string;
  readonly method: string;
  readonly path: string;
  /** Absent where there was no answer. */
  readonly status?: number;
  /** `opened` is a watch that goes on; its end has a line of its own. */
  readonly result:
    'answered' | 'opened' | 'notSent' | 'interrupted' | 'misconfigured' | 'invalidAnswer' | 'aborted';
  readonly ms: number;
  /** Of the answer's body. */
  readonly bytes: number;
}

/** One line about one request, or about a watch's beginning or end. */
export function describeRequest(request: LoggedRequest): string {
  const { context, method, status, bytes } = request;
  // Long, and of no use to a reader.
  const path = request.path.replace(/\bcontinue=[^&]+/, 'continue=…');
  const answer = status === undefined ? '' : `${status}, `;
  const size = bytes === 0 ? '' : `, ${bytes} bytes`;
  return `${context}: ${method} ${path} → ${outcomeWords(request, answer)}${size}`;
}

function outcomeWords({ result, status, ms }: LoggedRequest, answer: string): string {
  const time = `${Math.round(ms)} ms`;
  switch (result) {
    case 'answered':
      return `${status ?? 'answered'} in ${time}`;
    case 'opened':
      return `${status ?? 'answered'} in ${time}, open`;
    case 'notSent':
      return `not sent, after ${time}`;
    case 'interrupted':
      return `${answer}connection lost after ${time}`;
    case 'misconfigured':
      return 'not sent: it cannot be built';
    case 'invalidAnswer':
      return `${answer}unreadable answer after ${time}`;
    case 'aborted':
      return `${answer}stopped after ${time}`;
    default:
      return assertNever(result);
  }
}
