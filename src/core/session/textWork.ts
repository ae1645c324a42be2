import { builtinSchema } from '../merge/builtinSchema.ts';
import type { FieldPath } from '../merge/fieldPath.ts';
import { type FieldLocation, locateField } from '../text/locate.ts';
import { parseTree } from '../text/parseTree.ts';
import { type MineContext, type MineReading, readMine } from './readMine.ts';

/** What reading a text takes that can be handed to another thread. */
export interface TextJob {
  readonly text: string;
  readonly context: Omit<MineContext, 'schema'>;
  /** Fields whose places are wanted. */
  readonly paths: readonly FieldPath[];
}

export interface TextJobResult {
  readonly reading: MineReading;
  /** One for each path; undefined where the syntax is broken. */
  readonly places: readonly (FieldLocation | undefined)[];
}

/**
 * Reads a large text and finds fields in it. Values are checked against the built-in types only: a save
 * checks them against what the server describes.
 */
export function doTextJob({ text, context, paths }: TextJob): TextJobResult {
  const reading = readMine(text, { ...context, schema: builtinSchema(context.gvk) });
  const tree = paths.length === 0 ? undefined : parseTree(text).tree;
  return { reading, places: paths.map((path) => tree && locateField(tree, path)) };
}
