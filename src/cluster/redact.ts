/** Long runs without a space, as tokens and keys are; a path or a host is cut by its separators. */
const secretLike = /[A-Za-z0-9_+=~-]{24,}(?:\.[A-Za-z0-9_+/=~-]{8,})*/g;
const bearer = /\b(bearer|basic)\s+\S+/gi;
const userInfo = /:\/\/[^/\s@]*@/g;
const assignment =
  /\b((?:[a-z0-9]+[_-])*(?:token|password|passwd|secret|apikey|api[_-]key))(["']?\s*[:=]\s*)("[^"]*"|'[^']*'|\S+)/gi;

/** A foreign text made fit for a message: one line, short, and without what looks like a secret. */
export function toShortText(text: string, maxLength = 300): string {
  const line = redact(text).replace(/\s+/g, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

/** Replaces what looks like a secret by `…`. */
export function redact(text: string): string {
  return text
    .replace(userInfo, '://…@')
    .replace(bearer, '$1 …')
    .replace(assignment, '$1$2…')
    .replace(secretLike, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? '…' : run));
}

/** A URL for display: without user, password and query. */
export function displayUrl(url: string): string {
  if (!URL.canParse(url)) return '…';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
