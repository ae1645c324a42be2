import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/cluster/watchStream.ts';

describe('line splitting', () => {
  it('gives the same lines wherever the chunks end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '␊'))),
        fc.array(fc.nat()),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort(
            (a, b) => a - b,
          );
          const splitter = new LineSplitter();
          const found: string[] = [];
          let start = 0;
          for (const end of ends) {
            found.push(...splitter.push(bytes.subarray(start, end)));
            start = end;
          }
          assert.deepEqual(found, lines);
          assert.equal(splitter.rest(), '');
        },
      ),
    );
  });
});
