// Lets a test that looks at the window from outside run code inside the extension host of that window.
// It is installed in tests only. Requests are POSTs of { source, argument } to a loopback port, with a secret.
const http = require('node:http');
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

exports.activate = (/** @type {import('vscode').ExtensionContext} */ context) => {
  const folder = process.env.KUBEMERGE_EDITOR_FOLDER;
  const secret = process.env.KUBEMERGE_DRIVER_SECRET;
  if (folder === undefined || secret === undefined) return;
  const server = http.createServer((request, response) => {
    void answer(request, secret).then(
      (/** @type {unknown} */ value) => response.end(JSON.stringify({ value })),
      (/** @type {unknown} */ error) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        response.end(JSON.stringify({ error: message }));
      },
    );
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') return;
    // Each extension host, so each window and each reload, writes a file of its own.
    writeFileSync(
      path.join(folder, `driver-${process.pid}.json`),
      JSON.stringify({ port: address.port, pid: process.pid }),
    );
  });
  context.subscriptions.push({ dispose: () => server.close() });
};

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {string} secret
 * @returns {Promise<unknown>}
 */
async function answer(request, secret) {
  if (request.headers.authorization !== secret) throw new Error('not allowed');
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { source, argument } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const extension = vscode.extensions.getExtension('kubemerge.kubemerge');
  const api = extension === undefined ? undefined : await extension.activate();
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the source is a function of the test itself
  const run = new Function('require', `return (${source})`)(require);
  return run({ vscode, api }, argument);
}
