/**
 * Cost of clauses about callers, through a server with a policy: pages, states and events of one of many owners, commands, and followers of
 * different callers. Processor time is that of all threads of the server; `SCHEMAC_BENCH_BEFORE` is the folder of an earlier version that is built,
 * for the cost to a schema without clauses.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternate, median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { measureThreads, processorTime } from '../threads.ts';
import { runNode, serve, toolOf, type Serving } from '../tool.ts';

/** Bookings as they would be without clauses, with each of them, and with a clause that shows rows to other callers. */
const plain = `
CREATE AGGREGATE Plain (id STRING KEY, owner STRING);
CREATE COMMAND AddPlain (id STRING, owner STRING);
CREATE EVENT PlainAdded (owner STRING);
CREATE DECISION DoAddPlain FOR Plain ON COMMAND AddPlain EMIT AS SELECT EVENT PlainAdded (owner := :owner);
`;
const clauses = `
CREATE COMMAND AddAllowed (id STRING, owner STRING) ALLOW WHERE HAS_ROLE('reception') OR owner = CURRENT_USER;
CREATE DECISION DoAddAllowed FOR Plain ON COMMAND AddAllowed EMIT AS SELECT EVENT PlainAdded (owner := :owner);
CREATE AGGREGATE Seen (id STRING KEY, owner STRING) VISIBLE WHERE HAS_ROLE('reception') OR owner = CURRENT_USER;
CREATE COMMAND AddSeen (id STRING, owner STRING);
CREATE EVENT SeenAdded (owner STRING);
CREATE DECISION DoAddSeen FOR Seen ON COMMAND AddSeen EMIT AS SELECT EVENT SeenAdded (owner := :owner);
`;

const owners = 10_000;
const followers = 32;
const rates = { perSecond: 1_000, tick: 50 };

type Kind = 'Plain' | 'Allowed' | 'Seen';

