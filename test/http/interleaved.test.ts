/**
 * Reads of many kinds between commands and changes of a projection, on 64 connections at once, some of which are left before their answer: every row is
 * compared with what the commands that were sent make of it. `ROUNDS` runs more of it, and then also reads that end the thread of the read model.
 */
import { Agent, request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance, parameter, seedOf } from '../crash/chance.ts';
import { startSample } from './sample-server.ts';

const test = suite('interleaved reads and commands');
const rounds = parameter('ROUNDS', 1);
const requests = 700 * rounds;
const connections = 64;
const chance = createChance(seedOf('interleaved'));
const server = await startSample({ services: true, readModel: 'worker', limits: { resultMilliseconds: 5_000 } });
const agent = new Agent({ keepAlive: true, maxSockets: connections });
test.after(async () => {
  agent.destroy();
  await server.stop();
});

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;
interface Answer {
  readonly status: number;
  readonly rows: readonly Row[];
}

/** Undefined when the client has left before the answer. */
function ask(path: string, { body, leaves = false }: { readonly body?: object; readonly leaves?: boolean } = {}) {
  return new Promise<Answer | undefined>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    const sent = request(server.url + path, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        const read = JSON.parse(text) as Row | readonly Row[];
        resolve({ status: answer.statusCode ?? 0, rows: [read].flat() });
      });
    });
    sent.on('error', (error) => (leaves ? resolve(undefined) : reject(error)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    if (leaves) setImmediate(() => sent.destroy());
  });
}

/** A stream with what was sent to it, in order, and how many of these are acknowledged. */
interface Sent {
  readonly notes: { readonly n: number; readonly note: string }[];
  acknowledged: number;
  isBusy: boolean;
}
const strange = ['__proto__', 'constructor', '1', '01', '1.0', 'null', ' ', 'ä', '😀', "it's", '%', '$', 'A', 'a'];
const ids = [...strange, ...Array.from({ length: 30 }, (_, at) => `k${at}`)] as [string, ...string[]];
const streams = new Map<string, Sent>(ids.map((id) => [id, { notes: [], acknowledged: 0, isBusy: false }]));
const version = { sent: 0, inForce: 0 };
/** The least that an answer may show: everything acknowledged before its request. */
const least = () => ({
  version: version.inForce,
  of: new Map([...streams].map(([id, sent]) => [id, sent.acknowledged])),
});
type Least = ReturnType<typeof least>;

const projection = (shown: number): string =>
  `CREATE ${shown > 0 ? 'OR REPLACE ' : ''}PROJECTION Sums AS SELECT stream_id AS id, SUM(data.n) AS total, COUNT(*) AS many, ` +
  `LAST(data.note) AS note, ${shown} AS version FROM Reg."Account$Events" GROUP BY stream_id;`;
const schema = [
  `CREATE AGGREGATE Account;
   CREATE COMMAND Put (id STRING KEY, n INT, note STRING);
   CREATE EVENT Was (n INT, note STRING);
   CREATE DECISION Putting FOR Account ON COMMAND Put EMIT AS SELECT EVENT Was (n := :n, note := :note);`,
  projection(0),
  `CREATE OR REPLACE DECISION Putting FOR Account ON COMMAND Put STATE AS SELECT total FROM Reg.Sums WHERE id = :id
   EMIT AS SELECT EVENT Was (n := :n, note := :note) WHERE total IS NULL OR total >= 0;
   CREATE PROJECTION Endless AS SELECT COUNT(*) AS n FROM Reg.Sums a JOIN Reg.Sums b ON 1 = 1 JOIN Reg.Sums c ON 1 = 1 JOIN Reg.Sums d ON 1 = 1
   JOIN Reg.Sums e ON a.many + b.many + c.many + d.many < e.many;`,
];

/** Throws unless the row of the projection is what some of the commands make of it, those of `low` among them. */
function check(row: Row, low: Least, what: string): void {
  const { id, total, many, note, version: shown } = row;
  const { notes } = streams.get(String(id)) ?? { notes: [] };
  const seen = notes.slice(0, Number(many));
  const expected = { total: seen.reduce((sum, { n }) => sum + n, 0), note: seen.at(-1)?.note };
  assert.equal({ total, note }, expected, `${what}: ${JSON.stringify(row)}`);
  assert.ok(Number(many) >= (low.of.get(String(id)) ?? 0) && Number(many) <= notes.length, `${what}: ${many} of ${id}`);
  assert.ok(Number(shown) >= low.version && Number(shown) <= version.sent, `${what}: version ${shown}`);
}

