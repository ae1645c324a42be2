import { printResource } from './resourceRef.ts';
import type { ResourceType } from './resourceType.ts';

/** An object or a collection as typed for kubectl: `deploy/web`, `svc -n shop`. */
export interface ObjectQuery {
  /** The resource argument as typed; see {@link resolveResource}. */
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly isAllNamespaces: boolean;
}

export type ParsedObjectQuery =
  | { readonly kind: 'query'; readonly query: ObjectQuery }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * Reads `deploy/web`, `deploy web -n shop`, `deployments.apps web --namespace=shop`, `svc`, `pods -A`,
 * with `kubectl get` or `kubectl edit` before it where it was pasted whole, and `--context`.
 *
 * @returns a problem in words for anything else, also for an empty text
 */
export function parseObjectQuery(text: string): ParsedObjectQuery {
  const words = splitWords(text);
  if (words === undefined) return problem('A quote is not closed.');
  const positional: string[] = [];
  const flags: { namespace?: string; context?: string } = {};
  let isAllNamespaces = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '-A' || word === '--all-namespaces' || word === '--all-namespaces=true') {
      isAllNamespaces = true;
      continue;
    }
    const flag = readFlag(word);
    if (flag === undefined) {
      if (word.startsWith('-') && word !== '-')
        return problem(`The flag ${word} is not known here. Use -n, -A or --context.`);
      positional.push(word);
      continue;
    }
    const value = flag.value ?? words[++index];
    if (value === undefined || value === '') return problem(`The flag ${word} needs a value.`);
    if (flags[flag.name] !== undefined) return problem(`The ${flag.name} is given twice.`);
    flags[flag.name] = value;
  }
  if (flags.namespace !== undefined && isAllNamespaces) return problem('Use either -n or -A, not both.');
  const object = readObject(withoutCommand(positional));
  if (object.kind === 'problem') return object;
  if (object.name !== undefined && isAllNamespaces) {
    return problem('With a name, say its namespace by -n instead of -A.');
  }
  const { resource, name } = object;
  return {
    kind: 'query',
    query: { resource, ...(name === undefined ? {} : { name }), ...flags, isAllNamespaces },
  };
}

export type ResolvedResource =
  | { readonly kind: 'found'; readonly type: ResourceType }
  /** Kinds of several groups match equally well. */
  | { readonly kind: 'ambiguous'; readonly types: readonly ResourceType[]; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Finds the resource that an argument names, as kubectl does: the plural, else the singular, else a short
 * name, else the kind in any case; alone, or as `resource.group`, where the group may be cut short, or
 * `resource.version.group`. The core group wins over others, a group's preferred version over its others.
 */
export function resolveResource(argument: string, types: readonly ResourceType[]): ResolvedResource {
  const [word = '', ...rest] = argument.split('.');
  const [version, ...groupOfVersion] = rest;
  if (rest.length > 1) {
    const group = groupOfVersion.join('.');
    const exact = types.filter(({ gvr }) => gvr.version === version && gvr.group === group);
    const found = choose(word, exact);
    if (found !== undefined) return found;
  }
  if (rest.length > 0) {
    const group = rest.join('.');
    const found =
      choose(
        word,
        types.filter(({ gvr }) => gvr.group === group),
      ) ?? choose(word, group === '' ? [] : types.filter(({ gvr }) => gvr.group.startsWith(group)));
    return found ?? unknown(argument);
  }
  return choose(word, types) ?? unknown(argument);
}

/** One type for each resource of each group: in the preferred version, else in the first one served. */
export function preferredTypes(types: readonly ResourceType[]): ResourceType[] {
  const chosen = new Map<string, ResourceType>();
  for (const type of types) {
    const key = printResource(type.gvr);
    const before = chosen.get(key);
    if (before === undefined || (type.isPreferredVersion && !before.isPreferredVersion))
      chosen.set(key, type);
  }
  return [...chosen.values()];
}

function choose(word: string, types: readonly ResourceType[]): ResolvedResource | undefined {
  const lower = word.toLowerCase();
  const ranks: ((type: ResourceType) => boolean)[] = [
    ({ gvr }) => gvr.resource === lower,
    ({ singularName }) => singularName === lower,
    ({ shortNames }) => shortNames.includes(lower),
    ({ gvk }) => gvk.kind.toLowerCase() === lower,
  ];
  for (const isMatch of ranks) {
    const matches = preferredTypes(types.filter(isMatch));
    if (matches.length === 0) continue;
    const best = matches.length === 1 ? matches[0] : matches.find(({ gvr }) => gvr.group === '');
    if (best !== undefined) return { kind: 'found', type: best };
    const names = matches.map(({ gvr }) => printResource(gvr)).join(', ');
    return { kind: 'ambiguous', types: matches, message: `“${word}” is one of several: ${names}.` };
  }
  return undefined;
}

function unknown(argument: string): ResolvedResource {
  return { kind: 'unknown', message: `The server has no resource type “${argument}”.` };
}

function problem(message: string): { readonly kind: 'problem'; readonly message: string } {
  return { kind: 'problem', message };
}

function readObject(
  words: readonly string[],
):
  | { readonly kind: 'object'; readonly resource: string; readonly name: string | undefined }
  | { readonly kind: 'problem'; readonly message: string } {
  const [first, second, ...more] = words;
  if (first === undefined) return problem('Type a resource, such as deploy/web or svc -n shop.');
  if (first.includes(',')) return problem('Only one kind can be opened at a time.');
  const slash = first.indexOf('/');
  if (slash < 0) {
    if (more.length > 0) return problem('Only one object can be opened at a time.');
    if (second?.includes('/') === true) return problem('Write either TYPE/NAME or TYPE NAME.');
    return { kind: 'object', resource: first, name: second };
  }
  if (second !== undefined) return problem('Only one object can be opened at a time.');
  const resource = first.slice(0, slash);
  const name = first.slice(slash + 1);
  if (resource === '' || name === '' || name.includes('/'))
    return problem('Write it as TYPE/NAME, such as deploy/web.');
  return { kind: 'object', resource, name };
}

/** The verbs that open or show an object, where a whole kubectl command was pasted. */
const kubectlVerbs = new Set(['get', 'edit', 'describe']);

function withoutCommand(words: readonly string[]): readonly string[] {
  if (words[0] !== 'kubectl' && words[0] !== 'k') return words;
  return kubectlVerbs.has(words[1] ?? '') ? words.slice(2) : words.slice(1);
}

function readFlag(word: string): { name: 'namespace' | 'context'; value: string | undefined } | undefined {
  const long = /^--(namespace|context)(?:=(.*))?$/.exec(word);
  if (long !== null) return { name: long[1] === 'context' ? 'context' : 'namespace', value: long[2] };
  const short = /^-n(?:=?(.+))?$/.exec(word);
  return short === null ? undefined : { name: 'namespace', value: short[1] };
}

/** Words between blanks; quotes keep blanks together. Undefined where a quote is left open. */
function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)|\s*(["'])/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[1] === undefined) return undefined;
    words.push(
      match[1].replace(
        /"([^"]*)"|'([^']*)'/g,
        (_all, double?: string, single?: string) => double ?? single ?? '',
      ),
    );
  }
  return words;
}
