/** Webhooks of several servers on one log in PostgreSQL: one delivers, another takes over (docs/servers.md#subscriptions). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SampleOptions } from '../http/sample-server.ts';
import { startDatabase, type TestDatabase } from '../kit/database.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { until } from '../kit/until.ts';
import { watchOutput } from '../kit/watch-output.ts';
import { signersOf, startReceiver, type CloudEvent } from '../webhook/receiver.ts';
import { openServer, shops, type OpenedServer } from './opened-server.ts';

const secret = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const [secretOfOne, secretOfOther] = [secret('1'), secret('2')];
const database = await startDatabase();
const receiver = await startReceiver();
let namespaces = 0;

const check = (title: string, work: (database: TestDatabase, namespace: string) => Promise<void>): void => {
  if ('missing' in database) test.skip(`${title}: ${database.missing}`, () => undefined);
  else test(title, () => work(database, `webhooks_${process.pid}_${++namespaces}`));
};
/** Each server signs with a secret of its own, so that the receiver can tell them apart. */
const sending = (key: string, chance = 0.01): Pick<SampleOptions, 'push' | 'settings'> => ({
  push: { environment: { SECRET: key }, chance: () => chance },
  settings: { push: { allowedHosts: [`127.0.0.1:${receiver.port}`], allowedAddresses: [] } },
});
const webhook = (name: string, rest = ''): string =>
  `CREATE SUBSCRIPTION ${name} AS SELECT data.n FROM Reg."Shop$Events" DELIVER TO WEBHOOK '${receiver.url(`/${name}`)}' SECRET ENV('SECRET')${rest};`;

interface Arrived {
  readonly stream: string;
  readonly n: number;
  readonly from: 'one' | 'other';
}
const arrivedAt = (path: string): readonly Arrived[] =>
  receiver.at(path).map((request) => {
    const { subject, data } = JSON.parse(request.body) as CloudEvent;
    const [signer] = signersOf(request, [secretOfOne, secretOfOther]);
    return { stream: subject, n: Number(data['n']), from: signer === secretOfOne ? 'one' : 'other' };
  });
const of = (arrived: readonly Arrived[], name: string): readonly number[] =>
  arrived.flatMap(({ stream, n }) => (stream === name ? [n] : []));

async function withTwo(
  url: string,
  namespace: string,
  chance: number,
  work: (one: OpenedServer, other: OpenedServer, stop: (server: OpenedServer) => Promise<void>) => Promise<void>,
): Promise<void> {
  const one = await openServer(url, namespace, sending(secretOfOne, chance));
  const other = await openServer(url, namespace, sending(secretOfOther, chance));
  const running = new Set([one, other]);
  const stop = async (server: OpenedServer): Promise<void> => {
    running.delete(server);
    await server.stop();
  };
  try {
    await work(one, other, stop);
  } finally {
    await Promise.all([...running].map(stop));
  }
}

check('one of two servers delivers, and the other goes on when it stops', ({ url }, namespace) =>
  withTwo(url, namespace, 0.01, async (one, other, stop) => {
    await one.create(shops + webhook('Stops'));
    await Promise.all([one.sell('x', 5), other.sell('y', 5)]);
    await until(() => arrivedAt('/Stops').length >= 10);
    const [first] = arrivedAt('/Stops');
    const [deliverer, rest] = first?.from === 'one' ? [one, other] : [other, one];
    // The server answers the deliveries that it has under way before it leaves the work.
    await stop(deliverer);
    await rest.sell('x', 3);
    await until(() => arrivedAt('/Stops').length >= 13);
    const arrived = arrivedAt('/Stops');
    assert.equal(
      [of(arrived, 'x'), of(arrived, 'y')],
      [
        [1, 2, 3, 4, 5, 1, 2, 3],
        [1, 2, 3, 4, 5],
      ],
    );
    assert.equal(new Set(arrived.slice(0, 10).map(({ from }) => from)), new Set([first?.from]));
    assert.equal(
      new Set(arrived.slice(10).map(({ from }) => from)),
      new Set([first?.from === 'one' ? 'other' : 'one']),
    );
  }),
);

check('start at any server tries at once what waits after a failure', ({ url }, namespace) =>
  withTwo(url, namespace, 0.999, async (one, other) => {
    const answers = [500, 500, 204];
    receiver.answer('/Fails', (_, response) => void response.writeHead(answers.shift() ?? 204).end());
    await one.create(shops + webhook('Fails', ' WITH (first_delay_seconds = 3600)'));
    await one.sell('x', 1);
    for (const [requests, server] of [one, other].entries()) {
      await until(() => receiver.at('/Fails').length === requests + 1);
      assert.is((await server.ask('subscriptions/Fails/start', {})).status, 200);
    }
    await until(async () => (await other.first('subscriptions/Fails'))['lag_rows'] === 0);
    assert.is(receiver.at('/Fails').length, 3);
  }),
);

const project = `CREATE EVENTSTORE shared WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = ENV('NAMESPACE'));${shops}`;

check('the rows of a server that was killed arrive from another one, in order', ({ url }, namespace) =>
  withTempFolder(async (folder) => {
    const push = { allowedHosts: [`127.0.0.1:${receiver.port}`] };
    writeFiles(folder, {
      'schema/shop.schema': `${project}\n${webhook('Killed')}`,
      'schemac.config.json': JSON.stringify({ push }),
    });
    assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
    const environment = { DATABASE_URL: url, NAMESPACE: namespace, SECRET: secretOfOne };
    const output = watchOutput(startTool(['start', '--port', '0'], { cwd: folder, environment }));
    let other: OpenedServer | undefined;
    try {
      await output.until(', data ');
      other = await openServer(url, namespace, sending(secretOfOther));
      // Two rows of each stream are answered, and the third has no answer.
      const answered = new Map<string, number>();
      receiver.answer('/Killed', ({ subject }, response) => {
        const times = (answered.get(subject) ?? 0) + 1;
        answered.set(subject, times);
        if (times <= 2) response.writeHead(204).end();
      });
      await Promise.all([other.sell('x', 4), other.sell('y', 4)]);
      await until(() => arrivedAt('/Killed').length === 6);
      await until(async () => ((await other?.first('subscriptions/Killed'))?.['acknowledged'] as number) >= 3);
      await output.stop('SIGKILL');
      receiver.answer('/Killed', (_, response) => void response.writeHead(204).end());
      await until(async () => (await other?.first('subscriptions/Killed'))?.['lag_rows'] === 0);
      const arrived = arrivedAt('/Killed');
      const [first, then] = [arrived.slice(0, 6), arrived.slice(6)];
      assert.equal(new Set(first.map(({ from }) => from)), new Set(['one']));
      assert.equal(new Set(then.map(({ from }) => from)), new Set(['other']));
      assert.equal([of(first, 'x'), of(first, 'y')], Array(2).fill([1, 2, 3]));
      // Rows that were answered a moment before the kill may come once more.
      for (const name of ['x', 'y']) assert.equal(of(then, name).slice(-2), [3, 4]);
      assert.is((await other.first('subscriptions/Killed'))['parked'], 0);
    } finally {
      await output.stop('SIGKILL');
      await other?.stop();
    }
  }),
);

test.after(async () => {
  await receiver.stop();
  if (!('missing' in database)) await database.stop();
});
test.run();
