import type { Readable } from 'node:stream';
import { isJsonArray, isJsonObject, type JsonObject, memberAt } from '../core/json.ts';
import { toResourceVersion } from '../core/resource/snapshot.ts';
import type { WatchEvent } from '../sync/clusterPort.ts';
import { toApiStatus, tryParseJson } from './apiStatus.ts';
import { failureOfStatus } from './status.ts';

/** A line of a watch may be this long, in bytes: several times what etcd stores of one object. */
const maxLineBytes = 64 * 1024 * 1024;

/** How the bytes of a watch came to their end. */
export type StreamEnd =
  | { readonly kind: 'ended' }
  /** The stream broke, or its last line is cut. */
  | { readonly kind: 'cut'; readonly error?: unknown }
  | { readonly kind: 'unreadable' };

/**
 * Cuts bytes into lines before anything is decoded, so that neither a character nor a line
 * is harmed by where the chunks happen to end.
 */
export class LineSplitter {
  #parts: Buffer[] = [];
  #length = 0;

  /** @returns the lines that this chunk completes, without their line feeds */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      if (end < 0) break;
      this.#parts.push(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#parts.push(chunk.subarray(start));
      this.#length += chunk.length - start;
    }
    return lines;
  }

  /** The bytes after the last line feed. */
  rest(): string {
    return this.#take();
  }

  get isTooLong(): boolean {
    return this.#length > maxLineBytes;
  }

  #take(): string {
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

/** Hands over the events of a watch until its stream ends. Never rejects. */
export function readWatchStream(body: Readable, onEvent: (event: WatchEvent) => void): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const splitter = new LineSplitter();
    let isOver = false;
    const settle = (end: StreamEnd): void => {
      if (isOver) return;
      isOver = true;
      body.destroy();
      resolve(end);
    };
    const take = (line: string): boolean => {
      if (line.trim() === '') return true;
      const event = toWatchEvent(line);
      if (event === undefined) return false;
      if (event !== 'ignored') onEvent(event);
      return true;
    };
    body.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        if (isOver) return;
        if (!take(line)) settle({ kind: 'unreadable' });
      }
      if (splitter.isTooLong) settle({ kind: 'unreadable' });
    });
    body.once('end', () => {
      if (!isOver) settle(take(splitter.rest()) ? { kind: 'ended' } : { kind: 'cut' });
    });
    body.on('error', (error) => {
      settle({ kind: 'cut', error });
    });
    body.once('close', () => {
      settle({ kind: 'cut' });
    });
  });
}

/** @returns undefined for a line that is no watch event; `ignored` for a bookmark without a version */
export function toWatchEvent(line: string): WatchEvent | 'ignored' | undefined {
  const value = tryParseJson(line);
  if (!isJsonObject(value) || !isJsonObject(value.object)) return undefined;
  const { type, object } = value;
  switch (type) {
    case 'ADDED':
      return { kind: 'added', object };
    case 'MODIFIED':
      return { kind: 'modified', object };
    case 'DELETED':
      return { kind: 'deleted', object };
    case 'BOOKMARK':
      return toBookmark(object);
    case 'ERROR': {
      const status = toApiStatus(object);
      return status === undefined ? undefined : { kind: 'error', failure: failureOfStatus(status) };
    }
    default:
      return undefined;
  }
}

function toBookmark(object: JsonObject): WatchEvent | 'ignored' {
  const resourceVersion = toResourceVersion(memberAt(object, 'metadata', 'resourceVersion'));
  if (resourceVersion === undefined) return 'ignored';
  // A watch of Tables wraps its bookmarks, too.
  const marked = isJsonArray(object.rows) ? memberAt(object.rows[0], 'object') : object;
  const mark = memberAt(marked, 'metadata', 'annotations', 'k8s.io/initial-events-end');
  return { kind: 'bookmark', resourceVersion, isInitialEventsEnd: mark === 'true' };
}
