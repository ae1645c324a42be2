import * as vscode from 'vscode';
import { isJsonObject } from '../core/json.ts';
import { isSecretResource } from '../core/merge/secretFields.ts';
import { isSecret } from '../core/resource/editableObject.ts';
import { readSecretValue } from '../core/resource/secretValue.ts';
import { locateField, rootOf, toTree } from '../core/text/locate.ts';
import type { SecretSpelling } from '../core/text/secretText.ts';
import type { CommandRegistry } from './commandMap.ts';
import type { DocumentTargets } from './documentTargets.ts';
import { documentScheme, liveUriOf } from './documentUris.ts';
import type { LiveDocuments } from './liveDocuments.ts';
import type { Notifier } from './notifier.ts';
import { nameObject } from './objectWords.ts';
import type { SecretReveals } from './secretReveals.ts';
import { allTabs, urisOf } from './tabs.ts';

export interface SecretValueDependencies {
  readonly commands: CommandRegistry;
  readonly targets: DocumentTargets;
  readonly documents: LiveDocuments;
  readonly reveals: SecretReveals;
  readonly notifier: Notifier;
  /** Takes a bug's error to the log. */
  readonly reportError: (error: unknown) => void;
}

/** Registers the commands that show a Secret's values as text in its own editor, and what marks binary ones there. */
export function registerSecretValues(dependencies: SecretValueDependencies): vscode.Disposable {
  const { commands, targets, notifier } = dependencies;
  const spell = async (target: unknown, spelling: SecretSpelling): Promise<void> => {
    const document = await targets.resolve(target);
    if (document === undefined) return;
    const { ref } = document;
    if (!isSecretResource(ref.gvr)) {
      const message = `${nameObject(ref, document.liveObject)} is no Secret: its values are shown as they are.`;
      notifier.show({ severity: 'info', message, actions: [] });
      return;
    }
    if (await document.setSpelling(spelling)) return;
    const message = `The text of ${nameObject(ref, document.liveObject)} has errors, or was changed at the same moment. Try again once it is whole: nothing was changed.`;
    notifier.show({ severity: 'warning', message, actions: [] });
  };
  return vscode.Disposable.from(
    commands.register('kubemerge.decodeSecretValues', (target) => spell(target, 'decoded')),
    commands.register('kubemerge.encodeSecretValues', (target) => spell(target, 'encoded')),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.length > 0) hideUnshown(dependencies);
    }),
    vscode.languages.registerInlayHintsProvider(
      { scheme: documentScheme, pattern: '**/-/v1/secrets/*' },
      { provideInlayHints: (text) => binaryHints(text) },
    ),
  );
}

/** VS Code keeps a text for minutes after its last tab was closed: shown again, its values are hidden again. */
function hideUnshown({ documents, reveals, reportError }: SecretValueDependencies): void {
  const shown = new Set(
    allTabs()
      .flatMap(urisOf)
      .map((uri) => liveUriOf(uri)?.toString()),
  );
  for (const document of documents.all) {
    if (shown.has(document.uri.toString())) continue;
    reveals.set(document.uri, false);
    document.setSpelling('encoded').catch(reportError);
  }
}

/** Says before each binary value what it is, since no text of it is shown. */
function binaryHints(text: vscode.TextDocument): vscode.InlayHint[] {
  const tree = toTree(text.getText());
  const value = tree && rootOf(tree)?.value;
  if (tree === undefined || !isJsonObject(value) || !isSecret(value) || !isJsonObject(value['data']))
    return [];
  return Object.entries(value['data']).flatMap(([key, member]) => {
    const read = typeof member === 'string' ? readSecretValue(member) : undefined;
    if (read?.kind !== 'binary') return [];
    const found = locateField(tree, [
      { kind: 'member', key: 'data' },
      { kind: 'member', key },
    ]);
    if (found?.isExact !== true) return [];
    const hint = new vscode.InlayHint(
      text.positionAt(found.value.start),
      `binary, ${read.byteLength.toLocaleString('en')} ${read.byteLength === 1 ? 'byte' : 'bytes'}`,
    );
    hint.paddingRight = true;
    return [hint];
  });
}
