import type { Agent, AgentOptions } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/**
 * Builds the owner of connections through a proxy.
 *
 * @throws Error where the proxy's URL has a scheme that is not supported
 */
export function createProxyAgent(isTls: boolean, proxy: string, options: AgentOptions): Agent {
  const agent = agentFor(isTls, proxy, options);
  // It would guess from the call stack whether https.request was used.
  agent.protocol = isTls ? 'https:' : 'http:';
  return agent;
}

function agentFor(isTls: boolean, proxy: string, options: AgentOptions): Agent & { protocol: string } {
  if (!URL.canParse(proxy)) throw new Error('the proxy-url is not a URL');
  const { protocol } = new URL(proxy);
  switch (protocol) {
    case 'http:':
    case 'https:':
      return isTls ? new HttpsProxyAgent(proxy, options) : new HttpProxyAgent(proxy, options);
    case 'socks5:':
    case 'socks5h:':
      // The name is resolved by the proxy, as Go does for socks5.
      return new SocksProxyAgent(proxy.replace(/^socks5:/, 'socks5h:'), options);
    default:
      throw new Error(
        `the proxy-url has the scheme ${protocol}//, which is not supported: use http, https or socks5`,
      );
  }
}
