import { assertNever } from '../core/assertNever.ts';
import type { Denial } from '../core/errors.ts';

/**
 * Who refused a write, what they said in full, and what to do next; a part of a sentence.
 *
 * @param name of the object, with its kind
 * @param message the server's, without what may not be shown
 */
export function describeDenial(denial: Denial | undefined, name: string, message: string): string {
  switch (denial?.kind) {
    case undefined:
    case 'webhook':
    case 'policy':
    case 'admission':
      return `the server refused ${name}: ${message}`;
    case 'webhookFailed':
      return (
        `the admission webhook ${denial.name} failed, and the server takes no change past it. ` +
        `Nothing was written; whoever runs the webhook has to mend it: ${message}`
      );
    case 'quota':
      return `${name} would exceed the quota ${denial.name} of its namespace: ${message}`;
    case 'namespaceTerminating':
      return `the namespace is being deleted, and nothing can be created in it: ${message}`;
    case 'tooLarge':
      return `${name} is too large for the server: ${message}`;
    case 'dryRunUnsupported':
      return `the admission webhook ${denial.name} has side effects, so the server tries nothing past it. A save would call it: ${message}`;
    default:
      return assertNever(denial);
  }
}
