// npm run -s merge -- --base FILE --mine FILE --live FILE [--openapi FILE]… [--output FILE]
// Merges three versions of a Kubernetes object and prints one JSON document; see README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isJsonObject, type Json, type JsonObject, parseJson, printJson } from '../src/core/json.ts';
import { readDocument } from '../src/core/text/readYaml.ts';
import { mergeFiles } from './merge/mergeFiles.ts';
import { userPath } from './repository.ts';

const usage = `usage: npm run -s merge -- --base FILE --mine FILE --live FILE
  [--openapi FILE]…     OpenAPI v3 documents of the objects' types, as the API server serves them
  [--output FILE]       writes the merged text, with conflict markers where there are conflicts
  [--merge-named-lists] merges lists that no schema describes by their elements' names
Prints {status, text, value, applied, conflicts} as JSON. Exit status: 0 merged, 1 conflict, 2 bad input.
`;

/** What is wrong with what was handed in, in words for the person who did. */
class BadInput extends Error {}

process.exitCode = main();

function main(): number {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

function run(): number {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const mineText = readText('--mine', options.mine);
  const { report, markedText } = mergeFiles({
    base: readBase(options.base),
    mine: readObject('--mine', options.mine, mineText),
    live: readObject('--live', options.live, readText('--live', options.live)),
    mineText,
    openApi: options.openapi.map(readOpenApi),
    mergeNamedLists: options.mergeNamedLists,
  });
  if (options.output !== undefined) writeOutput(options.output, markedText);
  process.stdout.write(`${printJson(report as unknown as Json)}\n`);
  return report.status === 'merged' ? 0 : 1;
}

function readOptions() {
  const { values } = parseOptions();
  const { base, mine, live } = values;
  if (values.help === true)
    return { help: true, base: '', mine: '', live: '', openapi: [], mergeNamedLists: false };
  if (base === undefined || mine === undefined || live === undefined) {
    const missing = Object.entries({ base, mine, live }).flatMap(([name, value]) =>
      value === undefined ? [`--${name}`] : [],
    );
    throw new BadInput(`missing ${missing.join(', ')}\n${usage.trimEnd()}`);
  }
  return {
    help: false,
    base,
    mine,
    live,
    output: values.output,
    openapi: values.openapi ?? [],
    mergeNamedLists: values['merge-named-lists'] ?? false,
  };
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        base: { type: 'string' },
        mine: { type: 'string' },
        live: { type: 'string' },
        openapi: { type: 'string', multiple: true },
        output: { type: 'string' },
        'merge-named-lists': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new BadInput(`${messageOf(error)}\n${usage.trimEnd()}`);
  }
}

function readText(option: string, file: string): string {
  try {
    return readFileSync(userPath(file), 'utf8');
  } catch (error) {
    throw new BadInput(`${option}: cannot read ${file}: ${messageOf(error)}`);
  }
}

/** An empty base stands for none: git gives one where both branches added the file. */
function readBase(file: string): JsonObject {
  const text = readText('--base', file);
  return text.trim() === '' ? {} : readObject('--base', file, text);
}

function readObject(option: string, file: string, text: string): JsonObject {
  const read = readDocument(text);
  if (read.kind === 'ok') return read.value;
  const errors = read.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ range, message }) => `${option}: ${file}:${placeOf(text, range.start)}: ${message}`);
  throw new BadInput(errors.join('\n'));
}

function readOpenApi(file: string): JsonObject {
  const text = readText('--openapi', file);
  let document: Json;
  try {
    document = parseJson(text);
  } catch (error) {
    throw new BadInput(`--openapi: ${file} is not JSON: ${messageOf(error)}`);
  }
  if (!isJsonObject(document)) throw new BadInput(`--openapi: ${file} is not an OpenAPI document`);
  return document;
}

function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(userPath(file), text);
  } catch (error) {
    throw new BadInput(`--output: cannot write ${file}: ${messageOf(error)}`);
  }
}

/** `LINE:COLUMN`, both from 1. */
function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
