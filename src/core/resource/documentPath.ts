import type { ClusterId, ResourceRef } from './resourceRef.ts';

/** What a document's path says: the object, and the cluster that its context stood for when it was opened. */
export interface DocumentAddress {
  readonly clusterId: ClusterId;
  readonly ref: ResourceRef;
}

/** Ends each document's path; the language is chosen by it. */
export const documentExtension = '.k8s.yaml';

/** Stands for "no namespace" and for the core group; no legal namespace or group is spelt so. */
const absent = '-';

/**
 * `/CONTEXT/CLUSTER/NAMESPACE/GROUP/VERSION/RESOURCE/NAME.k8s.yaml`, each part encoded so that it is one
 * segment for any legal name: `/prod/1f3a/shop/apps/v1/deployments/web.k8s.yaml`. The status alone has a segment
 * more, since any name may end like it: `/prod/1f3a/shop/apps/v1/deployments/web/web.status.k8s.yaml`.
 *
 * The path is a decoded URI path: VS Code encodes it once more where it prints a URI.
 */
export function printDocumentPath({ clusterId, ref }: DocumentAddress): string {
  const { group, version, resource } = ref.gvr;
  const parts = [
    ref.context,
    clusterId,
    ref.namespace ?? absent,
    group === '' ? absent : group,
    version,
    resource,
    ...(ref.subresource === undefined
      ? [`${ref.name}${documentExtension}`]
      : [ref.name, `${ref.name}.${ref.subresource}${documentExtension}`]),
  ];
  return `/${parts.map(encodeSegment).join('/')}`;
}

/** @returns undefined for a path that {@link printDocumentPath} does not print */
export function parseDocumentPath(path: string): DocumentAddress | undefined {
  const parts = path.split('/');
  if ((parts.length !== 8 && parts.length !== 9) || parts[0] !== '') return undefined;
  const decoded = parts.slice(1).map(decodeSegment);
  const [context, clusterId, namespace, group, version, resource, first, second] = decoded;
  if (!context || !clusterId || !namespace || !group || !version || !resource) return undefined;
  const name = second === undefined ? withoutEnd(first, documentExtension) : first;
  if (!name || (second !== undefined && second !== `${name}.status${documentExtension}`)) return undefined;
  return {
    clusterId: clusterId as ClusterId,
    ref: {
      context,
      ...(namespace === absent ? {} : { namespace }),
      gvr: { group: group === absent ? '' : group, version, resource },
      name,
      ...(second === undefined ? {} : { subresource: 'status' as const }),
    },
  };
}

function withoutEnd(text: string | undefined, end: string): string | undefined {
  return text?.endsWith(end) === true ? text.slice(0, -end.length) : undefined;
}

/**
 * What splits, decodes or normalises a path, what no label can show, what turns a label's direction or breaks its
 * line, and halves of surrogate pairs, which no URI can hold.
 */
const unsafe =
  /[%/\\?#\u0000-\u0020\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cs}]/gu;

function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
  // At a path's start VS Code takes it for a drive and prints its letter small.
  if (/^[A-Z]:/.test(segment)) return `${segment.charAt(0)}%3A${encodeSegment(segment.slice(2))}`;
  return segment.replace(unsafe, (unit) => {
    const code = unit.charCodeAt(0).toString(16).toUpperCase();
    return code.length <= 2 ? `%${code.padStart(2, '0')}` : `%u${code.padStart(4, '0')}`;
  });
}

function decodeSegment(segment: string): string {
  return segment.replace(/%u([0-9A-F]{4})|%([0-9A-Fa-f]{2})/g, (_match, long?: string, short?: string) =>
    String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
  );
}
