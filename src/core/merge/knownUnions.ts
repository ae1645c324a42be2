import type { MapRule } from './mergeSchema.ts';

type Union = Extract<MapRule, { kind: 'union' }>;

const oneOf = (...members: string[]): Union => ({ kind: 'union', members });
const chosenBy = (discriminator: string, ...members: string[]): Union => ({
  kind: 'union',
  members,
  discriminator,
});

/**
 * Built-in types of which only one of these members may be set, by the end of their definition's name.
 * The API server refuses the others, yet OpenAPI does not say so.
 *
 * Source: the types' validation in the Kubernetes API reference, "exactly one of", "at most one of".
 */
export const knownUnions: Readonly<Record<string, Union>> = {
  'io.k8s.api.core.v1.EnvVar': oneOf('value', 'valueFrom'),
  'io.k8s.api.core.v1.EnvVarSource': oneOf(
    'configMapKeyRef',
    'fieldRef',
    'fileKeyRef',
    'resourceFieldRef',
    'secretKeyRef',
  ),
  'io.k8s.api.core.v1.Probe': oneOf('exec', 'grpc', 'httpGet', 'tcpSocket'),
  'io.k8s.api.core.v1.LifecycleHandler': oneOf('exec', 'httpGet', 'sleep', 'tcpSocket'),
  'io.k8s.api.apps.v1.DaemonSetUpdateStrategy': chosenBy('type', 'rollingUpdate'),
  'io.k8s.api.apps.v1.StatefulSetUpdateStrategy': chosenBy('type', 'rollingUpdate'),
  'io.k8s.api.networking.v1.IngressBackend': oneOf('resource', 'service'),
  'io.k8s.api.policy.v1.PodDisruptionBudgetSpec': oneOf('maxUnavailable', 'minAvailable'),
  'io.k8s.api.admissionregistration.v1.WebhookClientConfig': oneOf('service', 'url'),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion': chosenBy(
    'strategy',
    'webhook',
  ),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig': oneOf('service', 'url'),
};
