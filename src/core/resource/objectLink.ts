import type { DocumentAddress } from './documentPath.ts';
import type { ClusterId, ResourceRef } from './resourceRef.ts';

/** Path of a link that opens an object, after `vscode://PUBLISHER.NAME`. */
export const linkPath = '/open';

/** What a link names. The cluster tells whether a context of the same name is the same elsewhere. */
export interface LinkedObject {
  readonly ref: ResourceRef;
  readonly clusterId?: ClusterId;
}

export type LinkReading =
  | { readonly kind: 'ok'; readonly value: LinkedObject }
  /** What is wrong with the link, in words. */
  | { readonly kind: 'problem'; readonly message: string };

/** Longest part of a link, in UTF-16 units: twice what any name may have. */
const maxPartLength = 512;

/** Control characters, and those that turn text around: a question could not show what it asks about. */
const unshown = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * The query of a link to an object: `context=prod&cluster=1f3a&…`, each value encoded once. It holds names
 * only, nothing secret.
 */
export function printLinkQuery({ clusterId, ref }: DocumentAddress): string {
  const { group, version, resource } = ref.gvr;
  const parts = {
    context: ref.context,
    cluster: clusterId,
    ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
    ...(group === '' ? {} : { group }),
    version,
    resource,
    name: ref.name,
  };
  return Object.entries(parts)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Reads a link that anyone may have written. @param path decoded @param query decoded once, as VS Code does */
export function readLink(path: string, query: string): LinkReading {
  if (path !== linkPath) return problem(`it is none of ours: it should begin with ${linkPath}`);
  const parts = new URLSearchParams(query);
  const repeated = [...parts.keys()].find((key) => parts.getAll(key).length > 1);
  if (repeated !== undefined) return problem(`it names its ${repeated} twice`);
  for (const [key, value] of parts) {
    if (value.length > maxPartLength) return problem(`its ${key} is too long`);
    if (unshown.test(value)) return problem(`its ${key} holds characters that cannot be shown`);
  }
  const missing = ['context', 'version', 'resource', 'name'].find((key) => (parts.get(key) ?? '') === '');
  if (missing !== undefined) return problem(`it does not name the ${missing}`);
  const part = (key: string): string => parts.get(key) ?? '';
  const [group, version, resource] = [part('group'), part('version'), part('resource')];
  const [namespace, name, cluster] = [part('namespace'), part('name'), part('cluster')];
  if (!/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/.test(group)) return problem('its group is none');
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(version)) return problem('its version is none');
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(resource)) return problem('its resource is none');
  if (!/^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$/.test(namespace)) return problem('its namespace is none');
  // Source: Kubernetes, names that are path segments.
  if (name === '.' || name === '..' || /[/%]/.test(name))
    return problem('its name is one that no object has');
  return {
    kind: 'ok',
    value: {
      ref: {
        context: part('context'),
        ...(namespace === '' ? {} : { namespace }),
        gvr: { group, version, resource },
        name,
      },
      ...(cluster === '' ? {} : { clusterId: cluster as ClusterId }),
    },
  };
}

function problem(message: string): LinkReading {
  return { kind: 'problem', message };
}
