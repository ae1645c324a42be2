import { BlockList, isIP } from 'node:net';
import type { Environment } from './kubeconfigPaths.ts';

/**
 * Which proxy leads to a server: the kubeconfig's, else the environment's.
 * Source: client-go and Go's `http.ProxyFromEnvironment`, which kubectl follows; NO_PROXY may hold networks.
 *
 * @returns the proxy's URL as it is written; undefined for a direct connection
 */
export function chooseProxy(
  server: URL,
  kubeconfigProxy: string | undefined,
  env: Environment,
): string | undefined {
  if (kubeconfigProxy !== undefined) return kubeconfigProxy;
  const read = (name: string): string | undefined => {
    const values = [env[name], env[name.toLowerCase()]];
    return values.find((value) => value !== undefined && value !== '');
  };
  const proxy = read(server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || isLoopback(hostOf(server))) return undefined;
  if (isExempt(server, read('NO_PROXY') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = hostOf(server);
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  const patterns = noProxy.split(',').map((pattern) => pattern.trim().toLowerCase());
  return patterns.some((pattern) => pattern !== '' && matches(pattern, host, port));
}

function matches(pattern: string, host: string, port: string): boolean {
  if (pattern === '*') return true;
  if (pattern.includes('/')) return isInNetwork(pattern, host);
  const withPort = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(pattern);
  if (withPort !== null && withPort[2] !== port) return false;
  const name = (withPort?.[1] ?? pattern).replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0) return name === host;
  if (name.startsWith('*.')) return host.endsWith(name.slice(1));
  if (name.startsWith('.')) return host.endsWith(name);
  return host === name || host.endsWith(`.${name}`);
}

function isInNetwork(network: string, host: string): boolean {
  const [address = '', prefix = ''] = network.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(prefix)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), type);
  return list.check(host, type);
}
