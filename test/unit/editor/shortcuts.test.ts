import assert from 'node:assert/strict';
import type { DocumentAddress } from '../../../src/core/resource/documentPath.ts';
import type { GroupVersionResource } from '../../../src/core/resource/gvk.ts';
import { type Favourite, Favourites } from '../../../src/editor/favourites.ts';
import { maxRecent, RecentObjects } from '../../../src/editor/recentObjects.ts';
import {
  describeLost,
  favouriteRows,
  nameOfShortcut,
  placeOfShortcut,
  recentRows,
  refOfShortcut,
} from '../../../src/editor/shortcuts.ts';
import { FakeStore, fakeContext } from '../../support/fakeClusters.ts';
import { customServices, services } from './treeHarness.ts';

const prod = fakeContext('prod');
const secrets = { group: '', version: 'v1', resource: 'secrets' };

function addressOf(name: string, gvr: GroupVersionResource = secrets, context = 'prod'): DocumentAddress {
  return { clusterId: prod.clusterId, ref: { context, namespace: 'shop', gvr, name } };
}

function object(name: string, gvr?: GroupVersionResource, context?: string): Favourite {
  return { kind: 'object', address: addressOf(name, gvr, context) };
}

function namespace(name: string): Favourite {
  return { kind: 'namespace', address: { clusterId: prod.clusterId, context: 'prod', namespace: name } };
}

/** The store as it is after a restart: what went through JSON. */
function restarted(store: FakeStore): FakeStore {
  const again = new FakeStore();
  for (const [key, value] of store.values) again.values.set(key, JSON.parse(JSON.stringify(value)));
  return again;
}

describe('RecentObjects', () => {
  it('keeps the newest first, each once, and not too many', async () => {
    const store = new FakeStore();
    const recent = new RecentObjects(store);
    for (let index = 0; index < maxRecent + 5; index++) await recent.add(addressOf(`o${index}`));
    await recent.add(addressOf('o10'));
    const names = new RecentObjects(restarted(store)).all.map(({ ref }) => ref.name);
    assert.equal(names.length, maxRecent);
    assert.deepEqual(names.slice(0, 3), ['o10', 'o24', 'o23']);
    assert.equal(new Set(names).size, maxRecent);
  });

  it('forgets one, or all, and tells of it', async () => {
    const recent = new RecentObjects(new FakeStore());
    let changes = 0;
    recent.onDidChange(() => changes++);
    for (const name of ['a', 'b', 'c']) await recent.add(addressOf(name));
    await recent.remove(addressOf('b'));
    assert.deepEqual(
      recent.all.map(({ ref }) => ref.name),
      ['c', 'a'],
    );
    await recent.clear();
    assert.deepEqual(recent.all, []);
    assert.equal(changes, 5);
  });

  it('leaves out what it cannot read', () => {
    const store = new FakeStore();
    for (const stored of [undefined, 'x', { a: 1 }]) {
      store.values.set('kubemerge.recentObjects', stored);
      assert.deepEqual(new RecentObjects(store).all, []);
    }
    const { ref } = addressOf('a');
    store.values.set('kubemerge.recentObjects', [
      null,
      ref,
      { clusterId: 'x', ref: { context: 'prod' } },
      { clusterId: 'x', ref: { ...ref, gvr: {} } },
      { ref },
      addressOf('b'),
    ]);
    assert.deepEqual(new RecentObjects(store).all, [addressOf('b')]);
  });
});

