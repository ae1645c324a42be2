import { isJsonArray, isJsonObject, type Json } from '../json.ts';
import type { FieldPath } from './fieldPath.ts';

/**
 * The fields that one form of an object has and another form of the same object has not, topmost only. Elements
 * of lists are matched by their place, where both lists are as long: the forms are of one object at one moment.
 */
export function findOnlyIn(form: Json, other: Json): readonly { readonly path: FieldPath }[] {
  const found: { readonly path: FieldPath }[] = [];
  collect(form, other, [], found);
  return found;
}

function collect(form: Json, other: Json, path: FieldPath, found: { readonly path: FieldPath }[]): void {
  if (isJsonArray(form) && isJsonArray(other) && form.length === other.length) {
    form.forEach((item, index) => {
      collect(item, other[index] ?? null, [...path, { kind: 'index', index }], found);
    });
  }
  if (!isJsonObject(form) || !isJsonObject(other)) return;
  for (const [key, value] of Object.entries(form)) {
    const here: FieldPath = [...path, { kind: 'member', key }];
    const counterpart = other[key];
    if (counterpart === undefined) found.push({ path: here });
    else collect(value, counterpart, here, found);
  }
}
