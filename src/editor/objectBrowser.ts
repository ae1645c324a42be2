import type { ResourceRef } from '../core/resource/resourceRef.ts';
export function createObjectBrowser(_: unknown): { remember(ref: ResourceRef): void; ask(open: (ref: ResourceRef) => Promise<void>): Promise<void>; dispose(): void } {
  return { remember: () => undefined, ask: () => Promise.resolve(), dispose: () => undefined };
}
