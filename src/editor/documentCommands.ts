import * as vscode from 'vscode';
import { assertNever } from '../core/assertNever.ts';
import type { WriteOutcome } from '../core/errors.ts';
import { isJsonArray, type JsonObject, memberAt, withMember } from '../core/json.ts';
import { toCreatable, toVisible } from '../core/resource/editableObject.ts';
import { gvkOf, metadataString } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Snapshot } from '../core/resource/snapshot.ts';
import type { SaveResult } from '../core/session/saveResult.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { renderSpelled } from '../core/text/secretText.ts';
import type { ClusterPort, WriteConsent } from '../sync/clusterPort.ts';
import { type CommandRegistry, type CommandTarget, type SaveReport, toUri } from './commandMap.ts';
import type { DocumentStore } from './documentStore.ts';
import type { DocumentTargets } from './documentTargets.ts';
import type { Notice } from './notices.ts';
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

/** Registers the commands that write, reload and create. */
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
    commands.register('kubemerge.recreate', async (target) => {
      const document = await resolve(target);
      if (document !== undefined) await recreate(document, target === undefined, dependencies);
    }),
    commands.register('kubemerge.createCopy', async (target) => {
      const document = await resolve(target);
      if (document !== undefined) await createCopy(document, dependencies);
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
      await takeObject(document, live.snapshot);
      return;
    default:
      assertNever(live);
  }
}

async function takeObject(document: OpenDocument, snapshot: Snapshot): Promise<void> {
  if (snapshot.uid !== document.view.uid) document.runner.dispatch({ kind: 'adopted', snapshot });
  const isReadable = readDocument(document.text).kind === 'ok';
  const text = isReadable
    ? document.textFor(document.text, snapshot)
    : renderSpelled(toVisible(snapshot.object, document.runner.state.traits), document.spelling);
  await document.replaceText(text, snapshot);
  const shown = await vscode.workspace.openTextDocument(document.uri);
  if (shown.isDirty) await shown.save();
}

async function recreate(
  document: OpenDocument,
  isInteractive: boolean,
  { notifier, consents, now }: DocumentCommandDependencies,
): Promise<void> {
  const name = nameObject(document.ref, document.liveObject);
  if (document.view.phase !== 'deleted') {
    notifier.show(
      plain('info', `${name} exists in ${namePlace(document.ref)}: there is nothing to recreate.`),
    );
    return;
  }
  const read = readDocument(document.text);
  if (read.kind === 'invalid') {
    notifier.show(noticeOf({ kind: 'invalidText', problems: read.problems }, document, now()));
    return;
  }
  const object = await chooseInherited(toCreatable(read.value), isInteractive);
  if (object === undefined) return;
  const consent = await consents.ask({ action: 'create', ref: document.ref, object });
  if (consent === undefined) return;
  const outcome = await create(document.cluster, document.ref, object, consent);
  if (outcome.kind !== 'committed' || outcome.snapshot === undefined) {
    notifier.show(noticeOf(toSaveResult(outcome), document, now()));
    return;
  }
  await takeObject(document, outcome.snapshot);
  notifier.show(plain('info', `Recreated ${name} in ${namePlace(document.ref)}.`));
}

/** Fields that the old object was given, and that a new one may not be able to have. */
const inherited: readonly (readonly [string, ...string[]])[] = [
  ['metadata', 'ownerReferences'],
  ['spec', 'clusterIP'],
  ['spec', 'clusterIPs'],
  ['spec', 'volumeName'],
];

/** Leaves inherited fields out, or asks where a person can answer. @returns undefined when cancelled */
async function chooseInherited(object: JsonObject, isInteractive: boolean): Promise<JsonObject | undefined> {
  const found = inherited.filter((path) => isGiven(memberAt(object, ...path)));
  if (found.length === 0) return object;
  const leaveOut = (paths: readonly (readonly string[])[]): JsonObject => paths.reduce(removeAt, object);
  if (!isInteractive) return leaveOut(found);
  const items = found.map((path) => ({ label: path.join('.'), path }));
  const kept = await vscode.window.showQuickPick(items, {
    title: 'Recreate: which fields of the old object shall the new one keep?',
    placeHolder: 'None is usual: an owner that is gone deletes the new object, and addresses are given anew',
    canPickMany: true,
  });
  return kept && leaveOut(found.filter((path) => !kept.some((item) => item.path === path)));
}

