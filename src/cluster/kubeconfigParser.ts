import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type {
  AuthProviderConfig,
  Entry,
  ExecConfig,
  Impersonation,
  KubeconfigFile,
  KubeUser,
  Material,
  RawCluster,
  RawContext,
} from './kubeconfigModel.ts';
import { fromWindowsPath, pathsFor } from './kubeconfigPaths.ts';
import {
  isTextList,
  isTextMap,
  isTrue,
  textOf,
  type TextMap,
  type Texts,
  textsOf,
  toTexts,
} from './yamlTexts.ts';

/** Name of the cluster extension that exec plugins are given. Source: client-go `clientcmd`. */
const execExtensionName = 'client.authentication.k8s.io/exec';

/**
 * Reads one kubeconfig file. An entry that cannot be read is kept with its problem and hides nothing else.
 *
 * @param path absolute; relative paths in the file are resolved against its folder
 * @param isWsl the file may be shared with Windows: its paths with a drive letter are those below `/mnt`
 * @returns never throws; no message quotes the file, which holds secrets
 */
export function parseKubeconfig(
  text: string,
  path: string,
  { platform, isWsl = false }: { readonly platform: NodeJS.Platform; readonly isWsl?: boolean },
): KubeconfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const nothing = { clusters: new Map(), users: new Map(), contexts: new Map() };
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    return { path, ...nothing, problems: [`${path} is not valid YAML (line ${line}: ${error.code})`] };
  }
  const root = toTexts(document.contents, document);
  if (root === undefined) return { path, ...nothing, problems: [] };
  if (!isTextMap(root)) return { path, ...nothing, problems: [`${path} does not hold a kubeconfig`] };

  const paths = pathsFor(platform);
  const folder = paths.dirname(path);
  const resolve = (file: string): string => {
    const own = isWsl ? fromWindowsPath(file) : file;
    return paths.isAbsolute(own) ? own : paths.join(folder, own);
  };
  const resolveCommand = (command: string): string =>
    (platform === 'win32' || isWsl ? /[\\/]/ : /\//).test(command) ? resolve(command) : command;
  const currentContext = textOf(root['current-context']);
  const problems: string[] = [];
  const read = <T>(key: string, member: string, convert: (body: TextMap, name: string, index: number) => T) =>
    readEntries(root[key], { key, member, path, problems, convert });
  return {
    path,
    ...(currentContext === undefined ? {} : { currentContext }),
    clusters: read('clusters', 'cluster', (body, name, index) =>
      toCluster(body, name, resolve, () => execExtensionAt(document, index)),
    ),
    users: read('users', 'user', (body, name) => toUser(body, name, resolve, resolveCommand)),
    contexts: read('contexts', 'context', toContext),
    problems,
  };
}

interface EntryReader<T> {
  readonly key: string;
  readonly member: string;
  readonly path: string;
  readonly problems: string[];
  readonly convert: (body: TextMap, name: string, index: number) => T;
}

/** A mistake in one entry; its message becomes the entry's problem. */
class EntryProblem extends Error {}

function readEntries<T>(list: Texts, reader: EntryReader<T>): Map<string, Entry<T>> {
  const { key, member, path, problems, convert } = reader;
  const entries = new Map<string, Entry<T>>();
  if (list === undefined) return entries;
  if (!isTextList(list)) {
    problems.push(`${key} in ${path} is not a list`);
    return entries;
  }
  list.forEach((item, index) => {
    const name = isTextMap(item) ? textOf(item.name) : undefined;
    if (name === undefined || !isTextMap(item)) {
      problems.push(`entry ${index + 1} of ${key} in ${path} has no name`);
      return;
    }
    if (entries.has(name)) return;
    try {
      const body = item[member] ?? {};
      if (!isTextMap(body)) throw new EntryProblem(`${member} "${name}" in ${path} is not a mapping`);
      entries.set(name, { kind: 'ok', value: convert(body, name, index) });
    } catch (error) {
      if (!(error instanceof EntryProblem)) throw error;
      entries.set(name, { kind: 'bad', problem: error.message });
    }
  });
  return entries;
}

function toCluster(
  body: TextMap,
  name: string,
  resolve: (file: string) => string,
  execExtension: () => unknown,
): RawCluster {
  const server = textOf(body.server);
  if (server === undefined) throw new EntryProblem(`cluster "${name}" has no server`);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new EntryProblem(`the server of cluster "${name}" is not an http or https URL`);
  }
  const caMaterial = toMaterial(body, 'certificate-authority', resolve);
  const tlsServerName = textOf(body['tls-server-name']);
  const proxyUrl = textOf(body['proxy-url']);
  const extension = isTextList(body.extensions) ? execExtension() : undefined;
  return {
    name,
    server: server.replace(/\/+$/, ''),
    skipTlsVerify: isTrue(body['insecure-skip-tls-verify']),
    isCompressionDisabled: isTrue(body['disable-compression']),
    ...(caMaterial === undefined ? {} : { caMaterial }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(extension === undefined ? {} : { execExtension: extension }),
  };
}

