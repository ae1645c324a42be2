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
 * segment for any legal name: `/prod/1f3a/shop/apps/v1/deployments/web.k8s.yaml`.
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
    `${ref.name}${documentExtension}`,
  ];
  return `/${parts.map(encodeSegment).join('/')}`;
}

/** @returns undefined for a path that {@link printDocumentPath} does not print */
export function parseDocumentPath(path: string): DocumentAddress | undefined {
  const parts = path.split('/');
  if (parts.length !== 8 || parts[0] !== '') return undefined;
  const decoded = parts.slice(1).map(decodeSegment);
  const [context, clusterId, namespace, group, version, resource, file] = decoded;
  if (!context || !clusterId || !namespace || !group || !version || !resource) return undefined;
  if (!file?.endsWith(documentExtension) || file.length === documentExtension.length) return undefined;
  return {
    clusterId: clusterId as ClusterId,
    ref: {
      context,
      ...(namespace === absent ? {} : { namespace }),
      gvr: { group: group === absent ? '' : group, version, resource },
      name: file.slice(0, -documentExtension.length),
    },
  };
}

/** Characters that split, decode or normalise a path, and those that a label cannot show. */
const unsafe = /[%/\\?#\u0000-\u0020\u007f]/g;

function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
  return segment.replace(
    unsafe,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function decodeSegment(segment: string): string {
  return segment.replace(/%([0-9A-Fa-f]{2})/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
