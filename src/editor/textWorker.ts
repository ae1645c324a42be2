import { parentPort } from 'node:worker_threads';
import { doTextJob, type TextJob } from '../core/session/textWork.ts';
import type { TextWorkerAnswer } from './textReader.ts';

/** Answers jobs one after the other, on the thread that runs this file. */
export function answerJob({ id, job }: { readonly id: number; readonly job: TextJob }): TextWorkerAnswer {
  return { id, result: doTextJob(job) };
}

parentPort?.on('message', (message: Parameters<typeof answerJob>[0]) => {
  parentPort?.postMessage(answerJob(message));
});
