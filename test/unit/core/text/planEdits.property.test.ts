import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type JsonObject, jsonEqual } from '../../../../src/core/json.ts';
import { parseTree } from '../../../../src/core/text/parseTree.ts';
import { planEdits } from '../../../../src/core/text/planEdits.ts';
import { applyEdits, type TextEdit } from '../../../../src/core/text/textEdit.ts';
import { Dice } from './dice.ts';
import { findTouched } from './findTouched.ts';
import { changeObject, randomObject } from './randomObjects.ts';
import { printStyled } from './styledText.ts';

/** Documents in all, a quarter of them manifests; `KUBEMERGE_LONG=1` asks for a million. */
const numRuns = process.env['KUBEMERGE_LONG'] === '1' ? 1_000_000 : 12_000;
const tape = fc.array(fc.nat(999), {
  maxLength: process.env['KUBEMERGE_LONG'] === '1' ? 400 : 220,
  size: 'max',
});

describe('planned edits, over generated texts', () => {
  it('read as exactly the target, and leave every unchanged field as it was written', function () {
    this.timeout(numRuns * 100);
    fc.assert(
      fc.property(tape, (rolls) => {
        const dice = new Dice(rolls);
        const object = randomObject(dice);
        const text = printStyled(object, dice);
        checkReading(text, object);
        checkPlan(text, object, changeObject(object, dice));
      }),
      { numRuns: (numRuns * 3) / 4 },
    );
  });
});

describe('planned edits, over manifests', () => {
  const folder = new URL('manifests/', import.meta.url);
  const manifests = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));

  it('read as exactly the target, and leave every unchanged field as it was written', function () {
    this.timeout(numRuns * 100);
    fc.assert(
      fc.property(fc.constantFrom(...manifests), tape, (manifest, rolls) => {
        const dice = new Dice(rolls);
        const text = disguise(manifest, dice);
        const object = readRoot(text);
        checkPlan(text, object, changeObject(object, dice));
      }),
      { numRuns: numRuns / 4 },
    );
  });
});

function disguise(manifest: string, dice: Dice): string {
  let text = dice.oneIn(3) ? manifest.replaceAll('\n', '\r\n') : manifest;
  if (dice.oneIn(5)) text = text.replace(/\r?\n$/, '');
  return dice.oneIn(8) ? `\uFEFF${text}` : text;
}

function checkReading(text: string, object: JsonObject): void {
  assert.ok(jsonEqual(readRoot(text), object), `the text reads as something else:\n${text}`);
}

function checkPlan(text: string, object: JsonObject, target: JsonObject): void {
  assert.deepEqual(planEdits(text, object), [], `edits where nothing changes:\n${text}`);
  const edits = planEdits(text, target);
  checkOrder(text, edits);
  const edited = applyEdits(text, edits);
  assert.ok(jsonEqual(readRoot(edited), target), `does not read as the target:\n${edited}`);
  assert.deepEqual(findTouched(text, edited), [], `touched what did not change:\n${text}\n=>\n${edited}`);
}

function checkOrder(text: string, edits: readonly TextEdit[]): void {
  let position = -1;
  for (const { offset, length, newText } of edits) {
    assert.ok(offset > position && offset + length <= text.length, 'edits touch, or are out of order');
    assert.notEqual(text.slice(offset, offset + length), newText, 'an edit changes nothing');
    position = offset + length;
  }
}

function readRoot(text: string): JsonObject {
  const { tree, problems } = parseTree(text);
  const errors = problems.filter(({ severity }) => severity === 'error');
  assert.deepEqual(errors, [], `cannot be read:\n${text}`);
  const value = tree?.documents.find(({ root }) => root.value !== null)?.root.value;
  return value as JsonObject;
}
