import type { Disposable } from '../core/lifecycle.ts';
import { type FieldPath, printFieldPath } from '../core/merge/fieldPath.ts';
import { type MineContext, type MineReading, readMine } from '../core/session/readMine.ts';
import type { TextJobResult } from '../core/session/textWork.ts';
import type { DocumentServices } from './documentServices.ts';
import { type FieldPlace, findField, toPlace } from './fieldPlaces.ts';

/** A text of this many UTF-16 units is read on another thread, and only when typing pauses. */
const largeText = 100_000;
const readPauseMs = 200;

/** Too large to be read at each keystroke. */
export function isLargeText(text: string): boolean {
  return text.length >= largeText;
}

export interface TextAnalysisOptions {
  readonly services: Pick<DocumentServices, 'clock' | 'textReader' | 'reportError'>;
  /** The editor's text now, and what it must agree with. */
  readonly text: () => string;
  readonly context: () => MineContext;
  /** The fields that marks stand at. */
  readonly marks: () => readonly FieldPath[];
  /** Takes what was read of a large text, unless that has changed meanwhile. */
  readonly onRead: (reading: MineReading) => void;
}

/** Reads the editor's text as it changes, and finds fields in it: a small text at once, a large one by and by. */
export class TextAnalysis implements Disposable {
  readonly #options: TextAnalysisOptions;
  #pending: Disposable | undefined;
  /** Of a large text: where marked fields stand, by printed path. */
  #places: ReadonlyMap<string, FieldPlace | undefined> = new Map();
  /** Reads under way on the other thread. */
  #jobs = 0;
  #isDisposed = false;

  constructor(options: TextAnalysisOptions) {
    this.#options = options;
  }

  /** @returns undefined for a large text, of which `onRead` tells later */
  textChanged(isTyped: boolean): MineReading | undefined {
    this.#pending?.dispose();
    this.#pending = undefined;
    const text = this.#options.text();
    if (!isLargeText(text)) return readMine(text, this.#options.context());
    this.#readAside(isTyped ? readPauseMs : 0);
    return undefined;
  }

  /** Finds the marked fields of a large text that have no place yet. */
  marksChanged(): void {
    const { text, marks } = this.#options;
    if (!isLargeText(text()) || this.#pending !== undefined || this.#jobs > 0) return;
    if (!marks().every((path) => this.#places.has(printFieldPath(path)))) this.#readAside(0);
  }

  /** Where a field stands in this text; for a large one, where it stood when that was last read. */
  findField(text: string, path: FieldPath): FieldPlace | undefined {
    return isLargeText(text) ? this.#places.get(printFieldPath(path)) : findField(text, path);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#pending?.dispose();
  }

  #readAside(pauseMs: number): void {
    const { clock, reportError } = this.#options.services;
    this.#pending?.dispose();
    this.#pending = clock.schedule(pauseMs, () => {
      this.#pending = undefined;
      this.#runJob().catch(reportError);
    });
  }

  /** What the answer says of an older text is dropped: the newer one has a job of its own. */
  async #runJob(): Promise<void> {
    const { services, marks, onRead } = this.#options;
    const text = this.#options.text();
    const context = this.#options.context();
    const { schema: _local, ...jobContext } = context;
    const paths = marks();
    this.#jobs++;
    const answer = await services.textReader
      .read({ text, context: jobContext, paths })
      .catch((error: unknown): TextJobResult => {
        services.reportError(error);
        return { reading: readMine(text, this.#options.context()), places: [] };
      });
    this.#jobs--;
    const isOutdated = text !== this.#options.text() || context.named !== this.#options.context().named;
    if (this.#isDisposed || isOutdated) return;
    this.#places = new Map(
      paths.map((path, index) => [printFieldPath(path), toPlace(answer.places[index])] as const),
    );
    onRead(answer.reading);
  }
}
