import * as vscode from 'vscode';
import type { JsonObject } from '../core/json.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { WriteConsent } from '../sync/clusterPort.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { Notifier } from './notifier.ts';
import { nameObject, namePlace } from './objectWords.ts';

/** A write that is about to be sent. */
export interface ConsentRequest {
  readonly action: 'save' | 'create' | 'scale' | 'delete' | 'removeFinalizers';
  readonly ref: ResourceRef;
  /** For its kind. */
  readonly object?: JsonObject | undefined;
  /** What else the person should know, in sentences. */
  readonly detail?: string;
}

/**
 * Makes the consents that a protected context demands of each write. A question is a dialog over the whole
 * window: a save that waits for it is waited for by nobody who could do something else meanwhile.
 */
export class WriteConsents {
  readonly #settings: DocumentSettings;
  readonly #notifier: Notifier;

  constructor(settings: DocumentSettings, notifier: Notifier) {
    this.#settings = settings;
    this.#notifier = notifier;
  }

  /** @returns undefined for a no, and where nobody can be asked */
  async ask(request: ConsentRequest, signal?: AbortSignal): Promise<WriteConsent | undefined> {
    const { context } = request.ref;
    const reason = this.#settings.protectedReason(context);
    if (reason === undefined || this.#settings.readOnlyReason(context) !== undefined) return { context };
    const isDestructive = request.action === 'delete' || request.action === 'removeFinalizers';
    const isAgreed = isDestructive ? await this.#askName(request) : await this.#askPlainly(request, reason);
    return isAgreed && signal?.aborted !== true ? { context } : undefined;
  }

  #askPlainly({ action, ref, object, detail }: ConsentRequest, reason: string): Promise<boolean> {
    const verb = verbs[action];
    return this.#notifier.confirm({
      message: `${verb} ${nameObject(ref, object)} in ${ref.context}?`,
      detail: [`Namespace and context: ${namePlace(ref)}.`, detail, reason]
        .filter((line) => line !== undefined)
        .join('\n'),
      confirmation: `${verb} in ${ref.context}`,
    });
  }

  /** The name has to be typed: a destructive action is not confirmed by a key too many. */
  async #askName({ action, ref, object, detail }: ConsentRequest): Promise<boolean> {
    const typed = await vscode.window.showInputBox({
      title: `${verbs[action]} ${nameObject(ref, object)} in the protected context ${ref.context}`,
      prompt: [detail, `Type ${ref.name} to confirm.`].filter((line) => line !== undefined).join(' '),
      placeHolder: ref.name,
      ignoreFocusOut: true,
      validateInput: (value) =>
        value === '' || value === ref.name ? undefined : `This is not the name ${ref.name}.`,
    });
    return typed === ref.name;
  }
}

const verbs: Readonly<Record<ConsentRequest['action'], string>> = {
  save: 'Save',
  create: 'Create',
  scale: 'Scale',
  delete: 'Delete',
  removeFinalizers: 'Remove finalizers of',
};
