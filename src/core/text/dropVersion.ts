import { isJsonObject } from '../json.ts';
import { withoutVersion } from '../resource/editableObject.ts';
import { planEdits } from './planEdits.ts';
import { readDocument } from './readYaml.ts';
import { applyEdits } from './textEdit.ts';

/**
 * An object's text without its resourceVersion and uid, for comparisons of one object's versions: what always
 * differs is no news. A text that cannot be read stays as it is.
 */
export function dropVersion(text: string): string {
  const read = readDocument(text);
  if (read.kind === 'invalid' || !isJsonObject(read.value.metadata)) return text;
  return applyEdits(text, planEdits(text, withoutVersion(read.value)));
}
