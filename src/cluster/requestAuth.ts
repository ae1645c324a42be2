/** Options of one TLS connection. They go on the request: an editor's host may drop those of an agent. */
export interface TlsOptions {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** What shows the server who is asking. Never logged. */
export interface RequestAuth {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: TlsOptions;
}
