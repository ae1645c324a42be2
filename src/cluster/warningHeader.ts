/** `299 agent "text"`, each perhaps with a quoted date; several are joined by commas. Source: RFC 7234 5.5. */
const warning = /(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"/g;

/** The texts of an answer's warnings, in order. */
export function parseWarnings(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  const joined = typeof header === 'string' ? header : header.join(', ');
  return [...joined.matchAll(warning)]
    .filter(([, code]) => code === '299')
    .map(([, , , text = '']) => decode(text.replace(/\\(.)/g, '$1')));
}

/** Node reads header bytes as Latin-1; the API server writes UTF-8. */
function decode(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
