/** What the base64 of a Secret's value stands for. */
export type SecretValue =
  /** Text that can be shown, edited and encoded again to the very same base64. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly byteLength: number }
  | { readonly kind: 'notBase64' };

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Control characters beside tab and line breaks: no text has them, and editors cannot show them. */
const unshowable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/;

/**
 * Tells text from binary by the bytes: valid UTF-8 without control characters is text.
 *
 * @param value as `data` holds it; line breaks in it count for nothing, as for the server
 */
export function readSecretValue(value: string): SecretValue {
  const encoded = value.replace(/[\r\n]/g, '');
  if (!base64.test(encoded)) return { kind: 'notBase64' };
  const bytes = Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0));
  const text = tryDecode(bytes);
  return text === undefined || unshowable.test(text) || toBase64(text) !== value
    ? { kind: 'binary', byteLength: bytes.length }
    : { kind: 'text', text };
}

/** The base64 of a text's UTF-8 bytes. */
export function toBase64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
