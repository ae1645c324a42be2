import { assertNever } from '../core/assertNever.ts';
import type { Keeper } from '../core/resource/keepers.ts';
import { joinNames } from './fieldWords.ts';

/** Who keeps an object, for the beginning of a sentence: `Helm (release shop) and Argo CD`. */
export function nameKeepers(keepers: readonly Keeper[]): string {
  return capitalize(joinNames(keepers.map(nameKeeper)));
}

function nameKeeper(keeper: Keeper): string {
  switch (keeper.kind) {
    case 'controller':
      return `${keeper.ownerKind} ${keeper.name}`;
    case 'helm':
      return keeper.release === undefined ? 'Helm' : `Helm (release ${keeper.release})`;
    case 'argoCd':
      return keeper.application === undefined ? 'Argo CD' : `Argo CD (application ${keeper.application})`;
    case 'flux': {
      const { source, name, namespace } = keeper;
      const place = namespace === undefined ? '' : `${namespace}/`;
      return name === undefined ? 'Flux' : `Flux (${source} ${place}${name})`;
    }
    case 'tool':
      return keeper.name;
    case 'autoscaler':
      return keeper.name === undefined
        ? 'a horizontal pod autoscaler'
        : `the horizontal pod autoscaler ${keeper.name}`;
    default:
      return assertNever(keeper);
  }
}

/** What will become of a change that they know nothing of, and where to make one that lasts: sentences. */
export function describeKeeper(keeper: Keeper): string {
  const who = nameKeeper(keeper);
  switch (keeper.kind) {
    case 'controller':
      return `It belongs to ${who}, whose controller may set your change back at any time, or replace the object. For a change that lasts, edit ${who}.`;
    case 'helm':
      return `${who} manages it: the next upgrade or rollback may undo your change. For a change that lasts, change the chart or its values.`;
    case 'argoCd':
      return `${who} manages it: the next sync undoes your change, within minutes where it heals by itself. For a change that lasts, change its source, usually a git repository.`;
    case 'flux':
      return `${who} manages it: the next reconciliation undoes your change, usually within minutes. For a change that lasts, change its source, usually a git repository.`;
    case 'tool':
      return `Its label app.kubernetes.io/managed-by says that ${who} manages it, which may undo your change.`;
    case 'autoscaler':
      return `${capitalize(who)} sets spec.replicas by the load: your number lasts until it looks again, usually some seconds. For a change that lasts, change its minReplicas and maxReplicas.`;
    default:
      return assertNever(keeper);
  }
}

/** What they may do once the object is deleted: a short sentence. */
export function describeReturn(keeper: Keeper): string {
  const who = capitalize(nameKeeper(keeper));
  switch (keeper.kind) {
    case 'controller':
      return `${who} owns it: its controller may put another in its place.`;
    case 'helm':
      return `${who} manages it: the next upgrade or rollback may create it anew.`;
    case 'argoCd':
      return `${who} manages it: the next sync creates it anew, maybe within minutes.`;
    case 'flux':
      return `${who} manages it: the next reconciliation creates it anew, usually within minutes.`;
    case 'tool':
      return `By its label app.kubernetes.io/managed-by, ${keeper.name} manages it and may create it anew.`;
    case 'autoscaler':
      return `${who} scales it, and stays without it.`;
    default:
      return assertNever(keeper);
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
