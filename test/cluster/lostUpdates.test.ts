import assert from 'node:assert/strict';
import type { ApiClient } from '../support/apiClient.ts';
import { ApiTypes } from '../support/lostUpdates/apiTypes.ts';
import { playScenario } from '../support/lostUpdates/playScenario.ts';
import { readScenarios } from '../support/lostUpdates/scenarios.ts';
import { setUpCluster } from '../support/lostUpdates/setUpCluster.ts';
import { kubemerge } from '../support/lostUpdates/tools/kubemerge.ts';
import { sharedApiServer } from '../support/sharedApiServer.ts';
import { type OpenClusters, openClusters } from './openClusters.ts';

describe('two writers, of whom neither loses a change', () => {
  let client: ApiClient;
  let types: ApiTypes;
  let opened: OpenClusters;

  before(async () => {
    const server = await sharedApiServer();
    client = server.client();
    await setUpCluster(client);
    types = new ApiTypes(client);
    opened = await openClusters([server.kubeconfigPath]);
  });

  after(() => {
    opened.clusters.dispose();
    client.close();
  });

  for (const scenario of readScenarios()) {
    it(scenario.title, async () => {
      const cluster = opened.connect('admin');
      const played = await playScenario(kubemerge(cluster), { client, types, scenario });
      assert.equal(played.verdict, 'right', played.details);
    });
  }
});
