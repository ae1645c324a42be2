import { createServer } from 'node:net';

/** @returns a TCP port that was free a moment ago; another process may take it before it is used */
export function findFreePort(address = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, address, () => {
      const found = probe.address();
      probe.close(() => {
        if (found === null || typeof found === 'string') reject(new Error('no port'));
        else resolve(found.port);
      });
    });
  });
}
