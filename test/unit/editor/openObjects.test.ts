import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/core/lifecycle.ts';
import { type DocumentAddress, printDocumentPath } from '../../../src/core/resource/documentPath.ts';
import type { SessionView } from '../../../src/core/session/sessionView.ts';
import type { ShownDocuments } from '../../../src/editor/documentTabs.ts';
import type { LiveDocument, LiveDocuments } from '../../../src/editor/liveDocuments.ts';
import { documentMarks, ownerMark } from '../../../src/editor/objectMarks.ts';
import { OpenObjects } from '../../../src/editor/openObjects.ts';
import { fakeContext } from '../../support/fakeClusters.ts';
import { customServices, services } from './treeHarness.ts';

const { clusterId } = fakeContext('prod');

/** Each document has a tab. */
const allShown: ShownDocuments = {
  onDidChange: new Emitter<readonly vscode.Uri[]>().event,
  isShown: () => true,
};

function addressOf(name: string, gvr = services.gvr): DocumentAddress {
  return { clusterId, ref: { context: 'prod', namespace: 'shop', gvr, name } };
}

/** Documents as the views see them, of which only the address and the state are there. */
class FakeDocuments implements LiveDocuments {
  readonly #changes = new Emitter<vscode.Uri>();
  readonly #open = new Map<string, LiveDocument>();

  readonly onDidChangeState = this.#changes.event as vscode.Event<vscode.Uri>;

  get all(): readonly LiveDocument[] {
    return [...this.#open.values()];
  }

  find(uri: vscode.Uri): LiveDocument | undefined {
    return this.#open.get(uri.path);
  }

  show(address: DocumentAddress, view: Partial<SessionView> = {}): void {
    const uri = uriOf(address);
    this.#open.set(uri.path, { uri, view: { phase: 'fresh', isDirty: false, ...view } } as LiveDocument);
    this.#changes.fire(uri);
  }

  close(address: DocumentAddress): void {
    const uri = uriOf(address);
    this.#open.delete(uri.path);
    this.#changes.fire(uri);
  }
}

function uriOf(address: DocumentAddress): vscode.Uri {
  const path = printDocumentPath(address);
  return { path, toString: () => `k8s:${path}` } as unknown as vscode.Uri;
}

function wordsOf(objects: OpenObjects, address: DocumentAddress): string[] {
  return objects.marksOf(address).map(({ words }) => words);
}

describe('OpenObjects', () => {
  it('tells what is open and what is being edited here, and how it stands', () => {
    const documents = new FakeDocuments();
    const objects = new OpenObjects(documents, allShown);
    const x = addressOf('x');
    assert.deepEqual(wordsOf(objects, x), []);
    documents.show(x);
    assert.deepEqual(wordsOf(objects, x), ['open here']);
    documents.show(x, { isDirty: true, phase: 'stale' });
    assert.deepEqual(wordsOf(objects, x), ['stale', 'unsaved here']);
    documents.close(x);
    assert.deepEqual(wordsOf(objects, x), []);
  });

  it('tells of a change where the words are others, and of nothing else', () => {
    const documents = new FakeDocuments();
    const objects = new OpenObjects(documents, allShown);
    const told: DocumentAddress[] = [];
    objects.onDidChange((address) => told.push(address));
    const x = addressOf('x');
    documents.show(x);
    documents.show(x);
    documents.show(x, { isDirty: true });
    documents.show(x, { isDirty: true, isSaving: true });
    documents.close(x);
    documents.close(x);
    assert.deepEqual(told, [x, x, x]);
  });

  it('forgets an object with its last tab, though VS Code keeps the document for a while', () => {
    const documents = new FakeDocuments();
    const changes = new Emitter<readonly vscode.Uri[]>();
    let isShown = true;
    const objects = new OpenObjects(documents, { onDidChange: changes.event, isShown: () => isShown });
    const told: DocumentAddress[] = [];
    objects.onDidChange((address) => told.push(address));
    const x = addressOf('x');
    documents.show(x);
    isShown = false;
    changes.fire([uriOf(x)]);
    assert.deepEqual(wordsOf(objects, x), []);
    assert.deepEqual(told, [x, x]);
    documents.show(x, { isDirty: true });
    assert.deepEqual(wordsOf(objects, x), ['unsaved here']);
  });

  it('E4: keeps equal kinds of two groups apart', () => {
    const documents = new FakeDocuments();
    const objects = new OpenObjects(documents, allShown);
    documents.show(addressOf('x', customServices.gvr));
    assert.deepEqual(wordsOf(objects, addressOf('x')), []);
    assert.deepEqual(wordsOf(objects, addressOf('x', customServices.gvr)), ['open here']);
  });

  it('knows an object in another version; where two are open, the one that is edited counts', () => {
    const documents = new FakeDocuments();
    const objects = new OpenObjects(documents, allShown);
    const beta = addressOf('x', { ...services.gvr, version: 'v1beta1' });
    documents.show(beta, { isDirty: true });
    documents.show(addressOf('x'));
    assert.deepEqual(wordsOf(objects, addressOf('x')), ['unsaved here']);
    assert.deepEqual(wordsOf(objects, beta), ['unsaved here']);
  });
});

describe('the marks of an object', () => {
  it('say in words and in a sentence how its document stands', () => {
    for (const phase of ['stale', 'conflicted', 'deleted', 'recreated', 'terminating'] as const) {
      const [mark, open] = documentMarks({ phase, isDirty: false });
      assert.match(mark?.words ?? '', /^[a-z ]+$/);
      assert.match(mark?.sentence ?? '', /^[A-Z].*\.$/);
      assert.equal(open?.words, 'open here');
    }
  });

  it('tell a mirror pod from what another object manages', () => {
    assert.equal(ownerMark(''), undefined);
    assert.match(ownerMark('static pod')?.sentence ?? '', /mirror of a static pod/);
    assert.match(ownerMark('ReplicaSet web-5d4b')?.sentence ?? '', /^Managed by ReplicaSet web-5d4b/);
  });
});
