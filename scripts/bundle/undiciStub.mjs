// Stands in for undici in the bundle. The Kubernetes client is used for kubeconfigs and credentials only, which never
// reach it; the real one is 700 KB and does not load in the oldest supported extension host.
function refuse() {
  throw new Error('undici is not part of this bundle');
}

export { refuse as Agent, refuse as ProxyAgent, refuse as fetch };
