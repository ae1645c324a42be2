import type * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import { findOnlyIn } from '../core/merge/onlyIn.ts';
import { toEditable } from '../core/resource/editableObject.ts';
import { printApiVersion } from '../core/resource/gvk.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { DocumentStore } from './documentStore.ts';
import { listPaths } from './fieldWords.ts';
import { actionsFor } from './notices.ts';
import type { Notice } from './notice.ts';
import type { Notifier } from './notifier.ts';
import { nameObject } from './objectWords.ts';
import type { OpenDocument } from './openDocument.ts';

export interface OtherVersionDependencies {
  readonly documents: DocumentStore;
  readonly notifier: Pick<Notifier, 'show'>;
  readonly reportError: (error: unknown) => void;
}

/**
 * Says, once a window for each object, when it is open in a served version that is not the preferred one, and
 * what that version does not show: a save in it can drop that.
 */
export class OtherVersionHints implements Disposable {
  readonly #dependencies: OtherVersionDependencies;
  readonly #looked = new Set<string>();
  readonly #lifetime = new AbortController();
  readonly #subscription: vscode.Disposable;

  constructor(dependencies: OtherVersionDependencies) {
    this.#dependencies = dependencies;
    const { documents, reportError } = dependencies;
    this.#subscription = documents.onDidChangeState((uri) => {
      const document = documents.find(uri);
      if (document === undefined || this.#looked.has(uri.path)) return;
      this.#looked.add(uri.path);
      this.#look(document).catch(reportError);
    });
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#subscription.dispose();
  }

  async #look({ uri, ref, cluster, runner, liveObject }: OpenDocument): Promise<void> {
    const { signal } = this.#lifetime;
    const served = await cluster.discover(signal);
    if (served.kind !== 'ok') return;
    const preferred = served.value.types.find(
      ({ gvr, isPreferredVersion }) =>
        isPreferredVersion && gvr.group === ref.gvr.group && gvr.resource === ref.gvr.resource,
    );
    if (preferred === undefined || preferred.gvr.version === ref.gvr.version) return;
    const read = await cluster.get({ ...ref, gvr: preferred.gvr }, signal);
    if (read.kind !== 'ok' || signal.aborted || liveObject === undefined) return;
    const { traits } = runner.state;
    const lacking = findOnlyIn(toEditable(read.value, traits), toEditable(liveObject, traits));
    const name = nameObject(ref, liveObject);
    this.#dependencies.notifier.show(describeOtherVersion(name, ref.gvr, preferred, lacking, uri.toString()));
  }
}

function describeOtherVersion(
  name: string,
  opened: { readonly group: string; readonly version: string },
  preferred: ResourceType,
  lacking: Parameters<typeof listPaths>[0],
  uri: string,
): Notice {
  const [version, better] = [printApiVersion(opened), printApiVersion(preferred.gvr)];
  const isOpen = `${name} is open as ${version}; the server prefers ${better}.`;
  if (lacking.length === 0) {
    const message = `${isOpen} Both show the same fields of it now.`;
    return { severity: 'quiet', message, actions: [] };
  }
  return {
    severity: 'info',
    message:
      `${isOpen} ${version} shows ${listPaths(lacking)} in another form or not at all: ` +
      'a save in it can drop what it cannot hold.',
    actions: [
      {
        ...actionsFor(uri).openAsVersion,
        title: `Open as ${better}`,
        arguments: [uri, preferred.gvr.version],
      },
    ],
  };
}
