import { isJsonArray, isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';

/**
 * Someone beside the people who edit an object: it keeps the object as its own sources say, so that what a
 * person saves may not last.
 */
export type Keeper =
  /** The controller that the object belongs to, such as a ReplicaSet's Deployment. */
  | { readonly kind: 'controller'; readonly ownerKind: string; readonly name: string }
  | { readonly kind: 'helm'; readonly release?: string; readonly namespace?: string }
  | { readonly kind: 'argoCd'; readonly application?: string }
  | {
      readonly kind: 'flux';
      readonly source: 'Kustomization' | 'HelmRelease';
      readonly name?: string;
      readonly namespace?: string;
    }
  /** Any other tool that `app.kubernetes.io/managed-by` names. */
  | { readonly kind: 'tool'; readonly name: string }
  /** It sets `spec.replicas`. */
  | { readonly kind: 'autoscaler'; readonly name?: string };

/**
 * Finds who keeps an object, by what they write into its metadata. Autoscalers are found elsewhere.
 *
 * Source: Kubernetes `metav1.GetControllerOf` and recommended labels; Helm, `action/validate.go`; Argo CD,
 * "Resource Tracking", and its field managers; Flux, labels and annotations of kustomize-controller and
 * helm-controller, and their field managers.
 */
export function findKeepers(object: JsonObject): readonly Keeper[] {
  const marks = readMarks(object);
  const gitOps = [argoCdOf(marks), ...fluxOf(marks)].filter((keeper) => keeper !== undefined);
  // Flux and Argo CD install charts with Helm's own marks: they are the ones who come back.
  const packager = gitOps.length > 0 ? undefined : (helmOf(marks) ?? toolOf(marks));
  return [controllerOf(object), ...gitOps, packager].filter((keeper) => keeper !== undefined);
}

/** What of an object's metadata tools leave their marks in. */
interface Marks {
  readonly label: (key: string) => string | undefined;
  readonly annotation: (key: string) => string | undefined;
  /** Field managers, each once. */
  readonly managers: ReadonlySet<string>;
}

function readMarks(object: JsonObject): Marks {
  const read = (map: string) => (key: string) => textOf(memberAt(object, 'metadata', map, key));
  const entries = memberAt(object, 'metadata', 'managedFields');
  const managers = isJsonArray(entries) ? entries.map((entry) => textOf(memberAt(entry, 'manager'))) : [];
  return {
    label: read('labels'),
    annotation: read('annotations'),
    managers: new Set(managers.filter((name) => name !== undefined)),
  };
}

function controllerOf(object: JsonObject): Keeper | undefined {
  const owners = memberAt(object, 'metadata', 'ownerReferences');
  if (!isJsonArray(owners)) return undefined;
  const controller = owners.find((owner) => isJsonObject(owner) && owner.controller === true);
  const ownerKind = textOf(memberAt(controller, 'kind'));
  const name = textOf(memberAt(controller, 'name'));
  return ownerKind === undefined || name === undefined ? undefined : { kind: 'controller', ownerKind, name };
}

function argoCdOf({ label, annotation, managers }: Marks): Keeper | undefined {
  // `APPLICATION:GROUP/KIND:NAMESPACE/NAME`
  const tracking = annotation('argocd.argoproj.io/tracking-id')?.split(':')[0];
  const application = tracking ?? label('argocd.argoproj.io/instance');
  if (application !== undefined && application !== '') return { kind: 'argoCd', application };
  const isManager = managers.has('argocd-controller') || managers.has('argocd-application-controller');
  return isManager ? { kind: 'argoCd' } : undefined;
}

function fluxOf({ label, annotation, managers }: Marks): readonly Keeper[] {
  if (annotation('kustomize.toolkit.fluxcd.io/reconcile') === 'disabled') return [];
  const sources = [
    ['Kustomization', 'kustomize.toolkit.fluxcd.io', 'kustomize-controller'],
    ['HelmRelease', 'helm.toolkit.fluxcd.io', 'helm-controller'],
  ] as const;
  return sources.flatMap(([source, prefix, manager]): Keeper[] => {
    const name = label(`${prefix}/name`);
    const namespace = label(`${prefix}/namespace`);
    if (name === undefined && !managers.has(manager)) return [];
    return [
      {
        kind: 'flux',
        source,
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    ];
  });
}

function helmOf({ label, annotation, managers }: Marks): Keeper | undefined {
  const release = annotation('meta.helm.sh/release-name');
  const namespace = annotation('meta.helm.sh/release-namespace');
  const isHelm = release !== undefined || label(managedByLabel) === 'Helm' || managers.has('helm');
  if (!isHelm) return undefined;
  return {
    kind: 'helm',
    ...(release === undefined ? {} : { release }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

const managedByLabel = 'app.kubernetes.io/managed-by';

function toolOf({ label }: Marks): Keeper | undefined {
  const name = label(managedByLabel);
  // kubectl is what people use by hand.
  return name === undefined || name === 'kubectl' ? undefined : { kind: 'tool', name };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
