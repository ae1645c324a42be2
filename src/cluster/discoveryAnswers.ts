import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../core/json.ts';
import { parseApiVersion } from '../core/resource/gvk.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Discovery } from '../sync/clusterPort.ts';

/** A group and its versions, most preferred first. */
export interface GroupVersionList {
  readonly group: string;
  readonly versions: readonly string[];
}

/** True for an answer that holds everything at once. */
export function isAggregated(root: JsonObject): boolean {
  return root.kind === 'APIGroupDiscoveryList';
}

/**
 * Reads `APIGroupDiscoveryList`.
 * Source: `apidiscovery.k8s.io/v2`; versions come in order of preference, and `Stale` marks one whose own
 * server does not answer.
 */
export function readAggregated(root: JsonObject): Discovery {
  const types: ResourceType[] = [];
  const failures: { group: string; message: string }[] = [];
  for (const item of objectsOf(root.items)) {
    const group = textOf(memberAt(item, 'metadata', 'name'));
    let isStale = false;
    for (const version of objectsOf(item.versions)) {
      isStale ||= version.freshness === 'Stale';
      const name = textOf(version.version);
      for (const resource of objectsOf(version.resources)) {
        const type = readAggregatedResource(resource, group, name);
        if (type !== undefined) types.push(type);
      }
    }
    if (isStale) failures.push({ group, message: `the server of ${group} does not answer` });
  }
  return { types: withPreferredVersions(types), failures };
}

/** Reads `APIVersions` of `/api`, or `APIGroupList` of `/apis`. */
export function readGroupVersions(root: JsonObject): readonly GroupVersionList[] {
  if (isJsonArray(root.versions)) {
    return [{ group: '', versions: root.versions.map(textOf).filter((version) => version !== '') }];
  }
  return objectsOf(root.groups).map((group) => {
    const versions = objectsOf(group.versions).map((version) => textOf(version.version));
    const preferred = textOf(memberAt(group, 'preferredVersion', 'version'));
    const others = versions.filter((version) => version !== preferred && version !== '');
    return { group: textOf(group.name), versions: preferred === '' ? others : [preferred, ...others] };
  });
}

/** Reads `APIResourceList`, in which subresources stand as `deployments/status`. */
export function readResourceList(
  list: JsonObject,
  { group, version }: { readonly group: string; readonly version: string },
): readonly ResourceType[] {
  const resources = objectsOf(list.resources);
  return resources
    .filter((resource) => !textOf(resource.name).includes('/'))
    .map((resource) => {
      const name = textOf(resource.name);
      const prefix = `${name}/`;
      const subresources = resources
        .map((other) => textOf(other.name))
        .filter((other) => other.startsWith(prefix))
        .map((other) => other.slice(prefix.length));
      return {
        gvk: {
          group: textOf(resource.group) || group,
          version: textOf(resource.version) || version,
          kind: textOf(resource.kind),
        },
        gvr: { group, version, resource: name },
        isNamespaced: resource.namespaced === true,
        singularName: textOf(resource.singularName) || textOf(resource.kind).toLowerCase(),
        shortNames: textsOf(resource.shortNames),
        categories: textsOf(resource.categories),
        verbs: textsOf(resource.verbs),
        subresources,
        isPreferredVersion: false,
      };
    });
}

/**
 * Marks, for each resource, the version that the server prefers among those that serve it: a resource
 * that its group's first version lacks is not lost.
 *
 * @param types in order of preference within a group
 */
export function withPreferredVersions(types: readonly ResourceType[]): readonly ResourceType[] {
  const seen = new Set<string>();
  return types.map((type) => {
    const key = `${type.gvr.group}/${type.gvr.resource}`;
    const isPreferredVersion = !seen.has(key);
    seen.add(key);
    return { ...type, isPreferredVersion };
  });
}

function readAggregatedResource(
  resource: JsonObject,
  group: string,
  version: string,
): ResourceType | undefined {
  const name = textOf(resource.resource);
  const kind = textOf(memberAt(resource, 'responseKind', 'kind'));
  // A resource without a kind only carries subresources.
  if (name === '' || kind === '') return undefined;
  const kindGroup = memberAt(resource, 'responseKind', 'group');
  const kindVersion = textOf(memberAt(resource, 'responseKind', 'version'));
  const isForeignKind = kindVersion !== '' && typeof kindGroup === 'string';
  return {
    gvk: isForeignKind ? { group: kindGroup, version: kindVersion, kind } : { group, version, kind },
    gvr: { group, version, resource: name },
    isNamespaced: resource.scope === 'Namespaced',
    singularName: textOf(resource.singularResource) || kind.toLowerCase(),
    shortNames: textsOf(resource.shortNames),
    categories: textsOf(resource.categories),
    verbs: textsOf(resource.verbs),
    subresources: objectsOf(resource.subresources).map((subresource) => textOf(subresource.subresource)),
    isPreferredVersion: false,
  };
}

/** `apps/v1` as a path below `/openapi/v3`: `apis/apps/v1`, and `api/v1` for the core group. */
export function openApiKey(groupVersion: string): string {
  return parseApiVersion(groupVersion).group === '' ? `api/${groupVersion}` : `apis/${groupVersion}`;
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textsOf(value: Json | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
