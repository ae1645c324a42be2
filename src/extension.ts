import { homedir } from 'node:os';
import { createClusters } from './cluster/clusters.ts';
import { systemClock } from './cluster/systemClock.ts';
import { DisposableStore } from './core/lifecycle.ts';
import { CommandRegistry } from './editor/commandMap.ts';
import { DocumentLoader } from './editor/documentLoader.ts';
import { createExtensionApi, type ExtensionApi } from './editor/extensionApi.ts';
import type { ExtensionContext } from './editor/extensionContext.ts';
import { FullMessages, registerFullMessages } from './editor/fullMessages.ts';
import { Log } from './editor/log.ts';
import { WindowNotifier } from './editor/notifier.ts';
import { createObjectBrowser } from './editor/objectBrowser.ts';
import { registerObjectLinks } from './editor/objectLinks.ts';
import { createOpenLive, type OpenLive, type OpenLiveDependencies, registerOpen } from './editor/openLive.ts';
import { describeTokenRotation } from './editor/signInWords.ts';
import { registerSignIn } from './editor/terminalSignIn.ts';
import { Settings } from './editor/settings.ts';
import { StorageCache } from './editor/storageCache.ts';

/** Builds the extension and joins its layers. Nothing is asked of any cluster before a person does. */
export async function activate(context: ExtensionContext): Promise<ExtensionApi> {
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  const log = owned.add(new Log());
  const settings = owned.add(new Settings());
  const clock = systemClock;
  const messages = owned.add(new FullMessages());
  const notifier = new WindowNotifier(log.reportError, messages);
  const commands = new CommandRegistry((id, error) => {
    log.reportError(error);
    notifier.show({ severity: 'error', message: messageOf(error), actions: [] });
  });

  const clusters = owned.add(
    createClusters({
      env: () => process.env,
      platform: process.platform,
      homeDir: homedir(),
      kubeconfigPaths: () => settings.kubeconfigPaths,
      clock,
      readOnlyReason: (name) => settings.readOnlyReason(name),
      protectedReason: (name) => settings.protectedReason(name),
      onRequest: log.logRequest,
      onPluginOutput: ({ command, text }) => {
        log.info(`${command}: ${text}`);
      },
      secrets: context.secrets,
      onTokenRotated: (rotation) => {
        notifier.show(describeTokenRotation(rotation));
      },
      openApiCache: new StorageCache(context.globalStorageUri),
    }),
  );
  await clusters.reload();
  owned.add(
    settings.onDidChange(() => {
      clusters.reload().catch(log.reportError);
    }),
  );

  owned.add(registerFullMessages(commands, messages));
  owned.add(registerSignIn({ clusters, commands, notifier }));

  const documents = owned.add(
    new DocumentLoader({
      ...{ clusters, clock, commands, settings, notifier },
      storage: context,
      open: (ref) => open(ref),
      reportError: log.reportError,
    }),
  );
  const opening: OpenLiveDependencies = {
    commands,
    documents,
    remember: (address) => {
      browser.remember(address);
    },
    ask: (open) => browser.ask(open),
  };
  const open: OpenLive = createOpenLive(opening);
  const browser = owned.add(
    createObjectBrowser({
      clusters,
      clock,
      commands,
      documents,
      notifier,
      settings,
      memory: context.globalState,
      open: async (ref) => {
        await open(ref);
      },
      reportError: log.reportError,
    }),
  );
  owned.add(registerOpen(opening, open));
  owned.add(registerObjectLinks({ clusters, commands, notifier, open, extensionId: context.extension.id }));
  return createExtensionApi(documents, open);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
