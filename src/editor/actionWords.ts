import { assertNever } from '../core/assertNever.ts';
import type { JsonObject } from '../core/json.ts';
import type { Keeper } from '../core/resource/keepers.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { ActionOutcome } from '../sync/conditionalAction.ts';
import { describeDenial } from './denialWords.ts';
import { describeKeeper } from './keeperWords.ts';
import type { Notice } from './notice.ts';
import { nameObject, namePlace } from './objectWords.ts';
import { withoutSecretValues } from './secretNotice.ts';
import type { ConsentRequest } from './writeConsents.ts';

type ActionName = ConsentRequest['action'];

const did: Readonly<Record<ActionName, string>> = {
  save: 'Saved',
  create: 'Created',
  scale: 'Scaled',
  delete: 'Deleted',
  removeFinalizers: 'Removed finalizers of',
};

const notDone: Readonly<Record<ActionName, string>> = {
  save: 'Not saved',
  create: 'Not created',
  scale: 'Not scaled',
  delete: 'Not deleted',
  removeFinalizers: 'No finalizer was removed',
};

/** The words for what became of an action on a whole object. */
export function describeActionOutcome(
  action: ActionName,
  outcome: ActionOutcome,
  ref: ResourceRef,
  object: JsonObject,
  keepers: readonly Keeper[] = [],
): Notice {
  return withoutSecretValues(ref, describeAction(action, outcome, ref, object, keepers));
}

function describeAction(
  action: ActionName,
  outcome: ActionOutcome,
  ref: ResourceRef,
  object: JsonObject,
  keepers: readonly Keeper[],
): Notice {
  const name = nameObject(ref, object);
  const place = namePlace(ref);
  const failed = (why: string): Notice => notice('error', `${notDone[action]}: ${why}`);
  switch (outcome.kind) {
    case 'done': {
      const warnings = [
        ...outcome.warnings.map((warning) => ` Warning from the server: ${warning}`),
        ...keepers.map((keeper) => ` ${describeKeeper(keeper)}`),
      ].join('');
      const words =
        action === 'delete' && outcome.isTerminating === true
          ? `${name} in ${place} is being deleted: it goes when what has to clean up after it is done.`
          : `${did[action]} ${name} in ${place}.`;
      return notice(warnings === '' ? 'info' : 'warning', `${words}${warnings}`);
    }
    case 'gone':
      return notice('info', `${name} no longer exists in ${place}.`);
    case 'changed':
      return failed(`${name} changed on the server meanwhile. Look at it, then try again.`);
    case 'recreated':
      return failed(`${name} was deleted and created anew meanwhile; the new one was not touched.`);
    case 'unknown':
      return notice(
        'error',
        `It is not known what became of it: ${outcome.message} Look at ${name} before you try again.`,
      );
    case 'rejected':
      return failed(describeDenial(outcome.denial, name, outcome.message));
    case 'ownedByOther':
    case 'unauthenticated':
    case 'forbidden':
    case 'throttled':
    case 'notSent':
    case 'readOnly':
      return failed(outcome.message);
    default:
      return assertNever(outcome);
  }
}

/** Says why an action cannot be had for an object. */
export function describeNotOffered(action: ActionName, name: string, ref: ResourceRef, why: string): Notice {
  return notice('warning', `${notDone[action]}: ${name} in ${namePlace(ref)}. ${why}`);
}

function notice(severity: Notice['severity'], message: string): Notice {
  return { severity, message, actions: [] };
}