function isGiven(value: ReturnType<typeof memberAt>): boolean {
  return (
    value !== undefined && value !== null && value !== 'None' && !(isJsonArray(value) && value[0] === 'None')
  );
}

function removeAt(object: JsonObject, path: readonly string[]): JsonObject {
  const [first, second] = path;
  const parent = first === undefined ? undefined : object[first];
  if (first === undefined || second === undefined || typeof parent !== 'object' || parent === null)
    return object;
  return withMember(object, first, withMember(parent as JsonObject, second, undefined));
}

async function createCopy(
  document: OpenDocument,
  { notifier, consents, open, now }: DocumentCommandDependencies,
): Promise<void> {
  const read = readDocument(document.text);
  if (read.kind === 'invalid') {
    notifier.show(noticeOf({ kind: 'invalidText', problems: read.problems }, document, now()));
    return;
  }
  const type = await findType(document, read.value);
  if (type === undefined) {
    notifier.show(plain('error', `${document.ref.context} serves no such kind. Check apiVersion and kind.`));
    return;
  }
  const namespace = type.isNamespaced
    ? (metadataString(read.value, 'namespace') ??
      document.ref.namespace ??
      document.cluster.context.namespace)
    : undefined;
  const isElsewhere =
    namespace !== document.ref.namespace ||
    type.gvr.resource !== document.ref.gvr.resource ||
    type.gvr.group !== document.ref.gvr.group;
  const typedName = metadataString(read.value, 'name') ?? document.ref.name;
  const name = await vscode.window.showInputBox({
    title: `Create a copy in ${document.ref.context}${namespace === undefined ? '' : ` / ${namespace}`}`,
    prompt: `Name of the new ${type.gvk.kind}`,
    value: typedName === document.ref.name && !isElsewhere ? `${typedName}-copy` : typedName,
    validateInput: (value) => (value.trim() === '' ? 'A name is needed.' : undefined),
  });
  if (name === undefined) return;
  const creatable = toCreatable(read.value);
  const metadata = memberAt(creatable, 'metadata') as JsonObject;
  const named = withMember(withMember(metadata, 'name', name.trim()), 'namespace', namespace);
  const object = inherited.reduce(removeAt, withMember(creatable, 'metadata', named));
  const ref: ResourceRef = {
    context: document.ref.context,
    ...(namespace === undefined ? {} : { namespace }),
    gvr: type.gvr,
    name: name.trim(),
  };
  const consent = await consents.ask({ action: 'create', ref, object });
  if (consent === undefined) return;
  const outcome = await create(document.cluster, ref, object, consent);
  if (outcome.kind === 'committed') await open(ref);
  else notifier.show(noticeOf(toSaveResult(outcome), document, now(), ref));
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

async function findType(document: OpenDocument, object: JsonObject): Promise<ResourceType | undefined> {
  const gvk = gvkOf(object);
  const outcome = await document.cluster.discover(new AbortController().signal);
  if (outcome.kind !== 'ok' || gvk === undefined) return undefined;
  return outcome.value.types.find(
    (type) => type.gvk.kind === gvk.kind && type.gvk.group === gvk.group && type.gvk.version === gvk.version,
  );
}

async function create(
  cluster: ClusterPort,
  ref: ResourceRef,
  object: JsonObject,
  consent: WriteConsent,
): Promise<WriteOutcome> {
  return await cluster.write({ kind: 'create', ref, object }, new AbortController().signal, consent);
}

/** The words of a save serve for a create too. */
function toSaveResult(outcome: WriteOutcome): SaveResult {
  switch (outcome.kind) {
    case 'committed':
      return { kind: 'unknown', message: 'The server answered without the version of the new object.' };
    case 'preconditionFailed':
      return { kind: 'alreadyExists', message: outcome.message };
    case 'notFound':
      return { kind: 'rejected', code: 404, message: outcome.message, causes: [] };
    default:
      return outcome;
  }
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
