/** The page of the clinic in a browser, in front of a server with the policy of the example. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import type { AuthPolicy } from '../../server/http/auth/policy.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { findChromium, withPage } from '../client/chromium.ts';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import { readTree } from '../kit/cases.ts';
import { withServer } from '../kit/http.ts';
import { root } from '../kit/tool.ts';

const home = join(root, 'examples/clinic');
const chromium = findChromium();

const history = `
EXECUTE JoinTeam(member := 'dr.diaz', team := 'north');
EXECUTE JoinTeam(member := 'dr.cole', team := 'north');
EXECUTE Book(booking_id := 'b1', patient_id := 'P1', doctor := 'dr.diaz', starts_at := '2026-03-02T09:00:00Z', email := 'ada@example.org');
EXECUTE Book(booking_id := 'b2', patient_id := 'P2', doctor := 'dr.cole', starts_at := '2026-03-03T09:00:00Z', email := 'ben@example.org');
EXECUTE WriteInvoice(invoice_id := 'i1', patient_id := 'P1', amount := 80);
EXECUTE WriteInvoice(invoice_id := 'i2', patient_id := 'P2', amount := 120);
`;

/** Is a user of the page: becomes each of them, and tells what the tables show. Then Ada books for Ben, for herself, and cancels. */
const visitor = `
  const find = (id) => document.getElementById(id);
  const rows = (id) => [...find(id).rows].map((row) => [...row.cells].slice(0, id === 'bookings' ? 6 : 3).map((cell) => cell.textContent));
  const shown = () => JSON.stringify([rows('bookings'), rows('invoices'), find('status').textContent]);
  const settled = async () => {
    for (let before = '', same = 0; same < 10; before = shown()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      same = shown() === before ? same + 1 : 0;
    }
    return JSON.parse(shown());
  };
  const become = async (token) => {
    find('who').value = token;
    find('who').dispatchEvent(new Event('change'));
    return settled();
  };
  const told = {};
  for (const { value } of [...find('who').options]) told[value] = await become(value);
  await become('patient-p1');
  find('book').patient_id.value = 'P2';
  find('book').requestSubmit();
  told.refused = (await settled())[2];
  find('book').patient_id.value = '';
  find('book').requestSubmit();
  told.booked = (await settled())[0].map(([, ...row]) => row);
  find('bookings').querySelector('button').click();
  told.cancelled = (await settled())[0].map((row) => row[5]);
  await fetch('/done', { method: 'POST', body: JSON.stringify(told) });
`;

/** The files of the page, with a visitor in it; resolves with what the visitor tells. */
function visit(program: string, server: (origin: string) => Promise<string>): Promise<unknown> {
  let done: (report: unknown) => void;
  const report = new Promise((resolve) => (done = resolve));
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': [
      'text/html',
      `${readFileSync(join(home, 'web/index.html'), 'utf8')}<script type="module">${visitor}</script>`,
    ],
    '/clinic.js': ['text/javascript', readFileSync(join(home, 'web/clinic.js'), 'utf8')],
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/done') done(await json(request));
    const [type, text] = files[pathname] ?? ['text/plain', ''];
    response.setHeader('content-type', type).end(text);
  };
  return withServer(
    (request, response) => void answer(request, response),
    async (origin) => withPage(program, `${origin}/?server=${encodeURIComponent(await server(origin))}`, report),
  );
}

test(
  'the page of the clinic shows each user what they may see',
  chromium === undefined
    ? () => console.log('not run: there is no Chromium')
    : async () => {
        const session = await openSession({ store: await openMemoryStore(), version: '0.1.0' });
        for await (const outcome of session.run({
          name: 'test',
          text: Object.values(readTree(join(home, 'schema'))).join('\n') + history,
        }))
          if (outcome.kind === 'error') throw new Error(outcome.problems.map(({ message }) => message).join('; '));
        const { auth } = JSON.parse(readFileSync(join(home, 'schemac.config.json'), 'utf8')) as { auth: AuthPolicy };
        const services = createRegistryServices(session.engine, {
          version: '0.1.0',
          modules: undefined,
          warn: () => undefined,
        });
        let stop = (): Promise<void> => Promise.resolve();
        const told = await visit(chromium, async (origin) => {
          const server = await startSample({
            settings: { auth, allowedOrigins: [origin] },
            again: sampleOver(session.engine, services, session.close),
          });
          stop = server.stop;
          return server.url;
        });
        await stop();
        const b1 = ['b1', 'P1', 'dr.diaz', '2026-03-02T09:00:00.000000Z'];
        const b2 = ['b2', 'P2', 'dr.cole', '2026-03-03T09:00:00.000000Z'];
        const [ada, ben] = ['ada@example.org', 'ben@example.org'];
        const [i1, i2] = [
          ['i1', 'P1', '80'],
          ['i2', 'P2', '120'],
        ];
        const both = (one: string, other: string): unknown => [
          [...b1, one, 'booked'],
          [...b2, other, 'booked'],
        ];
        const mine = ['P1', 'dr.diaz', '2026-03-09T09:00:00.000000Z', 'me@example.org', 'booked'];
        assert.equal(told, {
          'patient-p1': [[[...b1, ada, 'booked']], [i1], ''],
          'patient-p2': [[[...b2, ben, 'booked']], [i2], ''],
          'reception-demo': [both(ada, ben), [], ''],
          'doctor-demo': [both('****', '****'), [], ''],
          'colleague-demo': [both('****', '****'), [], ''],
          'accounts-demo': [[], [i1, i2], ''],
          refused: 'Book: only for yourself',
          booked: [[...b1.slice(1), ada, 'booked'], mine],
          cancelled: ['cancelled', 'booked'],
        });
      },
);

test.run();
