/** The type that a text names: `apiVersion` and `kind`. The core group is `''`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The type that a URL names. The core group is `''`. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** `v1` for the core group, else `group/version`. */
export function printApiVersion(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** The reverse of {@link printApiVersion}. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}
