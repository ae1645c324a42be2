import type { Disposable } from '../core/lifecycle.ts';
import type { ObjectQuery } from '../core/resource/objectQuery.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { ClusterPort, ClustersPort } from '../sync/clusterPort.ts';
import type { Favourites } from './favourites.ts';
import { contextStep, startStep } from './openObjectStart.ts';
import { kindStep, nameStep, namespaceStep, noteStep, resolveStep } from './openObjectSteps.ts';
import type { PickStep } from './pickStep.ts';
import type { RecentObjects } from './recentObjects.ts';
import type { RememberedNamespaces } from './rememberedNamespaces.ts';
import type { Scope } from './treeNodes.ts';

export interface OpenObjectFlowOptions {
  readonly clusters: ClustersPort;
  readonly recent: RecentObjects;
  readonly remembered: RememberedNamespaces;
  readonly favourites: Favourites;
}

/** What a choice leads to. */
type Next =
  { readonly kind: 'stage'; readonly stage: Stage } | { readonly kind: 'done'; readonly ref: ResourceRef };

/** A question, and what its answers lead to. */
interface Stage {
  readonly step: PickStep<unknown>;
  readonly next: (value: unknown) => Next;
}

/**
 * The questions that lead to an object: context, namespace, kind, name; or fewer, for what was typed or
 * opened before. Questions that were answered keep what they read, for going back. Disposing it ends all
 * requests.
 */
export class OpenObjectFlow implements Disposable {
  readonly #options: OpenObjectFlowOptions;
  readonly #stages: Stage[];

  constructor(options: OpenObjectFlowOptions) {
    this.#options = options;
    this.#stages = [this.#start()];
  }

  /** The question to ask now. */
  get step(): PickStep<unknown> {
    const stage = this.#stages.at(-1);
    if (stage === undefined) throw new Error('the flow is disposed');
    return stage.step;
  }

  get canGoBack(): boolean {
    return this.#stages.length > 1;
  }

  /**
   * Answers the question with one of its values.
   *
   * @param isOwnAnswer the step answered itself: going back passes over it
   * @returns the object where that was the last question
   */
  choose(value: unknown, isOwnAnswer = false): ResourceRef | undefined {
    const stage = this.#stages.at(-1);
    const next = stage?.next(value);
    if (stage === undefined || next === undefined) return undefined;
    if (next.kind === 'done') return next.ref;
    if (isOwnAnswer) {
      this.#stages.pop();
      stage.step.dispose();
    }
    this.#stages.push(next.stage);
    return undefined;
  }

  back(): void {
    if (this.canGoBack) this.#stages.pop()?.step.dispose();
  }

  dispose(): void {
    for (const { step } of this.#stages.splice(0)) step.dispose();
  }

  #start(): Stage {
    const { clusters, recent, favourites } = this.#options;
    return stageOf(startStep(clusters.view.contexts, recent, favourites), (choice) => {
      switch (choice.kind) {
        case 'ref':
          return { kind: 'done', ref: choice.ref };
        case 'namespace':
          return this.#connected(choice.context, (cluster) =>
            this.#askKind(cluster, { kind: 'namespace', namespace: choice.namespace }),
          );
        case 'context':
          return this.#askNamespace(choice.context);
        case 'query':
          return choice.context === undefined
            ? this.#askContext(choice.query)
            : this.#resolve(choice.context, choice.query);
      }
    });
  }

  #askContext(query: ObjectQuery): Next {
    const step = contextStep(this.#options.clusters.view.contexts);
    return toStage(step, (choice) =>
      choice.kind === 'context'
        ? this.#resolve(choice.context, query)
        : { kind: 'stage', stage: this.#start() },
    );
  }

  #askNamespace(context: string): Next {
    return this.#connected(context, (cluster) => {
      const { remembered, favourites } = this.#options;
      const { clusterId } = cluster.context;
      const step = namespaceStep(cluster, cluster.context, {
        favourites: favourites.namespacesOf(clusterId),
        remembered: remembered.of(clusterId),
      });
      return toStage(step, ({ scope, isTyped }) => {
        if (isTyped && scope.kind === 'namespace') void remembered.add(clusterId, scope.namespace);
        return this.#askKind(cluster, scope);
      });
    });
  }

  #askKind(cluster: ClusterPort, scope: Scope): Next {
    const place = scope.kind === 'namespace' ? ` › ${scope.namespace}` : '';
    const title = `Open Object: ${cluster.context.name}${place}`;
    return toStage(kindStep(cluster, scope, title), (type) => this.#askName(cluster, scope, type));
  }

  #resolve(context: string, query: ObjectQuery): Next {
    return this.#connected(context, (cluster) =>
      toStage(resolveStep(cluster, query.resource), (type) => {
        const scope = scopeOf(type, query, cluster.context.namespace);
        if (query.name === undefined) return this.#askName(cluster, scope, type);
        const namespace = scope.kind === 'namespace' ? { namespace: scope.namespace } : {};
        return { kind: 'done', ref: { context, gvr: type.gvr, name: query.name, ...namespace } };
      }),
    );
  }

  #askName(cluster: ClusterPort, scope: Scope, type: ResourceType): Next {
    const context = cluster.context.name;
    return toStage(nameStep(cluster, context, scope, type), ({ name, namespace }) => ({
      kind: 'done',
      ref: { context, gvr: type.gvr, name, ...(namespace === undefined ? {} : { namespace }) },
    }));
  }

  #connected(context: string, next: (cluster: ClusterPort) => Next): Next {
    const cluster = this.#options.clusters.connect(context);
    if (cluster !== undefined) return next(cluster);
    const step = noteStep('Open Object', `The kubeconfig has no context “${context}” any more.`);
    return toStage(step, () => ({ kind: 'stage', stage: this.#start() }));
  }
}

function scopeOf(type: ResourceType, query: ObjectQuery, ownNamespace: string): Scope {
  if (!type.isNamespaced) return { kind: 'cluster' };
  if (query.isAllNamespaces) return { kind: 'allNamespaces' };
  return { kind: 'namespace', namespace: query.namespace ?? ownNamespace };
}

function stageOf<Value>(step: PickStep<Value>, next: (value: Value) => Next): Stage {
  // A step is only ever answered with a value of its own rows.
  return { step, next: (value) => next(value as Value) };
}

function toStage<Value>(step: PickStep<Value>, next: (value: Value) => Next): Next {
  return { kind: 'stage', stage: stageOf(step, next) };
}
