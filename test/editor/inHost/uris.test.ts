import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { parseDocumentPath, printDocumentPath } from '../../../src/core/resource/documentPath.ts';
import type { ClusterId } from '../../../src/core/resource/resourceRef.ts';
import { documentScheme, liveUriOf, viewUri } from '../../../src/editor/documentUris.ts';
import { anyName } from '../../support/anyName.ts';

describe('URIs of live objects', () => {
  it('are the same after VS Code has printed, parsed and stored them, for every context and object name', () => {
    fc.assert(
      fc.property(anyName, anyName, (context, name) => {
        const ref = { context, gvr: { group: '', version: 'v1', resource: 'nodes' }, name };
        const address = { clusterId: '0123456789ab' as ClusterId, ref };
        const uri = vscode.Uri.from({ scheme: documentScheme, path: printDocumentPath(address) });
        const printed = vscode.Uri.parse(uri.toString(), true);
        const stored = vscode.Uri.from(JSON.parse(JSON.stringify(uri)) as vscode.Uri);
        for (const again of [printed, stored, liveUriOf(viewUri(uri, 'live'))]) {
          assert.equal(again?.toString(), uri.toString());
          assert.deepEqual(parseDocumentPath(again.path), address);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
