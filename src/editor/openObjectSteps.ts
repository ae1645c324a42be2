import type { RequestFailure } from '../core/errors.ts';
import { DisposableStore, Emitter } from '../core/lifecycle.ts';
import { resolveResource } from '../core/resource/objectQuery.ts';
import { printResource } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ClusterPort, ContextEntry } from '../sync/clusterPort.ts';
import { ContextDiscovery } from './contextDiscovery.ts';
import { type ListedName, PagedNames } from './pagedNames.ts';
import type { ChoiceRow, PickRow, PickStep, PickView } from './pickStep.ts';
import { problemOfNamespace } from './rememberedNamespaces.ts';
import { categories, categoryOf, kindsIn } from './treeKinds.ts';
import type { Scope } from './treeNodes.ts';

export interface NamespaceChoice {
  readonly scope: Scope;
  /** The namespace was typed, not listed. */
  readonly isTyped: boolean;
}

/** Where to look: a namespace, all of them, or the cluster's own objects. */
export function namespaceStep(
  cluster: ClusterPort,
  entry: ContextEntry,
  known: { readonly favourites: readonly string[]; readonly remembered: readonly string[] },
): PickStep<NamespaceChoice> {
  const names = new PagedNames(cluster, {
    context: entry.name,
    gvr: { group: '', version: 'v1', resource: 'namespaces' },
  });
  const row = (namespace: string, description?: string): ChoiceRow<NamespaceChoice> => ({
    kind: 'choice',
    key: `namespace ${namespace}`,
    label: namespace,
    icon: 'symbol-namespace',
    value: { scope: { kind: 'namespace', namespace }, isTyped: false },
    ...(description === undefined ? {} : { description }),
  });
  return {
    ...pagedBehaviour(names),
    title: `Open Object: ${entry.name}`,
    placeholder: 'Choose a namespace',
    view: (typed) => {
      const listed = new Set(names.items.map(({ name }) => name));
      const first = new Set([entry.namespace, ...known.favourites]);
      const others = [...new Set([...listed, ...known.remembered])].filter((name) => !first.has(name));
      const describe = (name: string): string =>
        [known.favourites.includes(name) ? 'favourite' : '', name === entry.namespace ? 'of the context' : '']
          .filter((word) => word !== '')
          .join(' · ');
      const rows: PickRow<NamespaceChoice>[] = [
        ...[...first].map((name) => row(name, describe(name))),
        {
          kind: 'choice',
          key: 'all',
          label: 'All namespaces',
          icon: 'layers',
          value: { scope: { kind: 'allNamespaces' }, isTyped: false },
        },
        {
          kind: 'choice',
          key: 'cluster',
          label: 'Cluster scope',
          description: 'objects of no namespace',
          icon: 'server-environment',
          value: { scope: { kind: 'cluster' }, isTyped: false },
        },
        { kind: 'separator', label: 'namespaces' },
        ...others.map((name) => row(name)),
        ...tailRows<NamespaceChoice>(names, 'Namespaces cannot be listed'),
      ];
      const isNew = !listed.has(typed) && !first.has(typed) && problemOfNamespace(typed) === undefined;
      if (isNew && !names.isComplete) {
        rows.push({
          ...row(typed),
          key: 'typed',
          label: `Use namespace “${typed}”`,
          isSticky: true,
          value: { scope: { kind: 'namespace', namespace: typed }, isTyped: true },
        });
      }
      return { rows, isBusy: names.isLoading };
    },
  };
}

/** Which kind, of those that the scope has. */
export function kindStep(cluster: ClusterPort, scope: Scope, title: string): PickStep<ResourceType> {
  return discoveryStep(cluster, title, 'Choose a kind', (types) => {
    const kinds = kindsIn(scope, types).filter(({ verbs }) => verbs.includes('get'));
    const rows: PickRow<ResourceType>[] = [];
    for (const category of categories) {
      const inCategory = kinds.filter((type) => categoryOf(type) === category);
      if (inCategory.length > 0)
        rows.push({ kind: 'separator', label: category }, ...inCategory.map(typeRow));
    }
    return { rows };
  });
}

/** Says something in place of a question. */
export function noteStep(title: string, message: string): PickStep<never> {
  const rows: PickRow<never>[] = [
    { kind: 'note', key: 'note', label: message, icon: 'error', isSticky: true },
  ];
  return {
    title,
    placeholder: '',
    onDidChange: new Emitter<void>().event,
    view: () => ({ rows, isBusy: false }),
    dispose: () => undefined,
  };
}

/** The kind that a typed argument names; asks only where it names several. */
export function resolveStep(cluster: ClusterPort, resource: string): PickStep<ResourceType> {
  const note = (message: string): { rows: PickRow<ResourceType>[] } => ({
    rows: [
      { kind: 'note', key: 'problem', label: message, icon: 'error', isSticky: true },
      { kind: 'action', key: 'retry', label: 'Try again', icon: 'refresh', action: 'retry', isSticky: true },
    ],
  });
  return discoveryStep(cluster, `Open Object: ${resource}`, 'Choose a kind', (types) => {
    const resolved = resolveResource(resource, types);
    switch (resolved.kind) {
      case 'found':
        if (!resolved.type.verbs.includes('get')) return note(`“${resource}” cannot be read.`);
        return { rows: [], chosen: resolved.type };
      case 'ambiguous':
        return { rows: resolved.types.map(typeRow) };
      case 'unknown':
        return note(resolved.message);
    }
  });
}

