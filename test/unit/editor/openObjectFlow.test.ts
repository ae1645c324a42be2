import assert from 'node:assert/strict';
import type { DocumentAddress } from '../../../src/core/resource/documentPath.ts';
import type { ResourceRef } from '../../../src/core/resource/resourceRef.ts';
import { type Favourite, Favourites } from '../../../src/editor/favourites.ts';
import { OpenObjectFlow } from '../../../src/editor/openObjectFlow.ts';
import type { PickRow } from '../../../src/editor/pickStep.ts';
import { RecentObjects } from '../../../src/editor/recentObjects.ts';
import { RememberedNamespaces } from '../../../src/editor/rememberedNamespaces.ts';
import type { ContextEntry } from '../../../src/sync/clusterPort.ts';
import { settled } from '../../support/fakeClock.ts';
import { failure, fakeObject } from '../../support/fakeCluster.ts';
import {
  FakeClusters,
  type FakeConnection,
  FakeStore,
  fakeContext,
  fakeType,
} from '../../support/fakeClusters.ts';
import { customServices, deployments, namespaceObject, nodes, pods, services } from './treeHarness.ts';

const web: ResourceRef = { context: 'prod', namespace: 'shop', gvr: deployments.gvr, name: 'web' };

function addressOn(ref: ResourceRef): DocumentAddress {
  return { clusterId: fakeContext(ref.context).clusterId, ref };
}

/** A person before the quick picks: types, reads rows, chooses one by its words. */
class Person {
  readonly clusters: FakeClusters;
  readonly recent: RecentObjects;
  readonly remembered: RememberedNamespaces;
  readonly favourites: Favourites;
  readonly flow: OpenObjectFlow;
  #typed = '';

  private constructor(contexts: readonly ContextEntry[], store: FakeStore) {
    this.clusters = new FakeClusters(contexts);
    this.recent = new RecentObjects(store);
    this.remembered = new RememberedNamespaces(store);
    this.favourites = new Favourites(store);
    this.flow = new OpenObjectFlow(this);
    this.type('');
  }

  static async sits(
    options: {
      contexts?: readonly ContextEntry[];
      recent?: readonly ResourceRef[];
      favourites?: readonly Favourite[];
    } = {},
  ): Promise<Person> {
    const store = new FakeStore();
    for (const ref of options.recent ?? []) await new RecentObjects(store).add(addressOn(ref));
    for (const favourite of options.favourites ?? []) await new Favourites(store).add(favourite);
    const contexts = options.contexts ?? [fakeContext('dev'), fakeContext('prod', { isCurrent: true })];
    return new Person(contexts, store);
  }

  get cluster(): FakeConnection {
    return this.clusters.at('prod');
  }

  type(text: string): void {
    this.#typed = text;
    this.flow.step.typed?.(text);
  }

