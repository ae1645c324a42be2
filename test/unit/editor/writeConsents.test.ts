import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WriteOutcome } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { WriteConsent } from '../../../src/sync/clusterPort.ts';
import type { RefusedTrial, SaveQuestion } from '../../../src/sync/sessionRunner.ts';
import { AcknowledgedKeepers, maxAcknowledged } from '../../../src/editor/acknowledgedKeepers.ts';
import type { LiveDocument } from '../../../src/editor/liveDocuments.ts';
import type { Notifier, Question } from '../../../src/editor/notifier.ts';
import { WriteConsents } from '../../../src/editor/writeConsents.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeStore } from '../../support/fakeClusters.ts';
import { deployment } from '../core/session/sessionHarness.ts';

const ref = {
  context: 'prod',
  namespace: 'shop',
  gvr: { group: 'apps', version: 'v1', resource: 'deployments' },
  name: 'web',
};
const agreed = { context: 'prod' };
const helm = { kind: 'helm', release: 'shop' } as const;
const chart: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', annotations: { 'meta.helm.sh/release-name': 'shop' } },
  spec: { replicas: 1 },
};
const plain: JsonObject = { ...chart, metadata: { name: 'web' } };

interface Answers {
  readonly dialog?: 'yes' | 'no' | 'unasked';
  readonly preview?: boolean;
  readonly isProtected?: boolean;
  /** Once anything has been asked, of the server or of a person. */
  readonly becomesProtected?: boolean;
  readonly isReadOnly?: boolean;
  readonly previews?: boolean;
  readonly autoscaler?: JsonObject;
}

class Fixture {
  readonly questions: Question[] = [];
  readonly previews: unknown[] = [];
  readonly names: string[] = [];
  readonly store = new FakeStore();
  readonly consents: WriteConsents;
  readonly #answers: Answers;
  #hasAsked = false;