/** Which object. */
export function nameStep(
  cluster: ClusterPort,
  context: string,
  scope: Scope,
  type: ResourceType,
): PickStep<ListedName> {
  const namespace = scope.kind === 'namespace' ? { namespace: scope.namespace } : {};
  const names = new PagedNames(cluster, { context, gvr: type.gvr, ...namespace });
  const place = scope.kind === 'namespace' ? `${context} › ${scope.namespace}` : context;
  return {
    ...pagedBehaviour(names),
    title: `Open Object: ${place} › ${type.gvk.kind}`,
    placeholder: 'Choose an object',
    view: (typed) => {
      const rows: PickRow<ListedName>[] = names.items.map((item) => ({
        kind: 'choice',
        key: `${item.namespace ?? ''}/${item.name}`,
        label: item.name,
        value: item,
        ...(scope.kind === 'allNamespaces' ? { description: item.namespace ?? '' } : {}),
      }));
      if (names.isComplete && rows.length === 0) {
        rows.push({
          kind: 'note',
          key: 'empty',
          label: `There are no ${type.gvr.resource}`,
          icon: 'circle-slash',
        });
      }
      rows.push(...tailRows<ListedName>(names, `These ${type.gvr.resource} cannot be listed`));
      const name = typed.trim();
      const isKnown = names.items.some((item) => item.name === name);
      if (
        name !== '' &&
        !/[\s/]/.test(name) &&
        !isKnown &&
        !names.isComplete &&
        scope.kind !== 'allNamespaces'
      ) {
        rows.push({
          kind: 'choice',
          key: 'typed',
          label: `Open “${name}”`,
          icon: 'go-to-file',
          isSticky: true,
          value: { name, ...namespace },
        });
      }
      return { rows, isBusy: names.isLoading };
    },
  };
}

function pagedBehaviour(
  names: PagedNames,
): Pick<PickStep<never>, 'onDidChange' | 'typed' | 'nearEnd' | 'run' | 'dispose'> {
  return {
    onDidChange: names.onDidChange,
    // What is typed is looked for among all names.
    typed: (text) => {
      if (text !== '') names.load('all');
      else if (names.items.length === 0) names.load('page');
    },
    nearEnd: () => {
      names.load('page');
    },
    run: (action) => {
      if (action === 'retry') names.retry();
      else names.load('page');
    },
    dispose: () => {
      names.dispose();
    },
  };
}

/** What is said after the names read so far. */
function tailRows<Value>(names: PagedNames, forbidden: string): PickRow<Value>[] {
  const { failure } = names;
  if (failure !== undefined) return failureRows(failure, forbidden);
  if (names.isComplete || names.items.length === 0) return [];
  const count = names.remaining === undefined ? 'More' : `${names.remaining.toLocaleString('en')} more`;
  if (names.isFull) {
    const label = `${count} are not shown: type the whole name`;
    return [{ kind: 'note', key: 'full', label, icon: 'info', isSticky: true }];
  }
  return [
    { kind: 'action', key: 'more', label: `${count}…`, icon: 'ellipsis', action: 'loadMore', isSticky: true },
  ];
}

function failureRows<Value>(failure: RequestFailure, forbidden: string): PickRow<Value>[] {
  if (failure.kind === 'aborted') return [];
  const isForbidden = failure.kind === 'forbidden';
  return [
    {
      kind: 'action',
      key: 'retry',
      label: isForbidden ? forbidden : failure.message,
      description: 'Try again',
      icon: isForbidden ? 'lock' : 'error',
      action: 'retry',
      isSticky: true,
      ...(isForbidden ? { detail: failure.message } : {}),
    },
  ];
}

function discoveryStep(
  cluster: ClusterPort,
  title: string,
  placeholder: string,
  choose: (types: readonly ResourceType[]) => Omit<PickView<ResourceType>, 'isBusy'>,
): PickStep<ResourceType> {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<void>());
  let isAsking = false;
  const discovery = owned.add(
    new ContextDiscovery(
      cluster,
      () => {
        isAsking = false;
        changes.fire();
      },
      () => undefined,
    ),
  );
  return {
    title,
    placeholder,
    onDidChange: changes.event,
    view: () => {
      const { outcome } = discovery;
      if (outcome === undefined || isAsking) return { rows: [], isBusy: true };
      if (outcome.kind !== 'ok')
        return { rows: failureRows(outcome, 'The kinds cannot be read'), isBusy: false };
      const { rows, chosen } = choose(outcome.value.types);
      const notes = outcome.value.failures.map(({ group, message }): PickRow<ResourceType> => ({
        kind: 'note',
        key: `group ${group}`,
        label: `${group} could not be read`,
        description: message,
        icon: 'warning',
      }));
      return { rows: [...rows, ...notes], isBusy: false, ...(chosen === undefined ? {} : { chosen }) };
    },
    typed: () => {
      void discovery.ensure();
    },
    run: () => {
      isAsking = true;
      discovery.refresh();
      changes.fire();
    },
    dispose: () => {
      owned.dispose();
    },
  };
}

function typeRow(type: ResourceType): PickRow<ResourceType> {
  const resource = printResource(type.gvr);
  return {
    kind: 'choice',
    key: `type ${resource}`,
    label: type.gvk.kind,
    description: [resource, ...type.shortNames].join(' · '),
    value: type,
  };
}
