import { type JsonObject, printJson } from '../../../src/core/json.ts';
import { applyFieldEdits } from '../mergeCases.ts';
import type { RightResult } from './scenarios.ts';
import { Scene, type SceneOptions } from './scene.ts';
import type { Tool, ToolResult } from './tool.ts';
import { isSameContent, judgeWrong, type Verdict } from './verdict.ts';

export interface Played {
  readonly verdict: Verdict;
  /** What the tool said, and what was wrong. */
  readonly details: string;
}

/** Plays one scenario with one tool, from the object's creation to the verdict. */
export async function playScenario(tool: Tool, options: SceneOptions): Promise<Played> {
  const scene = await Scene.prepare(options);
  if (tool.create === undefined) await scene.create();
  else await tool.create(scene, scene.manifest);
  await scene.open();
  try {
    return await judge(scene, await watchOther(scene, tool));
  } finally {
    await scene.clear();
  }
}

interface Saved {
  readonly result: ToolResult;
  /** What the other writer left; undefined where the object was gone. */
  readonly live: JsonObject | undefined;
  /** What would be right to have saved; none where nothing may be. */
  readonly expected: readonly JsonObject[];
}

/** Lets the tool save, and notes what stood between the other's write and the save. */
async function watchOther(scene: Scene, tool: Tool): Promise<Saved> {
  const { right } = scene.scenario;
  let live: JsonObject | undefined;
  const expected: JsonObject[] = [];
  let writes = 0;
  const result = await tool.save(scene, async () => {
    await scene.otherWrites();
    writes++;
    live = await scene.find();
    for (const edits of right.kind === 'refused' ? [] : right.saved) {
      expected.push(await scene.asServed(applyFieldEdits(scene.opened, edits)));
    }
  });
  if (writes !== 1) throw new Error(`${scene.scenario.title}: ${tool.name} let nobody write`);
  return { result, live, expected };
}

async function judge(scene: Scene, { result, live, expected }: Saved): Promise<Played> {
  const { scenario, type } = scene;
  const { schema } = type;
  const actual = await scene.find();
  const isAs = (object: JsonObject | undefined): boolean =>
    actual === undefined || object === undefined
      ? actual === object
      : isSameContent(actual, object, schema, scenario.isOrdered);
  const said = result.kind === 'saved' ? 'saved' : `refused: ${result.message}`;
  if (result.kind === 'refused' && isAs(live)) {
    const isRight = scenario.right.kind !== 'value' && namesAsRight(result, scenario.right);
    return { verdict: isRight ? 'right' : 'refused', details: said };
  }
  if (result.kind === 'saved' && expected.some(isAs)) return { verdict: 'right', details: said };
  const details = `${said}, and there is ${actual === undefined ? 'nothing' : printJson(actual)}`;
  if (actual === undefined) return { verdict: 'lost', details };
  const mine = await scene.asServed(scene.mineOf(scene.opened));
  const wanted = expected[0] ?? live ?? mine;
  const writers = [scene.opened, mine, scene.mineOf(scene.manifest), ...(live === undefined ? [] : [live])];
  return { verdict: judgeWrong({ actual, expected: wanted, writers, schema }), details };
}

/** A tool that names what must be decided must name just that; most only say no. */
function namesAsRight(result: ToolResult, right: RightResult): boolean {
  if (result.kind !== 'refused') return false;
  if (right.kind === 'refused') return result.because === undefined || result.because === right.because;
  if (right.kind !== 'conflict' || result.because !== undefined) return false;
  return result.conflicts === undefined || printJson(result.conflicts) === printJson(right.paths.toSorted());
}
