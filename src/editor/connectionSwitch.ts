import type { ClusterPort } from '../sync/clusterPort.ts';

/** A cluster port that goes on with another connection to the same cluster, such as after new credentials. */
export class ConnectionSwitch {
  #current: ClusterPort;

  constructor(current: ClusterPort) {
    this.#current = current;
  }

  /** Delegates to the connection of the moment. */
  readonly port: ClusterPort = this.#makePort();

  get current(): ClusterPort {
    return this.#current;
  }

  use(connection: ClusterPort): void {
    this.#current = connection;
  }

  #makePort(): ClusterPort {
    const now = (): ClusterPort => this.#current;
    return {
      get context() {
        return now().context;
      },
      discover: (...args) => now().discover(...args),
      get: (...args) => now().get(...args),
      list: (...args) => now().list(...args),
      watch: (...args) => now().watch(...args),
      write: (...args) => now().write(...args),
      openApi: (...args) => now().openApi(...args),
      isAllowed: (...args) => now().isAllowed(...args),
    };
  }
}
