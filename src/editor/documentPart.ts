import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../core/lifecycle.ts';
import type { Clock } from '../sync/clock.ts';
import type { ClustersPort } from '../sync/clusterPort.ts';
import type { CommandRegistry } from './commandMap.ts';
import { AcknowledgedKeepers } from './acknowledgedKeepers.ts';
import { registerCreateCommands } from './createCommands.ts';
import { registerDocumentCommands } from './documentCommands.ts';
import { DocumentStore } from './documentStore.ts';
import { createDocumentUi, type DocumentUi } from './documentUi.ts';
import { Drafts } from './drafts.ts';
import type { ExtensionContext } from './extensionContext.ts';
import type { LiveViews } from './liveViews.ts';
import { decorateNewObjects } from './newObjectDecorations.ts';
import { registerNewObjectCommands } from './newObjectCommand.ts';
import { NewObjects } from './newObjects.ts';
import type { MemoryFileSystem } from './memoryFileSystem.ts';
import type { Notifier } from './notifier.ts';
import { registerObjectActions } from './objectActions.ts';
import type { OpenLive } from './openLive.ts';
import { OtherVersionHints } from './otherVersions.ts';
import { SaveHistory } from './saveHistory.ts';
import { SavedSessions } from './savedSessions.ts';
import type { Settings } from './settings.ts';
import { WriteConsents } from './writeConsents.ts';
import { TextReader } from './textReader.ts';

export interface DocumentPartDependencies {
  readonly clusters: ClustersPort;
  readonly clock: Clock;
  readonly commands: CommandRegistry;
  readonly settings: Settings;
  readonly notifier: Notifier;
  readonly storage: Pick<
    ExtensionContext,
    'storageUri' | 'globalStorageUri' | 'globalState' | 'asAbsolutePath'
  >;
  readonly open: OpenLive;
  /** Takes a bug's error to the log. */
  readonly reportError: (error: unknown) => void;
}

/** The files that views and merges of live documents are shown in; owned by the caller. */
export interface DocumentFiles {
  readonly views: MemoryFileSystem;
  readonly merges: MemoryFileSystem;
}

/** All there is of live documents; nothing of it is needed before one is opened. */
export interface DocumentPart extends Disposable {
  readonly store: DocumentStore;
  readonly newObjects: NewObjects;
  readonly views: LiveViews;
}

/** Builds the live documents, what is seen of them, and their commands. */
export function createDocumentPart(
  dependencies: DocumentPartDependencies,
  files: DocumentFiles,
): DocumentPart {
  const { clusters, clock, commands, settings, notifier, storage, open, reportError } = dependencies;
  const owned = new DisposableStore();
  const history = owned.add(new SaveHistory(storage.globalStorageUri));
  const consents = new WriteConsents({
    settings,
    notifier,
    clock,
    acknowledged: new AcknowledgedKeepers(storage.globalState),
    preview: (document, result, signal) => ui.previewSave(document, result, signal),
  });
  const textReader = owned.add(new TextReader(storage.asAbsolutePath(join('dist', 'textWorker.cjs'))));
  const savedSessions = new SavedSessions(storage.storageUri);
  const store = owned.add(
    new DocumentStore(clusters, {
      clock,
      textReader,
      settings,
      history,
      consents,
      savedSessions,
      draftFound: (document, kept) => {
        drafts.offer(document, kept);
      },
      review: (document, request) => ui.reviewMerge(document, request),
      fit: (notice) => notifier.fit(notice),
      notify: (notice) => {
        notifier.show(notice);
      },
      reportError,
    }),
  );
  const ui: DocumentUi = owned.add(
    createDocumentUi({
      documents: store,
      files,
      commands,
      notifier,
      clock,
      history,
      settings,
      usesMergeEditor: () => settings.usesMergeEditor,
      savesOnAccept: () => settings.savesOnAccept,
      reportError,
    }),
  );
  owned.add(new OtherVersionHints({ documents: store, notifier, reportError }));
  const { targets, views } = ui;
  const drafts: Drafts = owned.add(new Drafts({ commands, targets, notifier, savedSessions, clock }));
  const documentCommands = {
    commands,
    documents: store,
    notifier,
    open,
    targets,
    consents,
    now: () => clock.now(),
  };
  owned.add(registerDocumentCommands(documentCommands));
  owned.add(registerCreateCommands(documentCommands));
  owned.add(
    registerObjectActions({
      open,
      clusters,
      commands,
      documents: store,
      targets,
      notifier,
      consents,
      settings,
    }),
  );
  const newObjects = owned.add(
    new NewObjects({
      clusters,
      consents,
      notifier,
      open,
      reportError,
    }),
  );
  owned.add(decorateNewObjects(newObjects));
  owned.add(registerNewObjectCommands({ clusters, commands, targets, notifier, settings }));
  return {
    store,
    newObjects,
    views,
    dispose: () => {
      owned.dispose();
    },
  };
}
