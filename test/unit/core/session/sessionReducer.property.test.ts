import fc from 'fast-check';
import { type Field, fields, ModelServer } from './modelServer.ts';
import { ModelWindow } from './modelWindow.ts';

type Step = fc.Command<ModelServer, ModelWindow>;
type Act = (server: ModelServer, window: ModelWindow) => unknown;

const always = (): boolean => true;

/** Something that can happen, printed by its name where a run fails. */
function step(name: string, act: Act, check: (server: Readonly<ModelServer>) => boolean = always): Step {
  return {
    check,
    run: (server, window) => void act(server, window),
    toString: () => name,
  };
}

function one(name: string, act: Act, check?: (server: Readonly<ModelServer>) => boolean): fc.Arbitrary<Step> {
  return fc.constant(step(name, act, check));
}

const isThere = (server: Readonly<ModelServer>): boolean => server.isThere;
const field = fc.constantFrom<Field>(...fields);
const value = fc.nat({ max: 9 });
const failure = fc.constantFrom('unknown', 'rejected', 'forbidden', 'throttled', 'notSent');

const steps: readonly fc.Arbitrary<Step>[] = [
  fc
    .tuple(field, value)
    .map(([name, to]) => step(`type ${name}: ${to}`, (_server, window) => window.type(name, to))),
  one('type half a line', (_server, window) => window.typeHalf()),
  one('undo', (_server, window) => window.undo()),
  one('save', (_server, window) => window.save()),
  one('save at once', (_server, window) => window.save()),
  one('cancel the save', (_server, window) => window.cancelSave()),
  fc.boolean().map((yes) => step(`review: ${yes}`, (_server, window) => window.review(yes))),
  fc.boolean().map((on) => step(`setting review: ${on}`, (_server, window) => window.setReviewing(on))),
  fc.boolean().map((on) => step(`read-only: ${on}`, (_server, window) => window.setReadOnly(on))),
  fc.boolean().map((on) => step(`merging: ${on}`, (_server, window) => window.setMerging(on))),
  one('keep mine', (_server, window) => window.keepMine()),
  one('recreate', (_server, window) => window.recreate()),
  one('creation is answered', (_server, window) => window.answerCreation()),
  one('adopt', (_server, window) => window.adopt()),
  fc
    .tuple(field, value)
    .map(([name, to]) => step(`other ${name}: ${to}`, (server) => server.writeByOther(name, to), isThere)),
  one('other changes status', (server) => server.touch(), isThere),
  one('other deletes, held', (server) => server.terminate(), isThere),
  one('object goes', (server) => server.remove(), isThere),
  one(
    'object is created anew',
    (server) => server.create({ a: 0, b: 0, c: 0 }),
    (server) => !server.isThere,
  ),
  one('watch', (_server, window) => window.deliver()),
  one('watch on', (_server, window) => window.deliver()),
  value.map((index) => step(`replay ${index}`, (_server, window) => window.replay(index))),
  one('relist', (_server, window) => window.relist()),
  one('write arrives', (_server, window) => window.carryOut()),
  one('write is answered', (_server, window) => window.answerWrite()),
  failure.map((kind) => step(`write: ${kind}`, (_server, window) => window.failWrite(kind))),
  one('read is answered', (_server, window) => window.answerRead()),
  one('read fails', (_server, window) => window.failRead()),
  one('pause ends', (_server, window) => window.passTime()),
  one('fresh read is answered', (_server, window) => window.confirm()),
];

describe('session reducer, in any order of events', () => {
  it('never loses typed text, never writes unconditionally, and agrees with a fresh read', () => {
    fc.assert(
      fc.property(fc.commands([...steps], { maxCommands: 60, size: 'max' }), (commands) => {
        let real: ModelWindow | undefined;
        fc.modelRun(() => {
          const model = new ModelServer();
          real = new ModelWindow(model);
          return { model, real };
        }, commands);
        real?.settle();
        real?.checkAtRest();
      }),
      { numRuns: process.env['KUBEMERGE_LONG'] === '1' ? 200_000 : 3_000 },
    );
  });
});