  get rows(): readonly PickRow<unknown>[] {
    return this.flow.step.view(this.#typed).rows;
  }

  get isBusy(): boolean {
    return this.flow.step.view(this.#typed).isBusy;
  }

  /** The rows as words: `label (description)`, with a mark for those that are no choice. */
  get words(): string[] {
    return this.rows.map((row) => {
      if (row.kind === 'separator') return `- ${row.label}`;
      const mark = row.kind === 'choice' ? '' : `[${row.kind}] `;
      return `${mark}${row.label}${row.description === undefined ? '' : ` (${row.description})`}`;
    });
  }

  /** Chooses a row by its label, and whatever the steps then answer themselves. */
  async choose(label: string): Promise<ResourceRef | undefined> {
    const row = this.rows.find((candidate) => candidate.label === label);
    assert.ok(row, `${label} is not among: ${this.words.join(', ')}`);
    if (row.kind === 'action') {
      this.flow.step.run?.(row.action);
      await settled();
      return undefined;
    }
    assert.ok(row.kind === 'choice', `${label} can be chosen`);
    return this.#after(this.flow.choose(row.value));
  }

  /** Lets a step that answers itself do so. */
  async goOn(): Promise<ResourceRef | undefined> {
    await settled();
    const { chosen } = this.flow.step.view(this.#typed);
    return chosen === undefined ? undefined : this.#after(this.flow.choose(chosen, true));
  }

  async #after(ref: ResourceRef | undefined): Promise<ResourceRef | undefined> {
    if (ref !== undefined) return ref;
    this.type('');
    return await this.goOn();
  }
}

describe('Open Object: step by step', () => {
  it('goes from context over namespace and kind to a name, asking for no more than each step needs', async () => {
    const person = await Person.sits();
    assert.equal(person.clusters.connections.size, 0);
    await person.choose('prod');
    assert.deepEqual(person.cluster.log, ['list']);
    assert.equal(person.isBusy, true);
    await person.cluster.lastList.page(['default', 'shop'].map(namespaceObject));
    assert.deepEqual(person.words, [
      'shop (of the context)',
      'All namespaces',
      'Cluster scope (objects of no namespace)',
      '- namespaces',
      'default',
    ]);
    await person.choose('shop');
    assert.equal(person.cluster.discoveries.length, 1);
    await person.cluster.serve([services, customServices, pods, deployments, nodes]);
    assert.deepEqual(person.words, [
      '- Workloads',
      'Pod (pods)',
      'Deployment (deployments.apps)',
      '- Network',
      'Service (services)',
      '- Custom',
      'Service (services.serving.example.com)',
    ]);
    await person.choose('Deployment');
    assert.equal(person.cluster.lastList.collection.namespace, 'shop');
    await person.cluster.lastList.page([fakeObject('web', '1')]);
    assert.deepEqual(await person.choose('web'), web);
    assert.deepEqual(person.cluster.log, ['list', 'list'], 'nothing is watched');
  });

  it('keeps what was read for going back, and ends what is under way', async () => {
    const person = await Person.sits();
    await person.choose('prod');
    await person.cluster.lastList.page([namespaceObject('default')]);
    await person.choose('Cluster scope');
    await person.cluster.serve([nodes]);
    await person.choose('Node');
    const names = person.cluster.lastList;
    person.flow.back();
    assert.equal(names.signal.aborted, true);
    person.flow.back();
    assert.ok(person.words.includes('default'));
    assert.equal(person.cluster.requests.length, 2);
    person.flow.back();
    assert.equal(person.flow.canGoBack, false);
    person.flow.back();
    assert.ok(person.words.includes('dev (https://dev.example.com)'));
  });

  it('ends all requests when given up', async () => {
    const person = await Person.sits();
    await person.choose('prod');
    await person.choose('shop');
    person.flow.dispose();
    assert.ok(person.cluster.requests.every(({ signal }) => signal.aborted));
    assert.ok(person.cluster.discoveries.every(({ signal }) => signal.aborted));
  });

  it('reads the other pages only when a person types, comes near the end or asks for more', async () => {
    const person = await Person.sits();
    await person.choose('prod');
    await person.choose('shop');
    await person.cluster.serve([pods]);
    await person.choose('Pod');
    const list = person.cluster.lastList;
    await list.answer({
      kind: 'ok',
      value: {
        objects: [fakeObject('a', '1')],
        resourceVersion: undefined,
        continueToken: 't1',
        remainingItemCount: 1_200,
      },
    });
    assert.deepEqual(person.words, ['a', '[action] 1,200 more…']);
    assert.equal(person.cluster.lastList, list);
    await person.choose('1,200 more…');
    await person.cluster.lastList.page([fakeObject('b', '1')], '1', 't2');
    person.flow.step.nearEnd?.();
    await person.cluster.lastList.page([fakeObject('c', '1')], '1', 't3');
    assert.equal(person.isBusy, false);
    person.type('z');
    assert.equal(person.isBusy, true);
    assert.deepEqual(person.words, ['a', 'b', 'c', '[action] More…', 'Open “z”']);
    await person.cluster.lastList.page([fakeObject('d', '1')], '1', 't4');
    await person.cluster.lastList.page([fakeObject('z', '1')]);
    assert.deepEqual(person.words, ['a', 'b', 'c', 'd', 'z']);
  });

  it('shows a failure as a row and tries again when it is chosen', async () => {
    const person = await Person.sits();
    await person.choose('prod');
    await person.cluster.lastList.answer(failure('unreachable'));
    assert.ok(person.words.includes('[action] it is unreachable (Try again)'));
    await person.choose('it is unreachable');
    await person.cluster.lastList.page([namespaceObject('default')]);
    assert.ok(person.words.includes('default'));
    await person.choose('shop');
    await person.cluster.answerDiscovery(failure('serverError'));
    assert.deepEqual(person.words, ['[action] it is serverError (Try again)']);
    await person.choose('it is serverError');
    assert.equal(person.isBusy, true);
    await person.cluster.serve([pods], [{ group: 'metrics.k8s.io', message: 'answered 503' }]);
    assert.deepEqual(person.words, [
      '- Workloads',
      'Pod (pods)',
      '[note] metrics.k8s.io could not be read (answered 503)',
    ]);
  });

  it('E1: takes a typed namespace where they may not be listed, and remembers it', async () => {
    const person = await Person.sits();
    await person.choose('prod');
    await person.cluster.lastList.answer(failure('forbidden'));
    person.type('team-a');
    assert.ok(person.words.includes('[action] Namespaces cannot be listed (Try again)'));
    await person.choose('Use namespace “team-a”');
    assert.deepEqual(person.remembered.of(fakeContext('prod').clusterId), ['team-a']);
    await person.cluster.serve([pods]);
    await person.choose('Pod');
    await person.cluster.lastList.answer(failure('forbidden'));
    person.type('web-0');
    assert.deepEqual(await person.choose('Open “web-0”'), {
      context: 'prod',
      namespace: 'team-a',
      gvr: pods.gvr,
      name: 'web-0',
    });
  });

  it('says that there is nothing', async () => {
    const person = await Person.sits();
    await person.choose('prod');
    await person.choose('shop');
    await person.cluster.serve([pods]);
    await person.choose('Pod');
    await person.cluster.lastList.page([]);
    assert.deepEqual(person.words, ['[note] There are no pods']);
  });
});

describe('Open Object: the first question', () => {
  it('D11: contacts nothing, with 200 contexts', async () => {
    const person = await Person.sits({
      contexts: Array.from({ length: 200 }, (_, index) => fakeContext(`c${index}`)),
    });
    person.type('c19');
    assert.equal(person.rows.filter(({ kind }) => kind === 'choice').length, 12);
    assert.equal(person.clusters.connections.size, 0);
  });

  it('shows recent objects before favourites, each once, with its kind and group and its place', async () => {
    const core: ResourceRef = { context: 'prod', namespace: 'shop', gvr: services.gvr, name: 'x' };
    const custom: ResourceRef = { ...core, gvr: customServices.gvr };
    const { clusterId } = fakeContext('prod');
    const person = await Person.sits({
      recent: [web, custom],
      favourites: [
        { kind: 'object', address: addressOn(core) },
        { kind: 'object', address: addressOn(web) },
        { kind: 'namespace', address: { clusterId, context: 'prod', namespace: 'team-a' } },
      ],
    });
    assert.deepEqual(person.words.slice(0, 6), [
      '- recent',
      'x (services.serving.example.com · shop · prod)',
      'web (deployments.apps · shop · prod)',
      '- favourites',
      'x (services · shop · prod)',
      'team-a (prod)',
    ]);
    assert.equal(person.clusters.connections.size, 0);
    assert.deepEqual(await person.choose('web'), web);
  });

  it('keeps the contexts in sight below a few recent objects and favourites, and finds all by typing', async () => {
    const named = (name: string): ResourceRef => ({ ...web, name });
    const many = Array.from({ length: 12 }, (_item, index) => named(`web-${index}`));
    const starred = many.slice(0, 1).map((ref): Favourite => ({ kind: 'object', address: addressOn(ref) }));
    const person = await Person.sits({ recent: many, favourites: starred });
    assert.deepEqual(
      person.words.map((words) => words.split(' (')[0]),
      ['- recent', 'web-11', 'web-10', 'web-9', 'web-8', 'web-7', 'web-6', '- favourites', 'web-0'].concat([
        '- contexts',
        'dev',
        'prod',
      ]),
    );
    person.type('web-3');
    assert.ok(person.words.some((words) => words.startsWith('web-3 ')));
  });

  it('goes on with the kinds of a favourite namespace, and offers favourites first among namespaces', async () => {
    const { clusterId } = fakeContext('prod');
    const address = { clusterId, context: 'old-name', namespace: 'team-a' };
    const person = await Person.sits({ favourites: [{ kind: 'namespace', address }] });
    await person.choose('prod');
    await person.cluster.lastList.page(['a', 'shop', 'team-a'].map(namespaceObject));
    assert.deepEqual(
      person.words.filter((words) => !words.startsWith('All') && !words.startsWith('Cluster')),
      ['shop (of the context)', 'team-a (favourite)', '- namespaces', 'a'],
    );
    person.flow.back();
    await person.choose('team-a');
    await person.cluster.serve([pods]);
    await person.choose('Pod');
    assert.equal(person.cluster.lastList.collection.namespace, 'team-a');
  });

  it('shows recent objects first, of contexts that there still are', async () => {
    const person = await Person.sits({ recent: [{ ...web, context: 'gone' }, { ...web, name: 'api' }, web] });
    assert.deepEqual(person.words, [
      '- recent',
      'web (deployments.apps · shop · prod)',
      'api (deployments.apps · shop · prod)',
      '- contexts',
      'dev (https://dev.example.com)',
      'prod (current · https://prod.example.com)',
    ]);
    assert.deepEqual(await person.choose('web'), web);
  });

  it('filters by all words, and offers a single word last', async () => {
    const person = await Person.sits({ recent: [web] });
    person.type('prod');
    assert.deepEqual(person.words, [
      '- recent',
      'web (deployments.apps · shop · prod)',
      '- contexts',
      'prod (current · https://prod.example.com)',
      'Browse prod (shop · prod)',
    ]);
  });

  it('offers what is typed as for kubectl first, and says where it leads', async () => {
    const person = await Person.sits();
    for (const [typed, first] of [
      ['deploy/web', 'Open deploy/web (shop · prod)'],
      ['deploy web -n other', 'Open deploy/web (other · prod)'],
      ['deploy/web --context dev', 'Open deploy/web (shop · dev)'],
      ['svc -A', 'Browse svc (all namespaces · prod)'],
      ['deploy web -o yaml', '[note] The flag -o is not known here. Use -n, -A or --context.'],
      ['deploy/web --context nowhere', '[note] There is no context “nowhere”.'],
    ] as const) {
      person.type(typed);
      assert.equal(person.words[0], first);
    }
    assert.equal(person.clusters.connections.size, 0);
  });

  it('says why a context cannot be used', async () => {
    const person = await Person.sits({ contexts: [fakeContext('bad', { problem: 'its user is missing' })] });
    assert.deepEqual(person.words, ['- contexts', '[note] bad (its user is missing)']);
  });

  it('says that there is no context', async () => {
    const person = await Person.sits({ contexts: [] });
    assert.deepEqual(person.words, ['[note] There is no context in the kubeconfig']);
  });
});

describe('Open Object: typed as for kubectl', () => {
  const types = [
    services,
    customServices,
    fakeType('apps/v1', 'Deployment', 'deployments', { shortNames: ['deploy'] }),
    fakeType('v1', 'Node', 'nodes', { isNamespaced: false, shortNames: ['no'] }),
    fakeType('a.example.com/v1', 'Widget', 'widgets'),
    fakeType('b.example.com/v1', 'Widget', 'widgets'),
    fakeType('v1', 'Binding', 'bindings', { verbs: ['create'] }),
  ];

  async function typed(
    text: string,
    label: string,
  ): Promise<{ person: Person; ref: ResourceRef | undefined }> {
    const person = await Person.sits();
    person.type(text);
    await person.choose(label);
    assert.equal(person.isBusy, true);
    await person.cluster.serve(types);
    return { person, ref: await person.goOn() };
  }

  it('opens an object by short name in the namespace of the context, with one question to the server', async () => {
    const { person, ref } = await typed('deploy/web', 'Open deploy/web');
    assert.deepEqual(ref, web);
    assert.equal(person.cluster.requests.length, 0);
  });

  it('leaves the namespace out for what has none', async () => {
    const { ref } = await typed('no/worker-1 -n shop', 'Open no/worker-1');
    assert.deepEqual(ref, { context: 'prod', gvr: nodes.gvr, name: 'worker-1' });
  });

  it('lists the objects where no name was typed', async () => {
    const { person, ref } = await typed('deploy -n other', 'Browse deploy');
    assert.equal(ref, undefined);
    assert.equal(person.cluster.lastList.collection.namespace, 'other');
    person.flow.back();
    assert.equal(person.flow.canGoBack, false, 'going back passes over the step that answered itself');
  });

  it('lists all namespaces for -A, each object with its own', async () => {
    const { person } = await typed('deploy -A', 'Browse deploy');
    assert.equal(person.cluster.lastList.collection.namespace, undefined);
    await person.cluster.lastList.page([fakeObject('web', '1')]);
    assert.deepEqual(person.words, ['web (shop)']);
    assert.deepEqual(await person.choose('web'), web);
  });

  it('E4: asks which one where kinds of two groups are meant', async () => {
    const { person } = await typed('widget/x', 'Open widget/x');
    assert.deepEqual(person.words, ['Widget (widgets.a.example.com)', 'Widget (widgets.b.example.com)']);
    const ref = person.rows[1];
    assert.ok(ref?.kind === 'choice');
    assert.equal(person.flow.choose(ref.value)?.gvr.group, 'b.example.com');
  });

  it('says that the server has no such type, and looks again when asked', async () => {
    const { person, ref } = await typed('gadget/x', 'Open gadget/x');
    assert.equal(ref, undefined);
    assert.deepEqual(person.words, [
      '[note] The server has no resource type “gadget”.',
      '[action] Try again',
    ]);
    await person.choose('Try again');
    assert.equal(person.cluster.discoveries.at(-1)?.refresh, true);
    await person.cluster.serve([...types, fakeType('c.example.com/v1', 'Gadget', 'gadgets')]);
    assert.equal((await person.goOn())?.name, 'x');
  });

  it('says that a type cannot be read', async () => {
    const { person } = await typed('binding/x', 'Open binding/x');
    assert.equal(person.words[0], '[note] “binding” cannot be read.');
  });

  it('asks for the context where there is no current one', async () => {
    const person = await Person.sits({ contexts: [fakeContext('dev'), fakeContext('prod')] });
    person.type('deploy/web');
    await person.choose('Open deploy/web');
    await person.choose('prod');
    await person.cluster.serve(types);
    assert.deepEqual(await person.goOn(), web);
  });
});
