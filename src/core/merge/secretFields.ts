import { lastAppliedAnnotation } from '../resource/editableObject.ts';
import type { GroupVersionResource } from '../resource/gvk.ts';
import type { FieldPath } from './fieldPath.ts';

/** The mappings of a Secret whose values are secret. */
export const secretMembers: readonly string[] = ['data', 'stringData'];

/** Whether objects of this resource hold secret values. */
export function isSecretResource(gvr: GroupVersionResource): boolean {
  return gvr.group === '' && gvr.resource === 'secrets';
}

/** Whether this field of a Secret must not be shown: it is, or holds, a value or kubectl's record of one. */
export function isSecretField(path: FieldPath): boolean {
  const [first, second, third] = path.map((segment) => (segment.kind === 'member' ? segment.key : ''));
  if (first === undefined || secretMembers.includes(first)) return true;
  if (first !== 'metadata') return false;
  if (second === undefined) return true;
  return second === 'annotations' && (third === undefined || third === lastAppliedAnnotation);
}

/**
 * The server's words about a Secret without the values that they quote.
 * Source: `field.Error` of apimachinery, `Invalid value: "…"`, `Unsupported value: …`, `Duplicate value: …`.
 */
export function hideQuotedValues(message: string): string {
  return message.replaceAll(/(\b[A-Z]\w* value: )(?:"(?:[^"\\]|\\.)*"|[^\s:]+)/g, '$1(hidden)');
}
