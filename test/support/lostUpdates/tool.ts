import type { JsonObject } from '../../../src/core/json.ts';
import type { Scene } from './scene.ts';

/** What a tool said in the end. */
export type ToolResult =
  /** It claims to have saved. */
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'refused';
      /** In its own words, for the record. */
      readonly message: string;
      /** The fields that it asks a person to decide, where it names them; sorted. */
      readonly conflicts?: readonly string[];
      /** That the object is gone or another, where it says so. */
      readonly because?: 'recreated' | 'deleted';
    };

/** One way to edit a live object. */
export interface Tool {
  readonly name: string;
  /** Makes the object the way that this tool's user would have; absent where it does not matter. */
  readonly create?: (scene: Scene, object: JsonObject) => Promise<void>;
  /**
   * Opens the object, lets the other writer write, and saves mine.
   *
   * @throws Error where the tool itself is broken
   */
  save(scene: Scene, otherWrites: () => Promise<void>): Promise<ToolResult>;
}
