import { assertNever } from '../core/assertNever.ts';
import type { JsonObject } from '../core/json.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { CreateOutcome } from '../sync/createObject.ts';
import { describeDenial } from './denialWords.ts';
import type { Notice } from './notice.ts';
import { nameObject, namePlace } from './objectWords.ts';
import { withoutSecretValues } from './secretNotice.ts';

/** The words for what became of a new object. */
export function describeCreateOutcome(outcome: CreateOutcome, ref: ResourceRef, object: JsonObject): Notice {
  return withoutSecretValues(ref, describeCreate(outcome, ref, object));
}

function describeCreate(outcome: CreateOutcome, ref: ResourceRef, object: JsonObject): Notice {
  const name = nameObject(ref, object);
  const place = namePlace(ref);
  const error = (message: string): Notice => ({ severity: 'error', message, actions: [] });
  switch (outcome.kind) {
    case 'created': {
      const warnings = outcome.warnings.map((warning) => ` Warning from the server: ${warning}`).join('');
      const severity = warnings === '' ? 'info' : 'warning';
      return { severity, message: `Created ${name} in ${place}.${warnings}`, actions: [] };
    }
    case 'alreadyExists':
      return error(
        `Not created: ${name} exists already in ${place}, and was not touched. ` +
          'Choose another name, or open the one that is there.',
      );
    case 'notSent':
      return error(`Not created: ${outcome.message} There is no ${name} in ${place} so far; try again.`);
    case 'unknown':
      return error(
        `It is not known whether ${name} was created in ${place}: ${outcome.message} Look for it before you try again.`,
      );
    case 'rejected':
      return error(`Not created: ${describeDenial(outcome.denial, name, outcome.message)}`);
    case 'ownedByOther':
    case 'unauthenticated':
    case 'forbidden':
    case 'throttled':
    case 'readOnly':
      return error(`Not created: ${outcome.message}`);
    default:
      return assertNever(outcome);
  }
}