await report(async ({ root, folder, quick, rounds }) => {
  const streams = quick ? 20_000 : 1_000_000;
  const used = quick ? 200 : owners;
  const generated = await generatedOf(root, folder, plain + clauses);
  const figures: Figure[] = [];
  const most = (name: string, unit: string, bound: number, value: number, sides?: readonly [number, number]): void => {
    figures.push({ name, unit, goal: { at: 'most', value: bound }, value, ...(sides !== undefined && { sides }) });
  };

  for (const engine of ['memory', 'disk']) {
    const config = policy(
      folder,
      Array.from({ length: 200 }, (_, at) => `owner-${at}`),
    );
    const environment = { SCHEMAC_READ_ENGINE: engine, SCHEMAC_CONFIG: config };
    const server = await started(root, generated, mkdtempSync(join(folder, 'data-')), environment);
    for (let from = 0; from < streams; from += 20_000) {
      await add(
        server,
        'Seen',
        rows(Math.min(20_000, streams - from), (at) => [`S-${from + at}`, `owner-${(from + at) % used}`]),
      );
    }
    const label = `${streams.toLocaleString('en')} streams of ${used.toLocaleString('en')} owners, ${engine}`;
    const get = (path: string, who: string): Promise<string> => read(`${server.url}/api/aggregates/Seen${path}`, who);
    const each = async (times: number, work: (at: number) => Promise<unknown>): Promise<number> => {
      const measured = measureThreads(server.child.pid ?? 0);
      for (let at = 0; at < times; at++) await work(at);
      return measured().all / 1000 / times;
    };
    const some = 200;
    const middle = async (work: (at: number) => Promise<unknown>): Promise<number> => {
      await each(some, work);
      const values: number[] = [];
      for (let round = 0; round < rounds; round++) values.push(await each(some, work));
      return median(values);
    };
    most(
      `an owner’s page of 20, of ${label}`,
      'ms of processor',
      5,
      await middle((at) => get('?limit=20', `owner-${at}`)),
    );
    most(
      `the first page of an owner’s ${streams / used} events, of ${label}`,
      'ms of processor',
      10,
      await middle((at) => get('/events?limit=100', `owner-${at}`)),
    );
    const state = (who: (at: number) => string) => (): Promise<number> =>
      each(some * 5, (at) => get(`/S-${(at % 200) + used * (at % 50)}`, who(at % 200)));
    const sides = await alternate(
      rounds,
      state((at) => `owner-${at}`),
      state(() => 'all'),
    );
    most(
      `the state of an owner’s stream : to one who sees all, of ${label}`,
      'ratio (ms)',
      1.1,
      sides[0] / sides[1],
      sides,
    );
    await server.stop();
  }

  const config = policy(
    folder,
    Array.from({ length: followers }, (_, at) => `owner-${at}`),
  );
  const server = await started(root, generated, mkdtempSync(join(folder, 'data-')), { SCHEMAC_CONFIG: config });
  const many = quick ? 2_000 : 5_000;
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    const measured = measureThreads(server.child.pid ?? 0);
    await work();
    return measured().all / many;
  };
  const inOne = (kind: Kind) => (): Promise<number> =>
    cost(() =>
      add(
        server,
        kind,
        rows(many, () => [randomUUID(), 'owner-1']),
      ),
    );
  const single = (kind: Kind) => (): Promise<number> =>
    cost(() =>
      atOnce(many, 32, () =>
        add(
          server,
          kind,
          rows(1, () => [randomUUID(), 'owner-1']),
          'owner-1',
        ),
      ),
    );
  for (const [way, work] of [
    ['many in one request', inOne],
    ['one a request, 32 at once', single],
  ] as const) {
    for (const [kind, what, bound] of [
      ['Allowed', 'a command with ALLOW', 1],
      ['Seen', 'a command on an aggregate with VISIBLE', 5],
    ] as const) {
      const sides = await alternate(rounds * 3, work(kind), work('Plain'));
      most(`${what} : without, ${way}`, 'µs of processor more', bound, sides[0] - sides[1], sides);
    }
  }

  const seconds = quick ? 3 : 10;
  const follow = (kind: 'Plain' | 'Seen') => (): Promise<number> => followed(server, kind, seconds);
  const sides = await alternate(quick ? 1 : 3, follow('Seen'), follow('Plain'));
  most(
    `${followers} followers of different callers at ${rates.perSecond.toLocaleString('en')} events a second : without VISIBLE`,
    '% of a core more',
    10,
    sides[0] - sides[1],
    sides,
  );
  await server.stop();

  const before = process.env['SCHEMAC_BENCH_BEFORE'];
  if (before !== undefined) figures.push(await withoutClauses(root, before, folder, { many, rounds }));
  return figures;
});

/** Commands of a schema without clauses and without a policy, in this version and in an earlier one. */
async function withoutClauses(
  root: string,
  before: string,
  folder: string,
  { many, rounds }: { readonly many: number; readonly rounds: number },
): Promise<Figure> {
  const start = async (checkout: string): Promise<Serving> =>
    started(checkout, await generatedOf(checkout, folder, plain), mkdtempSync(join(folder, 'data-')), {});
  const [now, then] = [await start(root), await start(before)];
  const cost = (server: Serving) => async (): Promise<number> => {
    const measured = measureThreads(server.child.pid ?? 0);
    await atOnce(many, 32, () =>
      add(
        server,
        'Plain',
        rows(1, () => [randomUUID(), 'owner-1']),
      ),
    );
    return measured().all / many;
  };
  const sides = await alternate(rounds, cost(now), cost(then));
  await now.stop();
  await then.stop();
  const goal = { at: 'most', value: 1.02 } as const;
  const name = 'a command of a schema without clauses : in the earlier version';
  return { name, unit: 'ratio (µs of processor)', goal, value: sides[0] / sides[1], sides };
}

