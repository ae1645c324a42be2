import assert from 'node:assert/strict';
import { LiveWindow } from './liveWindow.ts';

let started: Promise<LiveWindow> | undefined;

// A start takes seconds, so all files share one window; it ends with the run.
after(async () => {
  await (await started)?.[Symbol.asyncDispose]();
});

/** Gives the tests of a suite the window that all suites share, and leaves it without open editors after each test. */
export function useLiveWindow(): () => LiveWindow {
  let live: LiveWindow | undefined;
  before(async function () {
    this.timeout(90_000);
    live = await (started ??= LiveWindow.start());
  });
  beforeEach(function () {
    this.currentTest?.timeout(60_000);
  });
  afterEach(async function () {
    this.timeout(30_000);
    // A test that is to be run again has no state.
    if (this.currentTest !== undefined && this.currentTest.state !== 'passed')
      await live?.workbench.keepFailure(this.currentTest.fullTitle());
    await live?.reset();
  });
  return () => {
    assert.ok(live, 'the window is open');
    return live;
  };
}
