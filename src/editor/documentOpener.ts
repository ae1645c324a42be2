import type * as vscode from 'vscode';
import { jsonEqual, memberAt } from '../core/json.ts';
import { builtinSchema } from '../core/merge/builtinSchema.ts';
import type { MergeSchema } from '../core/merge/mergeSchema.ts';
import type { DocumentAddress } from '../core/resource/documentPath.ts';
import { decodeData, isSecret, toVisible } from '../core/resource/editableObject.ts';
import type { GroupVersionKind } from '../core/resource/gvk.ts';
import { gvkOf } from '../core/resource/kubeObject.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import { type Snapshot, toResourceVersion, toSnapshot } from '../core/resource/snapshot.ts';
import { type BaseLedger, recordBase } from '../core/session/baseLedger.ts';
import type { SessionStart } from '../core/session/sessionReducer.ts';
import { readDocument } from '../core/text/readYaml.ts';
import { renderObject } from '../core/text/renderObject.ts';
import { renderSpelled, type SecretSpelling } from '../core/text/secretText.ts';
import type { ClosedDocuments } from './closedDocuments.ts';
import type { ConnectionSwitch } from './connectionSwitch.ts';
import type { DocumentConnections } from './documentConnections.ts';
import type { DocumentSchemas } from './documentSchemas.ts';
import type { DocumentServices } from './documentServices.ts';
import { completeLandedSave, isDraftLanded } from './landedSave.ts';
import type { NamedVersion } from './namedVersion.ts';
import { OpenDocument } from './openDocument.ts';
import type { KeptSession } from './savedSessions.ts';

/** An object that is served without version or uid can be read only, and is not watched. */
interface FixedText {
  readonly kind: 'fixed';
  readonly content: Uint8Array;
}

export type Opened = { readonly kind: 'live'; readonly document: OpenDocument } | FixedText;

export interface DocumentOpenerOptions {
  readonly connections: DocumentConnections;
  readonly closed: ClosedDocuments;
  readonly schemas: DocumentSchemas;
  readonly services: DocumentServices;
  readonly fileChanged: (uri: vscode.Uri, type: vscode.FileChangeType) => void;
  readonly stateChanged: (uri: vscode.Uri) => void;
  /** Takes up a document that is about to begin, with the schema that it starts with. */
  readonly adopted: (
    document: OpenDocument,
    connection: ConnectionSwitch,
    type: { readonly gvk: GroupVersionKind; readonly schema: MergeSchema },
  ) => void;
}

/** Makes the documents of objects: read from the server, or restored from what an earlier window kept. */
export class DocumentOpener {
  readonly #options: DocumentOpenerOptions;

  constructor(options: DocumentOpenerOptions) {
    this.#options = options;
  }

