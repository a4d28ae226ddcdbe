import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findChromium } from './chromium.ts';
import { withScriptPage } from './script-page.ts';
import { withServedClient } from './served-client.ts';

const chromium = findChromium();

/** The page as one bundled module, with the generated client and the package that reads Arrow. */
async function bundlePage(folder: string, baseUrl: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: readFileSync(new URL('./page.js', import.meta.url), 'utf8'), resolveDir: folder },
    define: { baseUrl: JSON.stringify(baseUrl) },
    conditions: ['schemac-source'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** The results that the page reported. */
function visit(program: string): Promise<unknown> {
  return withScriptPage(program, async ({ origin, run }) => {
    const sha256 = createHash('sha256').update('secret').digest('hex');
    const auth = { tokens: [{ sha256, subject: 'page', roles: ['all'] }], roles: { all: ['*'] } };
    let found: unknown;
    await withServedClient(
      async ({ url, folder }) => {
        found = await run(await bundlePage(folder, url));
      },
      // The page has another origin, so that all its calls use CORS.
      { auth, allowedOrigins: [origin] },
    );
    return found;
  });
}

test('a client is bundled for web pages without modules of Node', () =>
  withServedClient(async ({ folder }) => {
    const script = await bundlePage(folder, 'http://127.0.0.1');
    assert.not.match(script, /\brequire\(|from ?["']node:/);
  }));

/** A page that gets two events on each connection, and connects again by itself. */
const streamPage = `
  const source = new EventSource(baseUrl + '/api/events?limit=2');
  const seen = [];
  let connections = 0;
  source.addEventListener('$end', () => (connections += 1));
  source.onmessage = ({ data, lastEventId }) => {
    seen.push([lastEventId, JSON.parse(data).event_type]);
    if (seen.length < 5) return;
    source.close();
    fetch('/done', { method: 'POST', body: JSON.stringify({ seen, connections }) });
  };`;

if (chromium !== undefined)
  test('the EventSource of a page gets each event once over its connections', () =>
    withScriptPage(chromium, ({ origin, run }) =>
      withServedClient(
        async ({ url, createClient }) => {
          const client = createClient();
          const pay = async (): Promise<void> => {
            for (let payment = 1; payment <= 5; payment++)
              await client.commands.Pay({ purse_id: 'p', amount: payment });
          };
          const [reported] = await Promise.all([run(`const baseUrl = ${JSON.stringify(url)};${streamPage}`), pay()]);
          const seen = [1, 2, 3, 4, 5].map((position) => [String(position), 'Paid']);
          assert.equal(reported, { seen, connections: 2 });
        },
        { allowedOrigins: [origin] },
      ),
    ));

if (chromium === undefined) {
  console.log('skipped: there is no Chromium on this machine to try the client in');
  test.skip('a client works in a web page as in Node', () => undefined);
} else {
  test('a client works in a web page as in Node', async () => {
    const nothing = { rate: null, n: null, weight: null, open: null, day: null, id: null, pin: null };
    const payment = {
      ...nothing,
      amount: '0.10',
      ref: '9223372036854775807n',
      at: '2026-01-31T08:00:00.123456Z',
      doc: { a: [1] },
    };
    const expected = (name: string): object => ({
      first: [{ event_type: 'Paid', stream_id: name, seq: '1n', fields: { ...payment, receipt: 'thanks' } }],
      replayed: true,
      seen: [{ ...payment, receipt: null }],
      state: [{ aggregate_id: name, purse_id: name, balance: '0.10', moves: '1n', seen: payment.at, open: null }],
      lost: 'refused 412',
      refused: 'refused 400',
      foreign: 'refused 401',
      aborted: 'AbortError',
      gone: 'unreachable',
    });
    assert.equal(await visit(chromium), { arrow: expected('arrow'), json: expected('json') });
  });
}

test.run();
