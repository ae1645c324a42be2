import * as vscode from 'vscode';
import { isJsonArray, type JsonObject, memberAt } from '../core/json.ts';
import { inheritedFields, toCopy, withoutField } from '../core/resource/copiedObject.ts';
import { toCreatable } from '../core/resource/editableObject.ts';
import { gvkOf, metadataString } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import { identityCodes, readMine } from '../core/session/readMine.ts';
import { readDocument } from '../core/text/readYaml.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import { createObject } from '../sync/createObject.ts';
import type { CommandTarget } from './commandMap.ts';
import { describeCreateOutcome } from './createWords.ts';
import { type DocumentCommandDependencies, takeObject } from './documentCommands.ts';
import type { Notice } from './notice.ts';
import { nameObject, namePlace } from './objectWords.ts';
import type { OpenDocument } from './openDocument.ts';
import { takeCreatedUnder } from './takeCreated.ts';

/** Registers the commands that create an object from the text of a live document. */
export function registerCreateCommands(dependencies: DocumentCommandDependencies): vscode.Disposable {
  const { commands, notifier } = dependencies;
  const resolve = async (target: CommandTarget | undefined): Promise<OpenDocument | undefined> => {
    const shown = await dependencies.targets.resolve(target);
    const document = shown && dependencies.documents.find(shown.uri);
    if (document?.ref.subresource === undefined) return document;
    const message = `This document holds the ${document.ref.subresource} alone: no object can be made of it. Open the object for that.`;
    notifier.show(plain('info', message));
    return undefined;
  };
  return vscode.Disposable.from(
    commands.register('kubemerge.recreate', async (target) => {
      const document = await resolve(target);
      if (document !== undefined) await recreate(document, target === undefined, dependencies);
    }),
    commands.register('kubemerge.createCopy', async (target) => {
      const document = await resolve(target);
      if (document !== undefined) await createCopy(document, dependencies);
    }),
  );
}

async function recreate(
  document: OpenDocument,
  isInteractive: boolean,
  { notifier, consents }: DocumentCommandDependencies,
): Promise<void> {
  const { ref, cluster } = document;
  const name = nameObject(ref, document.liveObject);
  if (document.view.phase !== 'deleted') {
    notifier.show(plain('info', `${name} exists in ${namePlace(ref)}: there is nothing to recreate.`));
    return;
  }
  const { text } = document;
  const value = readText(document, notifier);
  if (value === undefined) return;
  const other = findOtherObject(document);
  if (other !== undefined) {
    notifier.show(plain('error', `Not recreated: ${other}`));
    return;
  }
  const object = await chooseInherited(toCreatable(value), isInteractive);
  if (object === undefined) return;
  const consent = await consents.ask({ action: 'create', ref, object });
  if (consent === undefined) return;
  const outcome = await createObject(cluster, ref, object, consent, new AbortController().signal);
  if (outcome.kind !== 'created') {
    notifier.show(describeCreateOutcome(outcome, ref, object));
    return;
  }
  const { snapshot } = outcome;
  if (snapshot !== undefined) {
    const isTaken = document.text === text && (await takeObject(document, snapshot));
    if (!isTaken) await takeCreatedUnder(document, value, snapshot);
  }
  notifier.show(plain('info', `Recreated ${name} in ${namePlace(ref)}.`));
}

/** What makes the text that of another object than the one that was deleted, in words. */
function findOtherObject({ text, mineContext }: OpenDocument): string | undefined {
  const reading = readMine(text, mineContext);
  const codes: readonly string[] = [...identityCodes, 'versionChanged'];
  return reading.kind === 'read'
    ? undefined
    : reading.problems.find(({ code }) => codes.includes(code))?.message;
}

/** Leaves inherited fields out, or asks where a person can answer. @returns undefined when cancelled */
async function chooseInherited(object: JsonObject, isInteractive: boolean): Promise<JsonObject | undefined> {
  const found = inheritedFields.filter((path) => isGiven(memberAt(object, ...path)));
  if (found.length === 0) return object;
  const leaveOut = (paths: readonly (readonly string[])[]): JsonObject => paths.reduce(withoutField, object);
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

async function createCopy(
  document: OpenDocument,
  { notifier, consents, open }: DocumentCommandDependencies,
): Promise<void> {
  const value = readText(document, notifier);
  if (value === undefined) return;
  const { context } = document.ref;
  const type = await findServedType(document.cluster, value);
  if (type === undefined) {
    notifier.show(plain('error', `${context} serves no such kind. Check apiVersion and kind.`));
    return;
  }
  const namespace = type.isNamespaced
    ? (metadataString(value, 'namespace') ?? document.ref.namespace ?? document.cluster.context.namespace)
    : undefined;
  const isElsewhere =
    namespace !== document.ref.namespace ||
    type.gvr.resource !== document.ref.gvr.resource ||
    type.gvr.group !== document.ref.gvr.group;
  const typedName = metadataString(value, 'name') ?? document.ref.name;
  const typed = await vscode.window.showInputBox({
    title: `Create a copy in ${context}${namespace === undefined ? '' : ` / ${namespace}`}`,
    prompt: `Name of the new ${type.gvk.kind}`,
    value: typedName === document.ref.name && !isElsewhere ? `${typedName}-copy` : typedName,
    validateInput: (name) => (name.trim() === '' ? 'A name is needed.' : undefined),
  });
  if (typed === undefined) return;
  const name = typed.trim();
  const object = toCopy(value, name, namespace);
  const ref: ResourceRef = {
    context,
    ...(namespace === undefined ? {} : { namespace }),
    gvr: type.gvr,
    name,
  };
  const consent = await consents.ask({ action: 'create', ref, object });
  if (consent === undefined) return;
  const outcome = await createObject(document.cluster, ref, object, consent, new AbortController().signal);
  if (outcome.kind === 'created') await open(ref);
  notifier.show(describeCreateOutcome(outcome, ref, object));
}

function readText(
  document: OpenDocument,
  notifier: DocumentCommandDependencies['notifier'],
): JsonObject | undefined {
  const read = readDocument(document.text);
  if (read.kind === 'ok') return read.value;
  const [first] = read.problems;
  notifier.show(plain('error', `Not created: the text has errors. ${first?.message ?? ''}`));
  return undefined;
}

/** The type that an object's apiVersion and kind name. */
export async function findServedType(
  cluster: ClusterPort,
  object: JsonObject,
): Promise<ResourceType | undefined> {
  const gvk = gvkOf(object);
  const outcome = await cluster.discover(new AbortController().signal);
  if (outcome.kind !== 'ok' || gvk === undefined) return undefined;
  return outcome.value.types.find(
    (type) => type.gvk.kind === gvk.kind && type.gvk.group === gvk.group && type.gvk.version === gvk.version,
  );
}

function plain(severity: Notice['severity'], message: string): Notice {
  return { severity, message, actions: [] };
}
