/**
 * Commands over HTTP on a log in PostgreSQL, durable, with 64 clients: one server next to servers with other logs on the same database that
 * do the same work, and two servers on one log. By commands a second, and by the processor time of servers and database together.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { underLoad } from '../load.ts';
import { median, type Figure } from '../measure.ts';
import { report, type Skipped } from '../report.ts';
import { sharedLogs } from '../shared-log.ts';
import { processorTime } from '../threads.ts';
import { serve, type Serving } from '../tool.ts';

const path = '/api/aggregates/Account/execute/Deposit';
const clients = 64;
const streams = 1_000;

interface Side {
  readonly name: string;
  readonly servers: readonly Serving[];
  /** Commands a second, round by round. */
  readonly rates: number[];
  /** µs of processor time a command, round by round. */
  readonly costs: number[];
}

await report(async ({ root, folder, quick, rounds }) => {
  const logs = await sharedLogs(root, folder);
  const { processor } = logs;
  const peer = (file: string): Promise<Serving> =>
    serve([join(root, 'bench/peer/postgresql', file)], join(folder, `${file}.log`), { DATABASE_URL: logs.url });
  const side = (name: string, servers: readonly Serving[]): Side => ({ name, servers, rates: [], costs: [] });

  const one = side('one server', [await logs.start('bench_one')]);
  const two = side('two servers', [await logs.start('bench_two'), await logs.start('bench_two')]);
  const koa = side('Koa and pg by hand', [await peer('koa-pg.js')]);
  const hasEmmett = existsSync(join(root, 'bench/peer/postgresql/node_modules/@event-driven-io/emmett-postgresql'));
  const emmett = hasEmmett ? side('emmett-postgresql', [await peer('emmett.js')]) : undefined;
  const sides = [one, two, koa, ...(emmett === undefined ? [] : [emmett])];

  const load = async ({ servers }: Side): Promise<{ readonly rate: number; readonly cost: number }> => {
    const used = (): number =>
      servers.reduce((sum, { child }) => sum + processorTime(child.pid ?? 0), processor?.() ?? Number.NaN);
    const before = used();
    const each = { connections: clients / servers.length, seconds: quick ? 2 : 6, send: { deposits: streams } };
    const loads = await Promise.all(servers.map(({ url }) => underLoad(root, { ...each, url: url + path })));
    const answers = loads.reduce((sum, { answers: own }) => sum + own, 0);
    const rate = loads.reduce((sum, { perSecond }) => sum + perSecond, 0);
    return { rate, cost: (used() - before) / answers };
  };
  for (let round = 0; round <= (quick ? 2 : rounds); round++)
    for (const each of sides) {
      const { rate, cost } = await load(each);
      if (round === 0) continue; // all are warm after it
      each.rates.push(rate);
      each.costs.push(cost);
    }
  for (const { servers } of sides) for (const server of servers) await server.stop();

  const compare = (a: Side, b: Side, goal: number): readonly Figure[] => {
    const name = `commands on a log in PostgreSQL, ${clients} clients, ${a.name} : ${b.name}`;
    const rates = [median(a.rates), median(b.rates)] as const;
    const costs = [median(b.costs), median(a.costs)] as const;
    const figure = { goal: { at: 'least', value: goal } } as const;
    return [
      { name, unit: 'ratio (commands/s)', ...figure, value: rates[0] / rates[1], sides: rates },
      ...(processor === undefined
        ? []
        : [
            {
              name: `${name}, by processor time of servers and database`,
              unit: 'ratio (µs of the second : of the first)',
              ...figure,
              value: costs[0] / costs[1],
              sides: costs,
            },
          ]),
    ];
  };
  const missing: Skipped = {
    name: `${one.name} : emmett-postgresql`,
    skipped: 'not installed here (`npm install` in `bench/peer/postgresql`)',
  };
  return [
    ...compare(one, koa, 3),
    ...(emmett === undefined ? [missing] : compare(one, emmett, 5)),
    ...compare(two, one, 0.6),
  ];
});