  constructor(answers: Answers = {}) {
    this.#answers = answers;
    const dialog = answers.dialog ?? 'yes';
    const notifier: Notifier = {
      show: () => undefined,
      fit: (notice) => notice,
      ask: (question) => {
        this.questions.push(question);
        this.#hasAsked = true;
        return Promise.resolve(dialog);
      },
      confirm: async (question) => (await notifier.ask(question)) === 'yes',
      askName: ({ name }) => {
        this.names.push(name);
        return Promise.resolve(dialog === 'yes');
      },
    };
    this.consents = new WriteConsents({
      notifier,
      settings: {
        previewsProtectedSaves: answers.previews === true,
        readOnlyReason: () => (answers.isReadOnly === true ? 'Context prod is read-only.' : undefined),
        protectedReason: () =>
          answers.isProtected === true || (answers.becomesProtected === true && this.#hasAsked)
            ? 'Context prod is protected.'
            : undefined,
      },
      acknowledged: new AcknowledgedKeepers(this.store),
      clock: new FakeClock(),
      preview: (_document, result) => {
        this.previews.push(result);
        return Promise.resolve(answers.preview ?? true);
      },
    });
  }

  save(
    object: JsonObject = chart,
    {
      replicas = 1,
      trial = undefined as WriteOutcome | undefined,
      signal = new AbortController().signal,
    } = {},
  ): Promise<WriteConsent | RefusedTrial | undefined> {
    const on = { ...deployment('1'), object };
    const question: SaveQuestion = {
      on,
      object: { ...object, spec: { replicas } },
      signal,
      isAskedAgain: false,
      tryOut: () =>
        Promise.resolve(
          trial === undefined || trial.kind === 'committed'
            ? { kind: 'previewed', before: on, after: object, applied: [], altered: [], warnings: [] }
            : { outcome: trial },
        ),
    };
    const objects = this.#answers.autoscaler === undefined ? [] : [this.#answers.autoscaler];
    const cluster = {
      list: () => {
        this.#hasAsked ||= object === plain;
        return Promise.resolve({ kind: 'ok', value: { objects, resourceVersion: undefined } } as const);
      },
    };
    return this.consents.askSave({ ref } as LiveDocument, cluster, question);
  }
}

describe('consents to writes', () => {
  it('are given without a question where nobody else keeps the object', async () => {
    const fixture = new Fixture();
    assert.deepEqual(await fixture.save(plain, { replicas: 2 }), agreed);
    assert.equal(fixture.questions.length, 0);
  });

  it('warn once of who else keeps the object, in words that say what will happen', async () => {
    const fixture = new Fixture();
    assert.deepEqual(await fixture.save(), agreed);
    const [question] = fixture.questions;
    assert.equal(question?.message, 'Helm (release shop) may undo your change to Deployment web.');
    assert.match(question.detail, /the next upgrade or rollback may undo your change.*chart or its values/);
    assert.match(question.detail, /shop · prod/);
    assert.equal(question.confirmation, 'Save Anyway');
    assert.deepEqual(await fixture.save(), agreed);
    assert.equal(fixture.questions.length, 1);
  });

  it('warn again of someone else who keeps it, and of another object', async () => {
    const fixture = new Fixture();
    await fixture.save();
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'apps' };
    await fixture.save({ ...chart, metadata: { name: 'web', labels } });
    assert.match(fixture.questions[1]?.message ?? '', /^Flux \(Kustomization apps\)/);
    await fixture.consents.ask({ action: 'scale', ref: { ...ref, name: 'api' }, object: chart });
    assert.equal(fixture.questions[2]?.confirmation, 'Scale Anyway');
  });

  it('warn again of another object of the name: created anew, or of the cluster that the context leads to now', async () => {
    const fixture = new Fixture();
    for (const uid of ['uid-a', 'uid-a', 'uid-b']) {
      await fixture.save({ ...chart, metadata: { ...(chart['metadata'] as JsonObject), uid } });
    }
    assert.equal(fixture.questions.length, 2);
  });

  it('H5: ask where the context becomes protected while the autoscaler is looked for, or a question is open', async () => {
    for (const object of [plain, chart]) {
      const fixture = new Fixture({ becomesProtected: true });
      await fixture.save(object, { replicas: 2 });
      assert.equal(fixture.questions.at(-1)?.confirmation, 'Save in prod');
    }
  });

  it('are not given, nor remembered, where the person says no or the save was cancelled meanwhile', async () => {
    const fixture = new Fixture({ dialog: 'no' });
    assert.equal(await fixture.save(), undefined);
    assert.equal(fixture.store.values.size, 0);
    const cancelled = new Fixture();
    assert.equal(await cancelled.save(chart, { signal: AbortSignal.abort() }), undefined);
    assert.equal(cancelled.store.values.size, 0);
  });

  it('tell with the result instead where a program saves, or nobody can be asked', async () => {
    const unasked = new Fixture({ dialog: 'unasked' });
    assert.deepEqual(await unasked.save(), { ...agreed, keepers: [helm] });
    const program = new Fixture();
    const answer = await program.consents.tellingKeepers(ref, () => program.save());
    assert.deepEqual(answer, { ...agreed, keepers: [helm] });
    assert.deepEqual(program.questions, []);
    await program.save();
    assert.equal(program.questions.length, 1, 'a person is warned still');
  });

  it('warn of an autoscaler where the number of replicas is changed, and only there', async () => {
    const autoscaler = {
      metadata: { name: 'scaler' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    };
    const fixture = new Fixture({ autoscaler });
    await fixture.save(plain);
    assert.equal(fixture.questions.length, 0);
    await fixture.save(plain, { replicas: 2 });
    assert.match(fixture.questions[0]?.message ?? '', /^The horizontal pod autoscaler scaler may undo/);
    assert.match(fixture.questions[0]?.detail ?? '', /sets spec\.replicas by the load/);
  });

  it('H5: ask in a protected context each time, once about both', async () => {
    const fixture = new Fixture({ isProtected: true });
    await fixture.save();
    await fixture.save();
    const [first, second] = fixture.questions;
    assert.equal(first?.confirmation, 'Save in prod');
    assert.match(first.detail, /Helm \(release shop\) manages it/);
    assert.doesNotMatch(second?.detail ?? '', /Helm/);
    const unasked = new Fixture({ isProtected: true, dialog: 'unasked' });
    assert.equal(await unasked.save(), undefined);
    await fixture.consents.ask({ action: 'delete', ref, object: chart });
    assert.deepEqual(fixture.names, ['web']);
  });

  it('H5: ask nothing in a read-only context, where nothing is sent anyway', async () => {
    const fixture = new Fixture({ isProtected: true, isReadOnly: true, previews: true });
    assert.deepEqual(await fixture.save(), agreed);
    assert.deepEqual([fixture.questions, fixture.previews], [[], []]);
  });

  it('H5: show the dry run of each save in a protected context, where the setting wants that', async () => {
    const fixture = new Fixture({ isProtected: true, previews: true });
    assert.deepEqual(await fixture.save(plain), agreed);
    assert.equal(fixture.previews.length, 1);
    assert.equal(fixture.questions.length, 0);
    const declined = new Fixture({ isProtected: true, previews: true, preview: false });
    assert.equal(await declined.save(plain), undefined);
    const elsewhere = new Fixture({ previews: true });
    await elsewhere.save(plain);
    assert.deepEqual(elsewhere.previews, []);
  });

  it('H5: end a save in what its dry run met, and ask plainly where it cannot be tried', async () => {
    const fixture = new Fixture({ isProtected: true, previews: true });
    const outcome: WriteOutcome = { kind: 'rejected', code: 422, message: 'no', causes: [] };
    assert.deepEqual(await fixture.save(plain, { trial: outcome }), { outcome });
    const denial = { kind: 'dryRunUnsupported', name: 'hook.example.com' } as const;
    const answer = await fixture.save(plain, { trial: { ...outcome, denial } });
    assert.deepEqual(answer, agreed);
    assert.match(fixture.questions[0]?.detail ?? '', /cannot be tried out first.*hook\.example\.com/);
    assert.deepEqual(fixture.previews, []);
  });
});

describe('the keepers that a person was warned of', () => {
  it('are remembered up to a bound, the oldest given up first', async () => {
    const store = new FakeStore();
    const known = new AcknowledgedKeepers(store);
    for (let index = 0; index <= maxAcknowledged; index++) {
      await known.add({ ...ref, name: `web-${index}` }, chart, [helm]);
    }
    assert.deepEqual(known.unknownOf({ ...ref, name: 'web-0' }, chart, [helm]), [helm]);
    assert.deepEqual(known.unknownOf({ ...ref, name: 'web-1' }, chart, [helm]), []);
    store.values.set('kubemerge.acknowledgedKeepers', { a: 1 });
    assert.deepEqual(known.unknownOf(ref, chart, [helm]), [helm]);
  });
});
