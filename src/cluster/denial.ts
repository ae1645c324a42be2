import type { Denial } from '../core/errors.ts';
import type { ApiStatus } from './apiStatus.ts';

/**
 * Tells who refused a write beside authorization and the type's own checks; undefined where it was those.
 * The server says it in its message alone.
 * Source: apiserver `admission/plugin/webhook/errors`, `admission/plugin/policy`, `admission.NewForbidden`,
 * `resourcequota`, `authorization.ForbiddenMessage`.
 */
export function findDenial(
  { message, causes }: Pick<ApiStatus, 'message' | 'causes'>,
  code: number,
): Denial | undefined {
  const webhook = /admission webhook "([^"]+)" (denied the request|does not support dry run)/.exec(message);
  if (webhook !== null) {
    const [, name = '', what] = webhook;
    return { kind: what === 'denied the request' ? 'webhook' : 'dryRunUnsupported', name };
  }
  const failed = /^Internal error occurred: failed calling webhook "([^"]+)"/.exec(message)?.[1];
  if (failed !== undefined) return { kind: 'webhookFailed', name: failed };
  if (code >= 500) return undefined;
  const policy = /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request/.exec(message);
  if (policy?.[1] !== undefined) return { kind: 'policy', name: policy[1] };
  if (code === 413) return { kind: 'tooLarge' };
  if (code !== 403) return undefined;
  if (causes.some(({ reason }) => reason === 'NamespaceTerminating')) return { kind: 'namespaceTerminating' };
  const quota = /exceeded quota: ([^,]+),/.exec(message)?.[1];
  if (quota !== undefined) return { kind: 'quota', name: quota };
  const isAboutRights = /\bcannot \w+ (?:resource|path)\b|\bcannot impersonate\b/.test(message);
  return isAboutRights || !message.includes(' is forbidden: ') ? undefined : { kind: 'admission' };
}
