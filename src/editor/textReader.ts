import { Worker } from 'node:worker_threads';
import type { TextJob, TextJobResult } from '../core/session/textWork.ts';
import type { Disposable } from '../core/lifecycle.ts';

export interface TextWorkerAnswer {
  readonly id: number;
  readonly result: TextJobResult;
}

interface PendingJob {
  readonly resolve: (result: TextJobResult) => void;
  readonly reject: (error: Error) => void;
}

/** Reads large texts on a thread of its own, so that the extension host goes on meanwhile. */
export class TextReader implements Disposable {
  readonly #path: string | URL;
  readonly #jobs = new Map<number, PendingJob>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** @param path of the bundled textWorker.ts; the thread starts with the first job */
  constructor(path: string | URL) {
    this.#path = path;
  }

  /** Rejects where the thread fails; the next job starts another. */
  read(job: TextJob): Promise<TextJobResult> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { resolve, reject });
      worker.postMessage({ id, job });
    });
  }

  dispose(): void {
    this.#end(this.#worker, new Error('the reader of texts has been disposed of'));
  }

  #start(): Worker {
    const worker = new Worker(this.#path);
    worker.unref();
    worker.on('message', ({ id, result }: TextWorkerAnswer) => {
      this.#jobs.get(id)?.resolve(result);
      this.#jobs.delete(id);
    });
    worker.on('error', (error) => {
      this.#end(worker, error instanceof Error ? error : new Error(String(error)));
    });
    return worker;
  }

  #end(worker: Worker | undefined, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const job of this.#jobs.values()) job.reject(error);
    this.#jobs.clear();
    // Nothing waits for its end.
    void worker?.terminate();
  }
}
