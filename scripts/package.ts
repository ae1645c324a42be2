// npm run package [-- --out FILE]: packs the extension, bundled for release, into dist/kubemerge.vsix.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packVsix } from './packaging/packVsix.ts';
import { repositoryRoot, userPath } from './repository.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const vsix = values.out === undefined ? join(repositoryRoot, 'dist', 'kubemerge.vsix') : userPath(values.out);
console.log((await packVsix(vsix)).trim());
