// Runs inside the extension host: users who edit and save the contested objects through the extension.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/editor/extensionApi.ts';
import { type Chance, makeChance } from './chance.ts';
import { contestedObjects } from './fields.ts';
import type { UserEntry } from './journal.ts';
import { type TorturePlan, planVariable } from './plan.ts';
import { TortureUser } from './tortureUser.ts';

export async function run(): Promise<void> {
  const plan = JSON.parse(process.env[planVariable] ?? '') as TorturePlan;
  const extension = vscode.extensions.getExtension<ExtensionApi>('kubemerge.kubemerge');
  if (extension === undefined) throw new Error('the extension is not installed');
  const api = await extension.activate();
  const untilMs = Date.now() + plan.seconds * 1000;
  let lastSeed = plan.seed;
  const users = plan.contexts.flatMap((context, number) =>
    contestedObjects(plan.namespace).map(
      (object) =>
        new TortureUser({
          api,
          context,
          object,
          actor: 50 + number,
          chance: makeChance(++lastSeed * 7919),
          note: (body) => {
            const entry: UserEntry = { ...body, user: context, object: object.path, atMs: Date.now() };
            appendFileSync(plan.journalPath, `${JSON.stringify(entry)}\n`);
          },
        }),
    ),
  );
  await Promise.all(users.map((user) => work(user, makeChance(++lastSeed * 104_729), untilMs)));
}

async function work(user: TortureUser, chance: Chance, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    await user.step();
    await pause(chance.between(20, 250));
  }
  await user.finish();
}
