// A mocha reporter that prints failures at their end and leaves the counts in the file that KUBEMERGE_TEST_COUNTS names.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class CountingReporter extends Mocha.reporters.Base {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    /** @type {string[]} */
    const retried = [];
    /** @type {(test: import('mocha').Test, error: Error) => void} */
    const onRetry = (test, error) => {
      retried.push(`${test.fullTitle()}: ${error.message.split('\n', 1)[0] ?? ''}`);
    };
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, onRetry);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      this.epilogue();
      const { passes, failures } = this.stats;
      const path = process.env.KUBEMERGE_TEST_COUNTS;
      if (path !== undefined)
        writeFileSync(path, JSON.stringify({ passed: passes, failed: failures, retried }));
    });
  }
}
