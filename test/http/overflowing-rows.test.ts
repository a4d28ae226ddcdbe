/**
 * A sum that its field cannot hold, of events that were accepted: the failure stays in its row, names it, and goes with a later event that brings the
 * sum back. All else is read and written as before, also after a restart.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadEngine } from '../../language/contract/read-model.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { startSample } from './sample-server.ts';

const test = suite('rows that overflow');

const schema = `
CREATE AGGREGATE Acc (acc_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Pay (acc_id STRING, amount DECIMAL(12,2), points BIGINT, pin STRING SENSITIVE NULL);
CREATE EVENT Paid (amount DECIMAL(12,2), points BIGINT, pin STRING SENSITIVE);
CREATE DECISION PayIt FOR Acc ON COMMAND Pay EMIT AS SELECT EVENT Paid (amount := :amount, points := :points, pin := :pin);
CREATE COMMAND See (acc_id STRING);
CREATE EVENT Seen (balance DECIMAL(12,2));
CREATE DECISION SeeIt FOR Acc ON COMMAND See STATE AS SELECT balance FROM Reg."Acc$Agg" WHERE aggregate_id = :acc_id
EMIT AS SELECT EVENT Seen (balance := balance);
CREATE PROJECTION Sums AS SELECT stream_id AS acc, SUM(data.amount) AS total, SUM(data.points) AS points, COUNT(*) AS n FROM Reg."Acc$Events" GROUP BY stream_id;
CREATE PROJECTION Hidden AS SELECT LAST(data.pin) AS pin, SUM(data.points) AS points FROM Reg."Acc$Events" GROUP BY stream_id;
CREATE PROJECTION Counts AS SELECT COUNT(*) AS n FROM Reg."Acc$Events";
CREATE SUBSCRIPTION Told AS SELECT stream_id AS acc, data.amount AS amount FROM Reg."Acc$Events";
`;

interface Served {
  readonly ask: (path: string, body?: object, accept?: string) => Promise<readonly [status: number, said: string]>;
  readonly stop: () => Promise<void>;
}

async function serve(directory: string, readEngine: ReadEngine, readModel: 'inline' | 'worker'): Promise<Served> {
  const store = await openEmbeddedStore({ directory, readEngine, readModel, fsync: false });
  const session = await openSession({ store, version: '0.0.0' });
  if (store.log.schema().length === 0)
    for await (const outcome of session.run({ name: 'schema', text: schema }, { adoptAtEnd: true }))
      assert.is.not(outcome.kind, 'error', JSON.stringify(outcome.kind === 'error' && outcome.problems[0]?.message));
  const { engine } = session;
  const services = createRegistryServices(engine, { version: '0.0.0', modules: undefined, warn: () => undefined });
  const nothing = () => Promise.resolve();
  const switches = { refusesWrites: undefined, failNext: undefined, failAfter: Infinity };
  const rest = { switches, append: nothing, entries: () => Promise.resolve([]), close: session.close };
  const { url, stop } = await startSample({ services: true, again: { engine, services, ...rest } });
  return {
    ask: async (path, body, accept = 'application/json') => {
      const headers = { Accept: accept, 'Content-Type': 'application/json' };
      const answer = await fetch(url + path, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      return [answer.status, await answer.text()];
    },
    stop,
  };
}

const pay = (acc: string, amount: string, points: string): object => ({
  acc_id: acc,
  amount,
  points,
  pin: 'Zx9planted',
});
const [most, mostPoints] = ['9999999999.99', '9223372036854775807'];
const events = '/api/aggregates/Acc';
const execute = `${events}/execute`;
const arrow = 'application/vnd.apache.arrow.stream';

/** Reads that include a value that overflows, and a part of each refusal. */
const balance = 'a value does not fit DECIMAL(12,2) in balance, column \'balance\' of the row with aggregate_id "A"';
const points = 'a value does not fit BIGINT in SUM, column \'points\' of the row with acc "A"';
const refused: readonly (readonly [path: string, says: string, body?: object | undefined, accept?: string])[] = [
  [events, balance],
  [`${events}/A`, balance],
  [`${events}?limit=1&order=aggregate_id`, balance],
  [events, balance, undefined, arrow],
  ['/api/projections/Sums/query', points],
  ['/api/projections/Sums/query?acc=A', points],
  ['/api/projections/Sums/query?select=acc,points&limit=5', points],
  ['/api/projections/Sums/query', points, undefined, 'text/csv'],
  ['/api/projections/Sums/query', points, undefined, arrow],
  ['/api/query', points, { sql: 'SELECT acc, points FROM Reg.Sums' }],
  ['/api/query', 'a value does not fit BIGINT in SUM', { sql: 'SELECT acc, points FROM Reg.Sums AS OF POSITION 2' }],
  ['/api/projections/Sums/query?as_of=2', 'a value does not fit BIGINT in SUM'],
  ['/api/projections/Hidden/query', "a value does not fit BIGINT in SUM, column 'points'"],
  [
    `${execute}/See`,
    "decision 'SeeIt': a value does not fit DECIMAL(12,2) in balance, column 'balance'; nothing",
    { acc_id: 'A' },
  ],
];
const read: readonly (readonly [path: string, has: RegExp, body?: object])[] = [
  [`${events}/B`, /"balance":1\.00/],
  [`${events}?aggregate_id[ne]=A`, /^\[\{"aggregate_id":"B"/],
  ['/api/projections/Sums/query?acc=B', /^\[\{"acc":"B","total":1\.00,"points":1/],
  ['/api/projections/Sums/query?acc[ne]=A', /^\[\{"acc":"B"/],
  ['/api/projections/Sums/query?select=acc,total,n', /"acc":"A","total":19999999999\.98/],
  ['/api/projections/Counts/query', /"n":/],
  ['/api/query', /"B"/, { sql: "SELECT * FROM Reg.Sums WHERE acc <> 'A'" }],
  [`${events}/events/A`, /"points":"?9223372036854775807/],
  [`${execute}/See`, /"event_type":"Seen"/, { acc_id: 'B' }],
  [`${execute}/Pay`, /"event_type":"Paid"/, pay('B', '0', '0')],
  ['/api/subscriptions/Told/next', /"rows":\[\{/, { max: 1, wait_seconds: 0 }],
  ['/ready', /status/],
];

async function check({ ask }: Served): Promise<void> {
  for (const [path, says, body, accept] of refused) {
    const [status, said] = await ask(path, body, accept);
    assert.is(status, path === '/api/query' ? 400 : 409, `${path} ${said}`);
    const { error } = JSON.parse(said) as { readonly error: string };
    assert.ok(error.includes(says), `${path}: ${error}`);
    assert.not.match(error, /planted|projection .*projection/);
  }
  for (const [path, has, body] of read) {
    const [status, said] = await ask(path, body);
    assert.is(status, 200, `${path} ${said}`);
    assert.match(said, has, path);
  }
}

for (const [readEngine, readModel] of [
  ['memory', 'inline'],
  ['disk', 'worker'],
] as const)
  test(`${readEngine}, ${readModel}`, async () => {
    const directory = freshFolder();
    const during = async (work: (served: Served) => Promise<void>): Promise<void> => {
      const served = await serve(directory, readEngine, readModel);
      try {
        await work(served);
      } finally {
        await served.stop();
      }
    };
    await during(async (served) => {
      for (const body of [pay('A', most, mostPoints), pay('A', most, '1'), pay('B', '1', '1')])
        assert.is((await served.ask(`${execute}/Pay`, body))[0], 200);
      await check(served);
    });
    const { status, stdout } = await runToolHere(['log', 'verify', '--data', directory]);
    assert.is(status, 0, stdout);
    await during(async (served) => {
      await check(served);
      assert.is((await served.ask(`${execute}/Pay`, pay('A', `-${most}`, '-1')))[0], 200);
      for (const [path, , body, accept] of refused)
        if (!`${path}${JSON.stringify(body)}`.match(/as.of/i))
          assert.is((await served.ask(path, body, accept))[0], 200, path);
    });
  });

test.run();
