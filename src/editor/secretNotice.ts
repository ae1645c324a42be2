import { hideQuotedValues, isSecretResource } from '../core/merge/secretFields.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Notice } from './notice.ts';

/** A notice about an object: of a Secret without the values that the server's words quote (H4). */
export function withoutSecretValues(ref: ResourceRef, notice: Notice): Notice {
  if (!isSecretResource(ref.gvr)) return notice;
  return { ...notice, message: hideQuotedValues(notice.message) };
}
