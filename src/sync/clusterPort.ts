import type { Outcome, RequestFailure, WriteOutcome } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Event } from '../core/lifecycle.ts';
import type { Keeper } from '../core/resource/keepers.ts';
import type { ClusterId, CollectionRef, ResourceRef } from '../core/resource/resourceRef.ts';
import type { ResourceType } from '../core/resource/resourceType.ts';
import type { Precondition, ResourceVersion } from '../core/resource/snapshot.ts';

/** One context of the kubeconfig, as loaded; no request was made for it. */
export interface ContextEntry {
  readonly name: string;
  /** The context's own namespace, `default` where it names none. */
  readonly namespace: string;
  readonly clusterId: ClusterId;
  /** The server's URL, for display. */
  readonly server: string;
  readonly userName: string;
  readonly isCurrent: boolean;
  /** The certificate is not checked, or the connection is not encrypted. */
  readonly isInsecure: boolean;
  /** The user has a credential plugin that may ask in a terminal. */
  readonly canSignIn: boolean;
  /** Why this context cannot be used, in words; the others still can. */
  readonly problem?: string;
}

/** What the kubeconfig files say now. */
export interface KubeconfigView {
  /** The files that were looked for, in order. */
  readonly files: readonly string[];
  readonly contexts: readonly ContextEntry[];
  /** What is wrong with the files as a whole, in words. */
  readonly problems: readonly string[];
}

/** Which contexts there are, and a connection for each. */
export interface ClustersPort {
  readonly view: KubeconfigView;
  readonly onDidChange: Event<KubeconfigView>;
  /** Reads the files again; `view` is fresh when it resolves. */
  reload(): Promise<void>;
  /** A connection for this context; no request is made until it is used. Undefined where there is no such context. */
  connect(context: string): ClusterPort | undefined;
}

/** What a list answers: one page of objects. */
export interface ListPage {
  readonly objects: readonly JsonObject[];
  /** The list's own version, where a watch resumes. */
  readonly resourceVersion: ResourceVersion | undefined;
  /** Asks for the next page; absent on the last. */
  readonly continueToken?: string;
  /** How many objects are left after this page, where the server says. */
  readonly remainingItemCount?: number;
}

/**
 * What of each object is handed over: all of it; its metadata, without spec, data and status; or what a row of
 * the tree needs, with the server's own columns (see `core/resource/rowObject.ts`).
 */
export type ListContent = 'full' | 'metadata' | 'rows';

export interface ListOptions {
  /** Objects a page; absent for all in one. */
  readonly limit?: number;
  readonly continueToken?: string;
  readonly content: ListContent;
  /** One object's name, for a collection of one. */
  readonly name?: string;
}

export interface WatchOptions {
  readonly resourceVersion: ResourceVersion | undefined;
  readonly content: ListContent;
  readonly name?: string;
  /** When the server shall end a healthy watch. */
  readonly timeoutSeconds: number;
  /**
   * The watch begins with every object as `added`, then a bookmark that ends them; `resourceVersion` does
   * not count. A server that does not know this answers `refused`, or sends no such bookmark.
   */
  readonly sendsInitialEvents?: boolean;
}

/** One line of a watch. `error` carries the Status of an ERROR event. */
export type WatchEvent =
  /** The server accepted the watch: its headers are here, once, before any other event. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: JsonObject }
  | {
      readonly kind: 'bookmark';
      readonly resourceVersion: ResourceVersion;
      readonly isInitialEventsEnd: boolean;
    }
  | { readonly kind: 'error'; readonly failure: RequestFailure };

/** How a watch ended: `ended` is the server's ordinary close. */
export type WatchEnd = { readonly kind: 'ended' } | RequestFailure;

/**
 * Every write to a cluster. All but `create` demand a precondition; `create` is never repeated unread.
 * Source: design.md section 3.
 */
export type WriteRequest =
  | {
      readonly kind: 'update';
      readonly ref: ResourceRef;
      readonly precondition: Precondition;
      /** The whole object; resourceVersion and uid in it are set from the precondition. */
      readonly object: JsonObject;
      /** `status` or `scale`; absent for the object itself. */
      readonly subresource?: string;
      readonly isDryRun?: boolean;
    }
  | {
      readonly kind: 'delete';
      readonly ref: ResourceRef;
      readonly precondition: Precondition;
      readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
    }
  | {
      readonly kind: 'create';
      readonly ref: ResourceRef;
      readonly object: JsonObject;
      readonly isDryRun?: boolean;
    };

/**
 * A person's yes to one write, or to the tries of one save, in this context. Made where the person was asked,
 * or where the context needs no question; a protected context takes no write without one.
 */
export interface WriteConsent {
  readonly context: string;
  /** Who may undo the write and nobody was asked about: told with its result. */
  readonly keepers?: readonly Keeper[];
}

/** One cluster as one context sees it. Every method answers with an outcome and throws only for bugs. */
export interface ClusterPort {
  readonly context: ContextEntry;
  /** Served resources, cached until `refresh`; groups that could not be read are named in `failures`. */
  discover(signal: AbortSignal, options?: { readonly refresh?: boolean }): Promise<Outcome<Discovery>>;
  get(ref: ResourceRef, signal: AbortSignal): Promise<Outcome<JsonObject>>;
  list(collection: CollectionRef, options: ListOptions, signal: AbortSignal): Promise<Outcome<ListPage>>;
  /** Resolves when the watch is over. Events are handed over in the order of the stream. */
  watch(
    collection: CollectionRef,
    options: WatchOptions,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<WatchEnd>;
  /**
   * The one function that sends writes. It refuses, before any request, what a read-only context would send,
   * and in a protected one what nobody consented to; a dry run changes nothing and needs no consent.
   */
  write(request: WriteRequest, signal: AbortSignal, consent?: WriteConsent): Promise<WriteOutcome>;
  /** The OpenAPI v3 document of a group and version, raw JSON, cached by its hash. */
  openApi(groupVersion: string, signal: AbortSignal): Promise<Outcome<JsonObject>>;
  /** SelfSubjectAccessReview for a verb on an object, or on a subresource of it. */
  isAllowed(
    ref: ResourceRef,
    verb: string,
    signal: AbortSignal,
    subresource?: string,
  ): Promise<Outcome<boolean>>;
}

export interface Discovery {
  readonly types: readonly ResourceType[];
  /** Groups that could not be read, such as a dead aggregated API (issue case E3). */
  readonly failures: readonly { readonly group: string; readonly message: string }[];
}
