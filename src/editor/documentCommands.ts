import * as vscode from 'vscode';
import { assertNever } from '../core/assertNever.ts';
import { toVisible } from '../core/resource/editableObject.ts';
import { gvkOf } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import type { SaveResult } from '../core/session/saveResult.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { renderSpelled } from '../core/text/secretText.ts';
import { type CommandRegistry, type CommandTarget, type SaveReport, toUri } from './commandMap.ts';
import type { DocumentStore } from './documentStore.ts';
import type { DocumentTargets } from './documentTargets.ts';
import type { Notice } from './notice.ts';
import { describeSaveResult } from './notices.ts';
import type { Notifier } from './notifier.ts';
import { nameObject, namePlace } from './objectWords.ts';
import type { OpenDocument } from './openDocument.ts';
import type { WriteConsents } from './writeConsents.ts';

export interface DocumentCommandDependencies {
  readonly commands: CommandRegistry;
  readonly documents: DocumentStore;
  readonly targets: DocumentTargets;
  readonly consents: WriteConsents;
  readonly notifier: Notifier;
  readonly now: () => number;
  readonly open: (ref: ResourceRef) => Promise<vscode.Uri>;
}

/** Registers the commands that save and reload, and that open another version. */
export function registerDocumentCommands(dependencies: DocumentCommandDependencies): vscode.Disposable {
  const { commands } = dependencies;
  const resolve = async (target: CommandTarget | undefined): Promise<OpenDocument | undefined> => {
    const document = await dependencies.targets.resolve(target);
    return document && dependencies.documents.find(document.uri);
  };
  return vscode.Disposable.from(
    commands.register('kubemerge.save', async (target, mayAsk) => {
      const document = await resolve(target);
      if (document === undefined) return undefined;
      const run = (): Promise<SaveReport> => save(document, dependencies);
      return toUri(target) === undefined || mayAsk === true
        ? await run()
        : await dependencies.consents.tellingKeepers(document.ref, run);
    }),
    commands.register('kubemerge.reload', async (target) => {
      const document = await resolve(target);
      if (document !== undefined) await reload(document, dependencies);
    }),
    commands.register('kubemerge.openAsVersion', async (target, version) => {
      const document = await resolve(target);
      if (document !== undefined) await openAsVersion(document, version, dependencies);
    }),
  );
}

async function save(document: OpenDocument, { now }: DocumentCommandDependencies): Promise<SaveReport> {
  const joined = await saveOnce(document);
  // VS Code lets a save join one of the same text that is under way: an auto-save, which writes nothing.
  const result = joined.kind === 'autoSave' ? await saveOnce(document) : joined;
  return { kind: result.kind, message: noticeOf(result, document, now()).message };
}

async function saveOnce(document: OpenDocument): Promise<SaveResult> {
  const before = document.lastResult;
  const shown = await vscode.workspace.openTextDocument(document.uri);
  const isSaved = await shown.save();
  const after = document.lastResult;
  return after === undefined || after === before ? resultUnwritten(document, isSaved) : after;
}

/** VS Code writes nothing for a document that it takes for clean, nor for one that it takes for read-only. */
function resultUnwritten({ view }: OpenDocument, isSaved: boolean): SaveResult {
  if (isSaved) return { kind: 'unchanged', tookLive: false };
  return view.readOnlyReason === undefined
    ? { kind: 'cancelled' }
    : { kind: 'readOnly', message: view.readOnlyReason };
}

/** Takes live's text as one undoable edit; saving it then sends nothing and leaves the document clean. */
async function reload(document: OpenDocument, { notifier }: DocumentCommandDependencies): Promise<void> {
  await document.runner.refresh();
  const { live } = document.runner.state;
  switch (live.kind) {
    case 'deleted':
      notifier.show({
        severity: 'warning',
        message: `${nameObject(document.ref, document.liveObject)} no longer exists in ${namePlace(document.ref)}. Your text is kept.`,
        actions: [],
      });
      return;
    case 'recreated':
    case 'present':
      if (await takeObject(document, live.snapshot)) return;
      notifier.show(
        plain(
          'warning',
          `${nameObject(document.ref, live.snapshot.object)} was not reloaded: its text was changed at the same moment. Your text is kept.`,
        ),
      );
      return;
    default:
      assertNever(live);
  }
}

/**
 * Goes on with this object, and leaves the document clean, unless it is typed in meanwhile.
 *
 * @returns false where the editor did not take the object's text
 */
export async function takeObject(document: OpenDocument, snapshot: Snapshot): Promise<boolean> {
  if (snapshot.uid !== document.view.uid) document.runner.dispatch({ kind: 'adopted', snapshot });
  const isReadable = readDocument(document.text).kind === 'ok';
  const text = isReadable
    ? document.textFor(document.text, snapshot)
    : renderSpelled(toVisible(snapshot.object, document.runner.state.traits), document.spelling);
  if (!(await document.replaceText(text, snapshot))) return false;
  const shown = await vscode.workspace.openTextDocument(document.uri);
  if (shown.isDirty) await document.savingOnly(text, async () => await shown.save());
  return true;
}

async function openAsVersion(
  document: OpenDocument,
  version: string | undefined,
  { notifier, open }: DocumentCommandDependencies,
): Promise<void> {
  const { gvr } = document.ref;
  const outcome = await document.cluster.discover(new AbortController().signal);
  const types = outcome.kind === 'ok' ? outcome.value.types : [];
  const served = types.filter((type) => type.gvr.group === gvr.group && type.gvr.resource === gvr.resource);
  const others = served.filter((type) => type.gvr.version !== gvr.version);
  if (others.length === 0) {
    notifier.show(plain('info', `${document.ref.context} serves ${gvr.resource} in ${gvr.version} only.`));
    return;
  }
  const typed = typedVersion(document.text);
  const picked =
    version ??
    others.find((type) => type.gvr.version === typed)?.gvr.version ??
    (await vscode.window.showQuickPick(
      others.map((type) => type.gvr.version),
      { title: `Open ${document.ref.name} as version` },
    ));
  const type = served.find((one) => one.gvr.version === picked);
  if (type !== undefined) await open({ ...document.ref, gvr: type.gvr });
}

/** The version that the text's apiVersion names. */
function typedVersion(text: string): string | undefined {
  const read = readDocument(text);
  return read.kind === 'ok' ? gvkOf(read.value)?.version : undefined;
}

function noticeOf(result: SaveResult, document: OpenDocument, nowMs: number, ref = document.ref): Notice {
  return describeSaveResult(result, {
    ref,
    uri: document.uri.toString(),
    nowMs,
    liveObject: document.liveObject,
    foreign: document.view.foreign,
  });
}

function plain(severity: Notice['severity'], message: string): Notice {
  return { severity, message, actions: [] };
}