describe('Favourites', () => {
  it('survive a restart, in the order in which they were chosen, each once', async () => {
    const store = new FakeStore();
    const favourites = new Favourites(store);
    const chosen = [object('b'), namespace('shop'), object('a')];
    for (const favourite of [...chosen, object('b'), namespace('shop')]) await favourites.add(favourite);
    const again = new Favourites(restarted(store));
    assert.deepEqual(again.all, chosen);
    assert.deepEqual(again.namespacesOf(prod.clusterId), ['shop']);
    assert.deepEqual(again.namespacesOf(fakeContext('dev').clusterId), []);
    assert.ok(again.has(object('a')));
    await again.remove(object('b'));
    assert.deepEqual(again.all, [namespace('shop'), object('a')]);
    assert.ok(!again.has(object('b')));
  });

  it('tell what was added and removed, and nothing where nothing was', async () => {
    const favourites = new Favourites(new FakeStore());
    const told: Favourite[] = [];
    favourites.onDidChange((favourite) => told.push(favourite));
    await favourites.add(object('a'));
    await favourites.add(object('a'));
    await favourites.remove(object('b'));
    await favourites.remove(object('a'));
    assert.deepEqual(told, [object('a'), object('a')]);
  });

  it('know an object in whichever version and by whichever context of its cluster', async () => {
    const favourites = new Favourites(new FakeStore());
    await favourites.add(object('a', { ...secrets, version: 'v1' }));
    assert.ok(favourites.has(object('a', { ...secrets, version: 'v2' }, 'prod-viewer')));
    const elsewhere = { ...addressOf('a'), clusterId: fakeContext('dev').clusterId };
    assert.ok(!favourites.has({ kind: 'object', address: elsewhere }));
  });

  it('E4: keep equal kinds of two groups apart', async () => {
    const favourites = new Favourites(new FakeStore());
    await favourites.add(object('x', services.gvr));
    assert.ok(!favourites.has(object('x', customServices.gvr)));
    await favourites.add(object('x', customServices.gvr));
    const rows = favouriteRows(favourites, [prod]);
    assert.deepEqual(rows.map(placeOfShortcut), [
      'services · shop · prod',
      'services.serving.example.com · shop · prod',
    ]);
    assert.equal(new Set(rows.map(({ id }) => id)).size, 2);
    await favourites.remove(object('x', services.gvr));
    assert.deepEqual(favourites.all, [object('x', customServices.gvr)]);
  });

  it('leave out what they cannot read', () => {
    const store = new FakeStore();
    store.values.set('kubemerge.favourites', [
      null,
      'x',
      { kind: 'object' },
      { kind: 'other', address: addressOf('a') },
      { kind: 'namespace', address: { clusterId: 'x', context: 'prod' } },
      namespace('shop'),
    ]);
    assert.deepEqual(new Favourites(store).all, [namespace('shop')]);
    store.values.set('kubemerge.favourites', { length: 1 });
    assert.deepEqual(new Favourites(store).all, []);
  });
});

describe('shortcuts', () => {
  async function rowOf(favourite: Favourite, contexts = [prod]) {
    const favourites = new Favourites(new FakeStore());
    await favourites.add(favourite);
    const [row] = favouriteRows(favourites, contexts);
    assert.ok(row);
    return row;
  }

  it('follow a cluster to the name that its context has now', async () => {
    const renamed = fakeContext('production', { clusterId: prod.clusterId });
    const row = await rowOf(object('web'), [fakeContext('dev'), renamed]);
    assert.equal(refOfShortcut(row)?.context, 'production');
    assert.equal(placeOfShortcut(row), 'secrets · shop · production');
  });

  it('prefer the context by which they were chosen to others on the cluster', async () => {
    const other = fakeContext('other', { clusterId: prod.clusterId });
    assert.equal((await rowOf(object('web'), [other, prod])).entry, prod);
  });

  it('H6: lead nowhere, and say why, where the context stands for another cluster now', async () => {
    const moved = [fakeContext('prod', { clusterId: fakeContext('dev').clusterId })];
    const row = await rowOf(object('web'), moved);
    assert.equal(refOfShortcut(row), undefined);
    assert.match(describeLost(row, moved), /^Context prod stands for another cluster now/);
    assert.match(describeLost(await rowOf(namespace('shop'), []), []), /no context for its cluster any more/);
  });

  it('name a namespace by itself and its context', async () => {
    const row = await rowOf(namespace('shop'));
    assert.deepEqual([nameOfShortcut(row), placeOfShortcut(row)], ['shop', 'prod']);
    assert.equal(refOfShortcut(row), undefined);
  });

  it('of what was opened last say which are favourites', async () => {
    const store = new FakeStore();
    const recent = new RecentObjects(store);
    const favourites = new Favourites(store);
    for (const name of ['a', 'b']) await recent.add(addressOf(name));
    await favourites.add(object('a'));
    assert.deepEqual(
      recentRows(recent, favourites, [prod]).map((row) => [nameOfShortcut(row), row.isFavourite]),
      [
        ['b', false],
        ['a', true],
      ],
    );
  });
});
