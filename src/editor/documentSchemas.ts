import { type MergeSchema, noSchema } from '../core/merge/mergeSchema.ts';
import { withNamedLists } from '../core/merge/namedLists.ts';
import { schemaFromOpenApi } from '../core/merge/openApiSchema.ts';
import { type GroupVersionKind, printApiVersion } from '../core/resource/gvk.ts';
import type { ClusterPort } from '../sync/clusterPort.ts';
import type { DocumentSettings } from './documentServices.ts';
import type { OpenDocument } from './openDocument.ts';

/** Gives each document the best schema that is known of its kind, and what the settings make of it. */
export class DocumentSchemas {
  readonly #settings: DocumentSettings;
  /** As yet without what the settings make of them. */
  readonly #schemas = new WeakMap<OpenDocument, MergeSchema>();

  constructor(settings: DocumentSettings) {
    this.#settings = settings;
  }

  /** What the settings make of a schema. */
  applied(schema: MergeSchema): MergeSchema {
    return this.#settings.mergesNamedLists ? withNamedLists(schema) : schema;
  }

  /** Takes up a document that has started with what `applied` made of this schema. */
  add(document: OpenDocument, schema: MergeSchema): void {
    this.#schemas.set(document, schema);
  }

  /** Reads what the server says of the kind; where it says nothing, the document keeps what it has. */
  async load(
    document: OpenDocument,
    port: ClusterPort,
    gvk: GroupVersionKind,
    signal: AbortSignal,
  ): Promise<void> {
    const outcome = await port.openApi(printApiVersion(gvk), signal);
    if (outcome.kind !== 'ok') return;
    const schema = schemaFromOpenApi(outcome.value, gvk);
    if (schema === undefined) return;
    this.#schemas.set(document, schema);
    this.#apply(document);
  }

  settingsChanged(document: OpenDocument): void {
    const isMergingNamedLists = document.runner.state.schema !== this.#schemas.get(document);
    if (isMergingNamedLists !== this.#settings.mergesNamedLists) this.#apply(document);
  }

  #apply(document: OpenDocument): void {
    const schema = this.applied(this.#schemas.get(document) ?? noSchema);
    document.runner.dispatch({ kind: 'schemaLoaded', schema });
  }
}
