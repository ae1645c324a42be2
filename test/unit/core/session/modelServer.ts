import assert from 'node:assert/strict';
import type { Outcome, WriteOutcome } from '../../../../src/core/errors.ts';
import { type JsonObject, memberAt } from '../../../../src/core/json.ts';
import {
  type Precondition,
  type ResourceVersion,
  type Snapshot,
  toSnapshot,
} from '../../../../src/core/resource/snapshot.ts';
import type { WatchNews } from '../../../../src/core/session/sessionState.ts';

export const fields = ['a', 'b', 'c'] as const;
export type Field = (typeof fields)[number];
export type Values = Readonly<Record<Field, number>>;

/** One version that the server has held. */
interface Version {
  readonly resourceVersion: ResourceVersion;
  readonly uid: string;
  readonly values: Values;
}

/** What the server holds: one object, its versions in order, and which fields others wrote since we did. */
export class ModelServer {
  #version = 0;
  #uid = 1;
  #values: Values = { a: 0, b: 0, c: 0 };
  #isThere = true;
  #isTerminating = false;
  /** What the watch has to tell, in order. */
  readonly events: WatchNews[] = [];
  readonly history: Version[] = [];
  /** Fields that another writer wrote last, by the index of that version in {@link history}. */
  readonly foreignSince = new Map<Field, number>();

  constructor() {
    this.#advance();
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  get isTerminating(): boolean {
    return this.#isThere && this.#isTerminating;
  }

  get values(): Values {
    return this.#values;
  }

  get snapshot(): Snapshot {
    const object: JsonObject = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: {
        name: 'x',
        uid: `uid-${this.#uid}`,
        resourceVersion: `v${this.#version}`,
        ...(this.#isTerminating
          ? { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] }
          : {}),
      },
      spec: { ...this.#values },
      status: { version: this.#version },
    };
    const snapshot = toSnapshot(object);
    assert.ok(snapshot);
    return snapshot;
  }

  /** Another writer sets a field. */
  writeByOther(field: Field, value: number): void {
    if (this.#values[field] !== value) this.foreignSince.set(field, this.history.length);
    this.#values = { ...this.#values, [field]: value };
    this.#advance();
  }

  /** Something that nobody edits changes. */
  touch(): void {
    this.#advance();
  }

  /** Deletion begins; a finalizer holds the object. */
  terminate(): void {
    this.#isTerminating = true;
    this.#advance();
  }

  remove(): void {
    this.#isThere = false;
    this.#isTerminating = false;
    this.events.push({ kind: 'gone', uid: this.snapshot.uid });
  }

  /** An object of the same name is made. */
  create(values: Values): Snapshot {
    this.#isThere = true;
    this.#values = values;
    this.#uid++;
    this.foreignSince.clear();
    this.#advance();
    return this.snapshot;
  }

  put({ uid, resourceVersion }: Precondition, object: JsonObject): WriteOutcome {
    if (!this.#isThere) return { kind: 'notFound', message: '' };
    const now = this.snapshot;
    if (uid !== now.uid || resourceVersion !== now.resourceVersion) {
      return { kind: 'preconditionFailed', message: '' };
    }
    const values = valuesOf(object);
    const changed = fields.filter((field) => values[field] !== this.#values[field]);
    for (const field of changed) this.foreignSince.delete(field);
    this.#values = values;
    if (changed.length > 0) this.#advance();
    const snapshot = this.snapshot;
    return { kind: 'committed', object: snapshot.object, snapshot, warnings: [] };
  }

  get(): Outcome<Snapshot> {
    return this.#isThere ? { kind: 'ok', value: this.snapshot } : { kind: 'notFound', message: '' };
  }

  #advance(): void {
    this.#version++;
    const snapshot = this.snapshot;
    const { resourceVersion, uid } = snapshot;
    this.history.push({ resourceVersion, uid, values: this.#values });
    if (this.#version > 1) this.events.push({ kind: 'seen', snapshot });
  }
}

export function valuesOf(object: JsonObject): Values {
  return memberAt(object, 'spec') as unknown as Values;
}