  /** Reads the object anew. @throws Error in words where it cannot be read */
  async open(uri: vscode.Uri): Promise<Opened> {
    const { address, connection, type } = await this.#options.connections.connect(uri);
    const object = await this.#options.connections.read(address.ref, connection);
    const traits = traitsOf(type, address.ref);
    const content = renderObject(toVisible(object, traits));
    const opened = toSnapshot(object);
    if (opened === undefined) return { kind: 'fixed', content: new TextEncoder().encode(content) };
    const closed = this.#options.closed.take(uri.path, opened.uid);
    const document = this.#adopt(uri, address, connection, type, {
      content,
      opened,
      ...(closed === undefined
        ? {}
        : {
            namedVersion: closed.namedVersion,
            ledger: recordBase(closed.ledger, opened, traits),
            named: opened.resourceVersion,
          }),
    });
    this.#findDraft(document).catch(this.#options.services.reportError);
    return { kind: 'live', document };
  }

  /** Tells of a text that an earlier window had not saved, where this one does not show it. */
  async #findDraft(document: OpenDocument): Promise<void> {
    const kept = await this.#options.services.savedSessions.load(document.uri);
    if (kept?.kind !== 'whole' || kept.draft === undefined || kept.draft.text === document.text) return;
    if (isDraftLanded(document, kept)) await this.#options.services.savedSessions.forget(document.uri);
    else this.#options.services.draftFound(document, kept);
  }

  /** Takes up a document that VS Code has restored with unsaved text. */
  async restore(uri: vscode.Uri, text: string): Promise<Opened> {
    const kept = await this.#options.services.savedSessions.load(uri);
    if (kept?.kind === 'whole') return this.#restoreWhole(uri, text, kept);
    const { address, connection, type } = await this.#options.connections.connect(uri);
    const object = await this.#options.connections.read(address.ref, connection);
    const opened = toSnapshot(object);
    if (opened === undefined)
      throw new Error('The server holds this object without a version: it cannot be saved.');
    const isUnchanged = kept?.named === opened.resourceVersion && kept.uid === opened.uid;
    const named = kept?.named ?? versionIn(text) ?? opened.resourceVersion;
    const spelling = kept?.spelling ?? spellingIn(text);
    const document = this.#adopt(uri, address, connection, type, {
      content: renderSpelled(toVisible(object, traitsOf(type, address.ref)), spelling),
      spelling,
      opened,
      // Without a base, the save is refused until the user has compared (design.md section 2).
      ledger: isUnchanged ? recordBase(new Map(), opened, traitsOf(type, address.ref)) : new Map(),
      named,
      text,
    });
    completeLandedSave(document, this.#options.services.reportError);
    return { kind: 'live', document };
  }

  /** Goes on from what was kept, whether the cluster can be reached or not (issue case I4). */
  #restoreWhole(uri: vscode.Uri, text: string, kept: KeptSession & { kind: 'whole' }): Opened {
    const { address, connection } = this.#options.connections.resolve(uri);
    const { live } = kept;
    const traits = { ...kept.traits, isStatusOnly: address.ref.subresource === 'status' };
    const document = this.#adopt(uri, address, connection, undefined, {
      content: renderObject(toVisible(live.object, traits)),
      opened: live,
      ledger: new Map([[kept.named, kept.base]]),
      named: kept.named,
      text,
      traits,
    });
    completeLandedSave(document, this.#options.services.reportError);
    document.runner.refresh().catch(this.#options.services.reportError);
    // VS Code's backup may be older than ours.
    if (kept.draft !== undefined && kept.draft.text !== text)
      this.#options.services.draftFound(document, kept);
    return { kind: 'live', document };
  }

  #adopt(
    uri: vscode.Uri,
    address: DocumentAddress,
    connection: ConnectionSwitch,
    type: ResourceType | undefined,
    from: {
      readonly content: string;
      readonly spelling?: SecretSpelling;
      readonly opened: Snapshot;
      readonly ledger?: BaseLedger;
      readonly named?: Snapshot['resourceVersion'];
      readonly namedVersion?: NamedVersion;
      readonly text?: string;
      readonly traits?: SessionStart['traits'];
    },
  ): OpenDocument {
    const { ledger, named, namedVersion, text } = from;
    const gvk = type?.gvk ?? gvkOf(from.opened.object) ?? { group: '', version: '', kind: '' };
    const schema = builtinSchema(gvk);
    const fixedReadOnlyReason = fixedReason(type, address.ref);
    const document = new OpenDocument({
      uri,
      address,
      cluster: connection.port,
      services: this.#options.services,
      content: from.content,
      spelling: from.spelling ?? 'encoded',
      start: {
        ref: address.ref,
        traits: from.traits ?? traitsOf(type, address.ref),
        schema: this.#options.schemas.applied(schema),
        opened: from.opened,
        reviewsForeignChanges: this.#options.services.settings.reviewsForeignChanges,
        ...(ledger === undefined || named === undefined ? {} : { restored: { ledger, named } }),
      },
      ...(namedVersion === undefined ? {} : { namedVersion }),
      ...(text === undefined || named === undefined ? {} : { restored: { text, named } }),
      ...(fixedReadOnlyReason === undefined ? {} : { fixedReadOnlyReason }),
      fileChanged: (change) => {
        this.#options.fileChanged(uri, change);
      },
      stateChanged: () => {
        this.#options.stateChanged(uri);
      },
    });
    this.#options.adopted(document, connection, { gvk, schema });
    return document;
  }
}

/** The version that a text names, trusted or not. */
function versionIn(text: string): Snapshot['resourceVersion'] | undefined {
  const read = readDocument(text);
  return read.kind === 'ok'
    ? toResourceVersion(memberAt(read.value, 'metadata', 'resourceVersion'))
    : undefined;
}

/** Decoded where all values that are text stand under stringData, as they do where they are shown so. */
function spellingIn(text: string): SecretSpelling {
  const read = readDocument(text);
  if (read.kind === 'invalid' || !isSecret(read.value)) return 'encoded';
  const { value } = read;
  return value['stringData'] !== undefined && jsonEqual(decodeData(value), value) ? 'decoded' : 'encoded';
}

function traitsOf(type: ResourceType | undefined, ref: ResourceRef): SessionStart['traits'] {
  return {
    hasStatusSubresource: type?.subresources.includes('status') ?? false,
    isStatusOnly: ref.subresource === 'status',
  };
}

/** Why the server offers no write of what a document is to edit. */
function fixedReason(type: ResourceType | undefined, ref: ResourceRef): string | undefined {
  if (type === undefined) return undefined;
  if (ref.subresource !== undefined) {
    const isServed = type.subresources.includes(ref.subresource);
    return isServed
      ? undefined
      : `The server has no endpoint for the ${ref.subresource} of ${type.gvk.kind}.`;
  }
  return type.verbs.includes('update') ? undefined : `The server offers no update of ${type.gvk.kind}.`;
}
