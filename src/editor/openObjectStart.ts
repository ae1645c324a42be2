import { Emitter } from '../core/lifecycle.ts';
import { type ObjectQuery, parseObjectQuery } from '../core/resource/objectQuery.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ContextEntry } from '../sync/clusterPort.ts';
import type { Favourites } from './favourites.ts';
import type { RecentObjects } from './recentObjects.ts';
import {
  favouriteRows,
  nameOfShortcut,
  placeOfShortcut,
  recentRows,
  refOfShortcut,
  type ShortcutNode,
} from './shortcuts.ts';
import type { PickRow, PickStep } from './pickStep.ts';

/** How many recent objects, and favourites, are listed before one types: the contexts stay in sight below. */
const listedUntyped = 6;

/** Steps that never change by themselves. */
const never = new Emitter<void>().event;

export type StartChoice =
  | { readonly kind: 'ref'; readonly ref: ResourceRef }
  | { readonly kind: 'context'; readonly context: string }
  | { readonly kind: 'namespace'; readonly context: string; readonly namespace: string }
  /** `context` is absent where the kubeconfig has no current one and the text named none. */
  | { readonly kind: 'query'; readonly query: ObjectQuery; readonly context?: string };

/** The first question: an object typed as for kubectl, a recent one, a favourite, or a context. */
export function startStep(
  contexts: readonly ContextEntry[],
  recent: RecentObjects,
  favourites: Favourites,
): PickStep<StartChoice> {
  const recentNodes = recentRows(recent, favourites, contexts);
  const favouriteNodes = favouriteRows(favourites, contexts);
  return {
    title: 'Open Object',
    placeholder: 'Type as for kubectl, such as deploy/web -n shop, or choose',
    onDidChange: never,
    dispose: () => undefined,
    view: (typed) => {
      const query = queryRows(typed, contexts);
      const most = typed.trim() === '' ? listedUntyped : Infinity;
      const listedOnce = new Set<string>();
      const matching = (nodes: readonly ShortcutNode[]): PickRow<StartChoice>[] =>
        nodes
          .filter((node) => !listedOnce.has(wordsOf(node)))
          .flatMap((node) => shortcutRow(node).map((row) => ({ node, row })))
          .filter(({ row }) => isMatch(row, typed))
          .slice(0, most)
          .map(({ node, row }) => {
            listedOnce.add(wordsOf(node));
            return row;
          });
      const recents = matching(recentNodes);
      const favoured = matching(favouriteNodes);
      const rows = contexts.map(contextRow).filter((row) => isMatch(row, typed));
      const listed: PickRow<StartChoice>[] = [];
      if (recents.length > 0) listed.push({ kind: 'separator', label: 'recent' }, ...recents);
      if (favoured.length > 0) listed.push({ kind: 'separator', label: 'favourites' }, ...favoured);
      if (rows.length > 0) listed.push({ kind: 'separator', label: 'contexts' }, ...rows);
      if (contexts.length === 0) {
        listed.push({
          kind: 'note',
          key: 'none',
          label: 'There is no context in the kubeconfig',
          icon: 'info',
        });
      }
      // A single word is more likely a context or a name that is looked for.
      return { rows: isSentence(typed) ? [...query, ...listed] : [...listed, ...query], isBusy: false };
    },
  };
}

function wordsOf(node: ShortcutNode): string {
  return `${nameOfShortcut(node)} ${placeOfShortcut(node)}`;
}

/** Which context an object that was typed without one belongs to. */
export function contextStep(contexts: readonly ContextEntry[]): PickStep<StartChoice> {
  return {
    title: 'Open Object: Context',
    placeholder: 'Choose a context',
    onDidChange: never,
    dispose: () => undefined,
    view: () => ({ rows: contexts.map(contextRow), isBusy: false }),
  };
}

function queryRows(typed: string, contexts: readonly ContextEntry[]): PickRow<StartChoice>[] {
  if (typed.trim() === '') return [];
  const parsed = parseObjectQuery(typed);
  const note = (label: string): PickRow<StartChoice>[] =>
    isSentence(typed) ? [{ kind: 'note', key: 'problem', label, icon: 'info', isSticky: true }] : [];
  if (parsed.kind === 'problem') return note(parsed.message);
  const { query } = parsed;
  const current =
    contexts.find(({ isCurrent }) => isCurrent) ?? (contexts.length === 1 ? contexts[0] : undefined);
  const context = query.context === undefined ? current : contexts.find(({ name }) => name === query.context);
  if (context === undefined && query.context !== undefined)
    return note(`There is no context “${query.context}”.`);
  const object = query.name === undefined ? query.resource : `${query.resource}/${query.name}`;
  const namespace = query.isAllNamespaces ? 'all namespaces' : (query.namespace ?? context?.namespace);
  const place = [namespace, context?.name].filter((part) => part !== undefined).join(' · ');
  return [
    {
      kind: 'choice',
      key: 'query',
      label: query.name === undefined ? `Browse ${object}` : `Open ${object}`,
      icon: query.name === undefined ? 'list-unordered' : 'go-to-file',
      description: place,
      isSticky: true,
      value: { kind: 'query', query, ...(context === undefined ? {} : { context: context.name }) },
    },
  ];
}

/** More than one word, or `type/name`: meant for kubectl. */
function isSentence(typed: string): boolean {
  return /\S[\s/]|^\s*-/.test(typed);
}

function isMatch(row: PickRow<StartChoice>, typed: string): boolean {
  if (row.kind === 'separator') return false;
  const text = `${row.label} ${row.description ?? ''}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function contextRow(entry: ContextEntry): PickRow<StartChoice> {
  const { name, isCurrent, problem, server } = entry;
  const description = [isCurrent ? 'current' : '', problem ?? server]
    .filter((part) => part !== '')
    .join(' · ');
  const text = { key: `context ${name}`, label: name, description, isSticky: true } as const;
  if (problem !== undefined) return { ...text, kind: 'note', icon: 'warning' };
  return {
    ...text,
    kind: 'choice',
    icon: isCurrent ? 'vm-active' : 'vm',
    value: { kind: 'context', context: name },
  };
}

/** A favourite or a recent object; nothing for one whose cluster the kubeconfig has no context for. */
function shortcutRow(node: ShortcutNode): PickRow<StartChoice>[] {
  const { entry, target, list } = node;
  const ref = refOfShortcut(node);
  if (entry === undefined) return [];
  const value: StartChoice | undefined =
    target.kind === 'namespace'
      ? { kind: 'namespace', context: entry.name, namespace: target.address.namespace }
      : ref && { kind: 'ref', ref };
  if (value === undefined) return [];
  return [
    {
      kind: 'choice',
      key: `${list} ${node.id}`,
      label: nameOfShortcut(node),
      description: placeOfShortcut(node),
      icon: list === 'recent' ? 'history' : target.kind === 'object' ? 'star-full' : 'symbol-namespace',
      isSticky: true,
      value,
    },
  ];
}