async function generatedOf(root: string, folder: string, text: string): Promise<string> {
  const schema = mkdtempSync(join(folder, 'schema-'));
  writeFileSync(join(schema, 'bookings.schema'), text);
  const out = mkdtempSync(join(folder, 'generated-'));
  mkdirSync(out, { recursive: true });
  await runNode([toolOf(root), 'build', schema, '-o', out]);
  return out;
}

function started(
  root: string,
  generated: string,
  data: string,
  environment: Readonly<Record<string, string>>,
): Promise<Serving> {
  return serve([toolOf(root), 'start', generated, '--data', data, '--port', '0'], `${data}.log`, environment);
}

/** A policy of callers by their names, which are their tokens, and of `all`, who sees every row. */
function policy(folder: string, names: readonly string[]): string {
  const file = join(mkdtempSync(join(folder, 'policy-')), 'schemac.config.json');
  const token = (name: string, role: string) => ({
    sha256: createHash('sha256').update(name).digest('hex'),
    subject: name,
    roles: [role],
  });
  const roles = { owner: ['read:*', 'execute:*'], all: ['*'], reception: [] };
  const tokens = [
    ...names.map((name) => token(name, 'owner')),
    { ...token('all', 'all'), roles: ['all', 'reception'] },
  ];
  writeFileSync(file, JSON.stringify({ auth: { roles, tokens } }));
  return file;
}

function rows(many: number, row: (at: number) => readonly [string, string]): string {
  const line = (at: number): string => {
    const [id, owner] = row(at);
    return `${JSON.stringify({ id, owner })}\n`;
  };
  return Array.from({ length: many }, (_, at) => line(at)).join('');
}

async function add({ url }: Serving, kind: Kind, body: string, who = 'all'): Promise<void> {
  const isMany = body.indexOf('\n') < body.length - 1;
  const aggregate = kind === 'Seen' ? 'Seen' : 'Plain';
  const answer = await fetch(`${url}/api/aggregates/${aggregate}/execute/Add${kind}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${who}`,
      'content-type': isMany ? 'application/x-ndjson' : 'application/json',
      accept: isMany ? 'application/x-ndjson' : 'application/json',
    },
    body,
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"status":"error"')) throw new Error(`a command failed: ${text.slice(0, 300)}`);
}

async function read(url: string, who: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${who}`, accept: 'application/json' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}

async function atOnce(many: number, clients: number, work: () => Promise<unknown>): Promise<void> {
  let left = many;
  const client = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** Processor time of the server with a follower of each owner, in percent of a core, while events of all owners come. */
async function followed(server: Serving, kind: 'Plain' | 'Seen', seconds: number): Promise<number> {
  const stop = new AbortController();
  const reading = Array.from({ length: followers }, async (_, at) => {
    const answer = await fetch(`${server.url}/api/aggregates/${kind}/events?follow=true&after=end`, {
      headers: { authorization: `Bearer owner-${at}`, accept: 'application/x-ndjson' },
      signal: stop.signal,
    });
    if (!answer.ok || answer.body === null) throw new Error(`a follower was answered ${answer.status}`);
    let bytes = 0;
    try {
      for await (const chunk of answer.body) bytes += (chunk as Uint8Array).byteLength;
      throw new Error(`a stream ended after ${bytes} bytes`);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  });
  const pid = server.child.pid ?? 0;
  const [begun, before] = [performance.now(), processorTime(pid)];
  for (let sent = 0; sent < rates.perSecond * seconds;) {
    const due = Math.floor(((performance.now() - begun) * rates.perSecond) / 1000) - sent;
    if (due > 1)
      await add(
        server,
        kind,
        rows(due, (at) => [randomUUID(), `owner-${(sent + at) % 100}`]),
      );
    sent += due > 1 ? due : 0;
    await new Promise((resolve) => setTimeout(resolve, rates.tick));
  }
  const [took, spent] = [performance.now() - begun, processorTime(pid) - before];
  stop.abort();
  await Promise.all(reading);
  return (spent / 1000 / took) * 100;
}