const rowsOf = '/api/projections/Sums/query?';
/** Each kind of read: its path for an id, and a condition on its rows in addition to `check`. */
const kinds: readonly {
  readonly path: (id: string) => string;
  readonly holds: (rows: readonly Row[], id: string, low: number) => boolean;
}[] = [
  {
    path: (id) => `${rowsOf}id=${encodeURIComponent(id)}`,
    holds: (rows, id, low) =>
      rows.length <= 1 && rows.length >= Math.min(low, 1) && rows.every((row) => row['id'] === id),
  },
  {
    path: (id) => `${rowsOf}id[in]=${encodeURIComponent(id)},k1,k2&order=id&select=id,total,many,note,version`,
    holds: (rows, id, low) => low === 0 || rows.some((row) => row['id'] === id),
  },
  ...(['many', 'total'] as const).map((column) => ({
    path: () => `${rowsOf}${column}[gte]=3&limit=20&order=id`,
    holds: (rows: readonly Row[]) => rows.every((row) => Number(row[column]) >= 3),
  })),
  {
    path: (id) => `${rowsOf}note[like]=${encodeURIComponent(`%${id.replace('%', '\\%')} 1%`)}&limit=5`,
    holds: (rows, id) => rows.every((row) => String(row['note']).includes(`${id} 1`)),
  },
];

async function read(id: string): Promise<void> {
  const low = least();
  const acknowledged = low.of.get(id) ?? 0;
  const leaves = chance.below(20) === 0;
  const kind = kinds[chance.below(kinds.length + 1)];
  if (kind === undefined) return readState(id, acknowledged, leaves);
  const answer = await ask(kind.path(id), { leaves });
  if (answer === undefined || isRefused(answer)) return;
  assert.is(answer.status, 200);
  for (const row of answer.rows) check(row, low, kind.path(id));
  assert.ok(kind.holds(answer.rows, id, acknowledged), `${kind.path(id)}: ${JSON.stringify(answer.rows)}`);
}

async function readState(id: string, low: number, leaves: boolean): Promise<void> {
  const answer = await ask(`/api/aggregates/Account/${encodeURIComponent(id)}`, { leaves });
  if (answer === undefined || isRefused(answer) || (answer.status === 404 && low === 0)) return;
  assert.is(answer.status, 200);
  const { aggregate_id: shown, n, note } = answer.rows[0] ?? {};
  const found = streams.get(id)?.notes.slice(Math.max(0, low - 1)) ?? [];
  assert.ok(
    shown === id && found.some((one) => one.n === n && one.note === note),
    `${id}: ${JSON.stringify(answer.rows)}`,
  );
}

/** Sends one command at a time for each stream, so that its order is known. */
async function write(id: string): Promise<void> {
  const sent = streams.get(id);
  if (sent === undefined || sent.isBusy) return;
  sent.isBusy = true;
  const one = { n: chance.below(1_000), note: `${id} ${sent.notes.length} ${'x'.repeat(chance.below(50))}` };
  sent.notes.push(one);
  let answer: Answer | undefined;
  do answer = await ask('/api/aggregates/Account/execute/Put', { body: { id, ...one } });
  while (answer === undefined || isRefused(answer));
  assert.equal([answer.status, answer.rows[0]?.['seq']], [200, sent.notes.length], JSON.stringify(answer.rows));
  sent.acknowledged = sent.notes.length;
  sent.isBusy = false;
}

async function change(): Promise<void> {
  if (version.sent !== version.inForce) return;
  version.sent += 1;
  const answer = await ask('/api/lang/create', { body: { lang: projection(version.sent) } });
  assert.is(answer?.status, 201, JSON.stringify(answer?.rows));
  version.inForce = version.sent;
}

/** The budget of reads is spent: the thread is being replaced, or slow reads leave no room. */
function isRefused({ status }: Answer): boolean {
  return rounds > 1 && (status === 503 || status === 409);
}

test('every row shows what was acknowledged before its request, and nothing that was never sent', async () => {
  for (const lang of schema) assert.is((await ask('/api/lang/create', { body: { lang } }))?.status, 201);
  let left = requests;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const id = chance.pick(ids);
      const what = chance.below(1_000);
      if (what < 4) await change();
      else if (what < 250) await write(id);
      else if (what === 999 && rounds > 1) await ask('/api/projections/Endless/query', {});
      else await read(id);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const low = least();
  const rows = (await ask(rowsOf))?.rows ?? [];
  for (const row of rows) check(row, low, 'in the end');
  assert.is(rows.length, [...low.of.values()].filter((many) => many > 0).length);
});

test.run();