function toContext(body: TextMap, name: string): RawContext {
  const cluster = textOf(body.cluster);
  if (cluster === undefined) throw new EntryProblem(`context "${name}" names no cluster`);
  return {
    name,
    cluster,
    user: textOf(body.user) ?? '',
    namespace: textOf(body.namespace) ?? 'default',
  };
}

function toUser(
  body: TextMap,
  name: string,
  resolve: (file: string) => string,
  resolveCommand: (command: string) => string,
): KubeUser {
  const clientCertificate = toMaterial(body, 'client-certificate', resolve);
  const clientKey = toMaterial(body, 'client-key', resolve);
  const token = textOf(body.token);
  const tokenFile = textOf(body.tokenFile);
  const username = textOf(body.username);
  const password = textOf(body.password);
  const exec = body.exec === undefined ? undefined : toExec(body.exec, name, resolveCommand);
  const authProvider = toAuthProvider(body['auth-provider'], resolve);
  return {
    name,
    impersonation: toImpersonation(body, name),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(token === undefined ? {} : { token }),
    ...(tokenFile === undefined ? {} : { tokenFile: resolve(tokenFile) }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(exec === undefined ? {} : { exec }),
    ...(authProvider === undefined ? {} : { authProvider }),
  };
}

function toExec(exec: Texts, user: string, resolveCommand: (command: string) => string): ExecConfig {
  const body = isTextMap(exec) ? exec : {};
  const command = textOf(body.command);
  if (command === undefined) throw new EntryProblem(`the exec plugin of user "${user}" has no command`);
  const mode = textOf(body.interactiveMode) ?? 'IfAvailable';
  if (mode !== 'Never' && mode !== 'IfAvailable' && mode !== 'Always') {
    throw new EntryProblem(`the exec plugin of user "${user}" has an unknown interactiveMode`);
  }
  const env = isTextList(body.env) ? body.env : [];
  const installHint = textOf(body.installHint);
  return {
    apiVersion: textOf(body.apiVersion) ?? '',
    command: resolveCommand(command),
    args: (isTextList(body.args) ? body.args : []).map((argument) => textOf(argument) ?? ''),
    env: env.filter(isTextMap).flatMap((variable) => {
      const name = textOf(variable.name);
      return name === undefined ? [] : [{ name, value: textOf(variable.value) ?? '' }];
    }),
    provideClusterInfo: isTrue(body.provideClusterInfo),
    interactiveMode: mode,
    ...(installHint === undefined ? {} : { installHint: installHint.trim() }),
  };
}

function toAuthProvider(provider: Texts, resolve: (file: string) => string): AuthProviderConfig | undefined {
  if (!isTextMap(provider)) return undefined;
  const config: Record<string, string> = {};
  for (const [key, value] of Object.entries(isTextMap(provider.config) ? provider.config : {})) {
    if (typeof value === 'string' && value !== '') {
      config[key] = key === 'idp-certificate-authority' ? resolve(value) : value;
    }
  }
  return { name: textOf(provider.name) ?? '', config };
}

function toImpersonation(body: TextMap, name: string): Impersonation {
  const user = textOf(body.as);
  const uid = textOf(body['as-uid']);
  const extra: Record<string, readonly string[]> = {};
  const extras = body['as-user-extra'];
  for (const [key, values] of Object.entries(isTextMap(extras) ? extras : {})) extra[key] = textsOf(values);
  const groups = textsOf(body['as-groups']);
  if (user === undefined && (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0)) {
    throw new EntryProblem(
      `user "${name}" acts with the uid, groups or extras of someone that "as" does not name`,
    );
  }
  return {
    groups,
    extra,
    ...(user === undefined ? {} : { user }),
    ...(uid === undefined ? {} : { uid }),
  };
}

/** Data wins over a file, as in client-go. */
function toMaterial(body: TextMap, key: string, resolve: (file: string) => string): Material | undefined {
  const data = textOf(body[`${key}-data`]);
  if (data !== undefined) return { kind: 'inline', base64: data };
  const file = textOf(body[key]);
  return file === undefined ? undefined : { kind: 'file', path: resolve(file) };
}

/** Only this extension keeps its JSON types: a plugin is given it as it is. */
function execExtensionAt(document: Document, clusterIndex: number): unknown {
  const extensions: unknown = document.getIn(['clusters', clusterIndex, 'cluster', 'extensions']);
  if (!isSeq(extensions)) return undefined;
  const found = extensions.items.find((item) => isMap(item) && item.get('name') === execExtensionName);
  const extension: unknown = isMap(found) ? found.get('extension', true) : undefined;
  return isMap(extension) || isScalar(extension) || isSeq(extension) ? extension.toJS(document) : undefined;
}
