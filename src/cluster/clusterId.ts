import { createHash } from 'node:crypto';
import type { ClusterId } from '../core/resource/resourceRef.ts';

/** Names a cluster by where it is and what vouches for it: 12 hexadecimal digits, the same on every machine. */
export function clusterIdOf(server: string, ca: Uint8Array | undefined): ClusterId {
  const hash = createHash('sha256');
  hash.update(server);
  hash.update('\0');
  if (ca !== undefined) hash.update(ca);
  return hash.digest('hex').slice(0, 12) as ClusterId;
}
