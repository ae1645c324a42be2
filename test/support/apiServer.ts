import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiServerBinaries, provisionApiServer } from '../../scripts/provision/apiServer.ts';
import { ApiClient } from './apiClient.ts';
import { findFreePort } from './freePort.ts';
import { type GuardedProcesses, guardProcesses } from './guardedProcesses.ts';
import { printKubeconfig, writePrivateFile } from './kubeconfig.ts';
import { bindUser, fillAggregatedRole } from './rbac.ts';

/** How a test's API server is to be. */
export interface ApiServerOptions {
  /** How often etcd forgets old versions, e.g. `3s`; the server's default is five minutes. */
  readonly compaction?: string;
  /** More kube-apiserver flags; they come last, so that they win. */
  readonly flags?: readonly string[];
  /** Users with a token beside `admin`, `viewer` and `nobody`, without rights until a test binds them. */
  readonly users?: readonly string[];
  /** Default namespace of the contexts. */
  readonly namespace?: string;
  /** A loopback address. VS Code's network patches treat 127.0.0.1 unlike others, such as 127.0.0.2. */
  readonly address?: string;
}

/** A real kube-apiserver on etcd. It ends with this process at the latest, and removes its files. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  /** Contexts `admin` (all rights) and `viewer` (ClusterRole `view`). */
  readonly kubeconfigPath: string;
  readonly caPath: string;
  /** PEM. */
  readonly ca: string;
  /** User name to bearer token. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly logPath: string;
  /** Why it ended without being asked to; undefined while it runs. */
  readonly failure: string | undefined;
  /** A client with the rights of a user; the caller closes it. */
  client(user?: string): ApiClient;
  /** Stops and starts it on the same data and port: connections break, older versions can no longer be watched. */
  restart(): Promise<void>;
  /** Kills the processes, keeping data and port for `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an API server and waits until it answers. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const binaries = await provisionApiServer();
  const folder = await mkdtemp(join(tmpdir(), 'kubemerge-cluster-'));
  const processes = guardProcesses(folder);
  try {
    return await startIn(folder, processes, binaries, options);
  } catch (error) {
    await processes.end();
    throw error;
  }
}

async function startIn(
  folder: string,
  processes: GuardedProcesses,
  binaries: ApiServerBinaries,
  options: ApiServerOptions,
): Promise<ApiServer> {
  const address = options.address ?? '127.0.0.1';
  const tokens = await writeCredentials(folder, options.users ?? []);
  const logPath = join(folder, 'apiserver.log');
  const caPath = join(folder, 'certificates', 'apiserver.crt');
  const adminToken = tokens.admin ?? '';

  let port = 0;
  const launch = async (): Promise<void> => {
    await launchProcesses(processes, binaries, { folder, address, port, logPath, options });
    await waitUntilReady({
      url: `https://${address}:${String(port)}`,
      caPath,
      token: adminToken,
      processes,
      logPath,
    });
  };
  // Another process may take the port between its choice and its use.
  for (let attempt = 1; port === 0; attempt++) {
    port = await findFreePort(address);
    try {
      await launch();
    } catch (error) {
      const isTaken = existsSync(logPath) && readFileSync(logPath, 'utf8').includes('address already in use');
      if (!isTaken || attempt === 3) throw error;
      await processes.stop();
      port = 0;
    }
  }

  const url = `https://${address}:${String(port)}`;
  const ca = readFileSync(caPath, 'utf8');
  const client = (user = 'admin'): ApiClient => {
    const token = tokens[user];
    if (token === undefined) throw new Error(`no such user: ${user}; name it in the server's options`);
    return new ApiClient({ url, ca, token });
  };
  const kubeconfigPath = join(folder, 'kubeconfig');
  const { admin = '', viewer = '' } = tokens;
  const namespace = options.namespace === undefined ? {} : { namespace: options.namespace };
  await writePrivateFile(
    kubeconfigPath,
    printKubeconfig({ url, ca, tokens: { admin, viewer }, ...namespace }),
  );
  const admin1 = client();
  await fillAggregatedRole(admin1, 'view');
  await bindUser(admin1, 'viewer', 'view');
  admin1.close();

  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= processes.end());
  return {
    url,
    kubeconfigPath,
    caPath,
    ca,
    tokens,
    logPath,
    get failure() {
      return processes.failure;
    },
    client,
    halt: () => processes.stop(),
    resume: launch,
    restart: async () => {
      await processes.stop();
      await launch();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function writeCredentials(folder: string, users: readonly string[]): Promise<Record<string, string>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(join(folder, 'accounts.key'), privateKey.export({ type: 'sec1', format: 'pem' }), {
    mode: 0o600,
  });
  await mkdir(join(folder, 'certificates'));
  const names = ['admin', 'viewer', 'nobody', ...users];
  const tokens = Object.fromEntries(names.map((name) => [name, randomBytes(16).toString('hex')]));
  const lines = names.map((name) => {
    const groups = name === 'admin' ? ',"system:masters"' : '';
    return `${tokens[name] ?? ''},${name},${name}${groups}\n`;
  });
  await writeFile(join(folder, 'tokens.csv'), lines.join(''), { mode: 0o600 });
  return tokens;
}

interface LaunchSettings {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
  readonly logPath: string;
  readonly options: ApiServerOptions;
}

async function launchProcesses(
  processes: GuardedProcesses,
  binaries: ApiServerBinaries,
  { folder, address, port, logPath, options }: LaunchSettings,
): Promise<void> {
  const flags = [
    `--bind-address=${address}`,
    `--secure-port=${String(port)}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'accounts.key')}`,
    `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--disable-admission-plugins=ServiceAccount',
    ...(options.compaction === undefined ? [] : [`--etcd-compaction-interval=${options.compaction}`]),
    ...(options.flags ?? []),
  ];
  if (binaries.kind === 'combined') {
    processes.run(binaries.binary, [folder, ...flags], logPath);
    return;
  }
  const etcdUrl = `http://127.0.0.1:${String(await findFreePort())}`;
  const peerUrl = `http://127.0.0.1:${String(await findFreePort())}`;
  processes.run(
    binaries.etcd,
    [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--log-level=error',
      '--unsafe-no-fsync',
    ],
    logPath,
  );
  processes.run(binaries.kubeApiserver, [`--etcd-servers=${etcdUrl}`, ...flags], logPath);
}

/** Longest wait for an API server's first answer, in ms; a healthy one takes 3 s. */
const readyDeadlineMs = 120_000;

async function waitUntilReady(server: {
  readonly url: string;
  readonly caPath: string;
  readonly token: string;
  readonly processes: GuardedProcesses;
  readonly logPath: string;
}): Promise<void> {
  const deadline = Date.now() + readyDeadlineMs;
  while (Date.now() < deadline && server.processes.failure === undefined) {
    if (existsSync(server.caPath)) {
      const client = new ApiClient({ ...server, ca: readFileSync(server.caPath, 'utf8') });
      const status = await client.request('GET', '/readyz').then(
        (reply) => reply.status,
        () => 0,
      );
      client.close();
      if (status === 200) return;
    }
    await pause(100);
  }
  const log = existsSync(server.logPath) ? readFileSync(server.logPath, 'utf8') : '';
  const reason = server.processes.failure ?? `no answer within ${String(readyDeadlineMs / 1000)} s`;
  throw new Error(`the API server did not start: ${reason}\n${log.split('\n').slice(-25).join('\n')}`);
}
