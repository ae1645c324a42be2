import type { JsonObject } from '../../src/core/json.ts';
import { withMember } from '../../src/core/json.ts';
import { committed, configMap, create, openFixture, update } from '../cluster/clusterFixture.ts';
import { type Figure, median } from './figure.ts';

const pairs = 300;

/** A conditional PUT of the product against a bare `https` PUT of the same bytes, in turn, on kept connections. */
export async function run(): Promise<readonly Figure[]> {
  await using fixture = await openFixture();
  const { namespace, other } = fixture;
  const direct = await fixture.openDirectly();
  const cluster = direct.connect('admin');
  let ours = await create(cluster, fixture.ref('ours'), configMap('ours'));
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  let theirs = (await other.create(path, configMap('theirs'))) as JsonObject;
  const oursMs: number[] = [];
  const bareMs: number[] = [];
  for (let round = 0; round < pairs; round++) {
    const data = { key: String(round) };
    const putOurs = async (): Promise<void> => {
      const startedAt = performance.now();
      ours = committed(
        await update(cluster, fixture.ref('ours'), ours, withMember(ours.object, 'data', data)),
      );
      oursMs.push(performance.now() - startedAt);
    };
    const putBare = async (): Promise<void> => {
      const startedAt = performance.now();
      const query = 'fieldValidation=Strict&fieldManager=bare';
      theirs = (await other.replace(
        `${path}/theirs?${query}`,
        withMember(theirs, 'data', data),
      )) as JsonObject;
      bareMs.push(performance.now() - startedAt);
    };
    for (const put of round % 2 === 0 ? [putOurs, putBare] : [putBare, putOurs]) await put();
  }
  const [ourMedian, bareMedian] = [median(oursMs), median(bareMs)];
  return [
    {
      name: 'conditional PUT, median of 300 pairs',
      value: ourMedian / bareMedian,
      unit: 'ratio',
      against: 'a bare https PUT',
      goal: 1.1,
    },
    { name: 'conditional PUT beyond a bare one', value: ourMedian - bareMedian, unit: 'ms', goal: 0.5 },
  ];
}
