/** `rehearse`: history's commands under a changed rule, and exactly those that it would have changed. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance } from '../crash/chance.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const example = fileURLToPath(new URL('../../examples/order-fulfilment/schema', import.meta.url));
const store = "CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');\n";

interface Report {
  readonly commands: number;
  readonly not_decidable: number;
  readonly decisions: readonly Readonly<Record<string, unknown>>[];
  readonly differences: readonly {
    readonly entry: number;
    readonly command: string;
    readonly stream_id: string;
    readonly kind: string;
  }[];
  readonly projections: readonly unknown[];
}

interface Executed {
  readonly kind: string;
  readonly outcome?: string;
  readonly events?: readonly { readonly event_type: string; readonly stream_id: string }[];
}

/** Orders, stock and shipments by chance; every command is in the log, rejected ones too. */
function commands(count: number): string {
  const chance = createChance(7);
  const product = (): string => `'p${chance.below(2)}'`;
  const order = (): string => `'o${chance.below(count)}'`;
  const lines = [0, 1].map((n) => `EXECUTE ListProduct(product_id := 'p${n}', name := 'n${n}', price := ${n + 1});`);
  for (let at = 0; at < count; at++)
    lines.push(
      chance.pick([
        `EXECUTE ReceiveStock(product_id := ${product()}, quantity := ${chance.below(3)});`,
        `EXECUTE PlaceOrder(order_id := 'o${at}', product_id := ${product()}, quantity := ${chance.below(4)}, partial := ${String(chance.below(2) === 0)});`,
        `EXECUTE PlaceOrder(order_id := 'o${at}', product_id := ${product()}, quantity := ${chance.below(4)}, partial := ${String(chance.below(2) === 0)});`,
        `EXECUTE PlaceOrder(order_id := ${order()}, product_id := ${product()}, quantity := 1, gift_message := 'hi');`,
        `EXECUTE ShipOrder(order_id := ${order()});`,
        `EXECUTE CancelOrder(order_id := ${order()});`,
        `EXECUTE FillBackorder(order_id := ${order()});`,
      ]),
    );
  return lines.join('\n');
}

test('a change of one guard changes exactly the commands that it concerns', () =>
  withTempFolder(async (cwd) => {
    const run = (...words: readonly string[]): ReturnType<typeof runToolHere> => runToolHere(words, { cwd });
    for (const side of ['old', 'new']) {
      cpSync(example, join(cwd, side), { recursive: true });
      writeFileSync(join(cwd, side, 'a-store.schema'), store);
    }
    const rule = join(cwd, 'new', 'order.schema');
    const text = readFileSync(rule, 'utf8');
    assert.ok(text.includes('WHERE acceptable AND free >= :quantity'));
    writeFileSync(
      rule,
      text.replace('WHERE acceptable AND free >= :quantity', 'WHERE acceptable AND free > :quantity'),
    );
    writeFiles(cwd, { 'work.sql': commands(150) });

    const done = await run('run', 'work.sql', '--schema', 'old', '--data', 'data', '--json');
    assert.is(done.status, 0, done.stderr);
    const outcomes = done.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Executed)
      .filter(({ kind }) => kind === 'execute');

    const same = await run('rehearse', 'old', '--data', 'data', '--json');
    const unchanged = JSON.parse(same.stdout) as Report;
    assert.equal(
      [same.status, unchanged.commands, unchanged.not_decidable, unchanged.differences, unchanged.projections],
      [0, outcomes.length, 0, [], []],
    );

    // By hand: the orders that took the last of the stock.
    const free = new Map<string, number>();
    const lastOnes: string[] = [];
    const executed = commands(150).split('\n');
    outcomes.forEach(({ events = [] }, at) => {
      const named = (name: string): string => new RegExp(`${name} := '?(\\w+)`).exec(executed[at] ?? '')?.[1] ?? '';
      const before = free.get(named('product_id')) ?? 0;
      const isWhole = ['OrderPlaced', 'GoodsReserved', 'StockReserved'].every((type) =>
        events.some(({ event_type }) => event_type === type),
      );
      const isPart = events.some(({ event_type }) => event_type === 'GoodsBackordered');
      if (isWhole && !isPart && before === Number(named('quantity'))) lastOnes.push(named('order_id'));
      for (const { event_type, stream_id, data } of events as readonly {
        event_type: string;
        stream_id: string;
        data: { quantity: number };
      }[]) {
        const sign = event_type === 'StockReserved' ? -1 : 1;
        if (['StockReceived', 'StockReserved', 'ReservationReleased'].includes(event_type))
          free.set(stream_id, (free.get(stream_id) ?? 0) + sign * data.quantity);
      }
    });
    assert.ok(lastOnes.length > 3, String(lastOnes.length));

    const changed = await run('rehearse', 'new', '--data', 'data', '--json');
    const report = JSON.parse(changed.stdout) as Report;
    assert.equal(
      [changed.status, report.differences.map(({ command, stream_id }) => [command, stream_id]), report.projections],
      [1, lastOnes.map((id) => ['PlaceOrder', id]), []],
    );
    // With a gift the order still emits, without its goods.
    assert.equal([...new Set(report.differences.map(({ kind }) => kind))].sort(), ['now_rejected', 'other_events']);

    writeFiles(cwd, { 'all.json': changed.stdout, 'some.json': JSON.stringify(report.differences.slice(1)) });
    assert.is((await run('rehearse', 'new', '--data', 'data', '--expect', 'all.json')).status, 0);
    const short = await run('rehearse', 'new', '--data', 'data', '--expect', 'some.json');
    assert.equal([short.status, short.stdout.split('\n').at(-3)], [1, '1 not expected, 0 expected and not found']);

    const one = await run('rehearse', 'new', '--data', 'data', '--decision', 'Ship', '--json');
    assert.equal(
      [one.status, (JSON.parse(one.stdout) as Report).decisions.map(({ decision }) => decision)],
      [0, ['Ship']],
    );
    const end = await run('rehearse', 'new', '--data', 'data', '--since', '2099-01-01');
    assert.equal([end.status, /TIMESTAMP|2099/.test(end.stderr)], [1, true], end.stderr);
  }));

test('the report, field by field', () =>
  withTempFolder(async (cwd) => {
    const run = (...words: readonly string[]): ReturnType<typeof runToolHere> => runToolHere(words, { cwd });
    const schema = (fields: string, values: string, guard: string, most: string): string => `${store}
CREATE AGGREGATE Loan (loan_id STRING KEY);
CREATE COMMAND Lend (loan_id STRING, amount INT ${most}, pin STRING SENSITIVE NULL);
CREATE EVENT Lent (${fields});
CREATE DECISION LendIt FOR Loan ON COMMAND Lend EMIT AS SELECT EVENT Lent (${values}) WHERE ${guard};
CREATE PROJECTION Lent_ AS SELECT stream_id AS loan, data.rate AS rate FROM Reg."Loan$Events";`;
    writeFiles(cwd, {
      'old/a.schema': schema('amount INT, rate INT', 'amount := :amount, rate := 4', ':amount < 100', ''),
      'new/a.schema': schema(
        'amount INT, rate BIGINT, token STRING VOLATILE',
        "amount := :amount, rate := CASE WHEN :amount > 10 THEN 5 ELSE 4 END, token := 'x'",
        ":amount < 50 OR :amount > 500 OR :pin = 'no'",
        'CHECK (amount <> 7)',
      ),
      'gone/a.schema': `${store}CREATE AGGREGATE Loan (loan_id STRING KEY); CREATE EVENT Lent (amount INT, rate INT);`,
      'work.sql': [1, 7, 20, 60, 600, 200]
        .map((amount) => `EXECUTE Lend(loan_id := 'L', amount := ${amount}${amount === 200 ? ", pin := '1234'" : ''});`)
        .join('\n'),
    });
    assert.is((await run('run', 'work.sql', '--schema', 'old', '--data', 'data')).status, 0);
    const { status, stdout, stderr } = await run('rehearse', 'new', '--data', 'data');
    assert.equal(stdout.split('\n'), [
      '5 commands of 1 decision decided again; 1 not decidable, because their arguments were not recorded',
      'LendIt: 1 same, 1 with other events, 1 now rejected, 1 now accepted, 1 failed',
      '  entry 3, Lend of L: failed',
      '    was Lent to Loan L {"amount":7,"rate":4}',
      '    is failed R0115 Lend: CHECK (amount <> 7) is not satisfied',
      '  entry 4, Lend of L: with other events',
      '    Lent: rate was 4, is 5',
      '  entry 5, Lend of L: now rejected',
      '    was Lent to Loan L {"amount":60,"rate":4}',
      '    is rejected {"decision":"LendIt","guards":[{"branch":null,"guard":":amount < 50 OR :amount > 500 OR :pin = \'no\'","terms":[{"term":":amount < 50 OR :amount > 500 OR :pin = \'no\'","masked":true,"terms":[{"term":":amount < 50","value":false,"operands":{":amount":60}},{"term":":amount > 500","value":false,"operands":{":amount":60}},{"term":":pin = \'no\'","masked":true}]}]}],"state":{},"command":{"loan_id":"L","amount":60,"pin":null}}',
      '  entry 6, Lend of L: now accepted',
      '    was rejected {"decision":"LendIt","guards":[{"branch":null,"guard":":amount < 100"}],"state":{},"command":{"loan_id":"L","amount":600,"pin":null}}',
      '    is Lent to Loan L {"amount":600,"rate":5}',
      'each command was decided on the recorded history: nothing follows from outcomes that differ',
      '',
    ]);
    assert.equal([status, stderr], [1, '']);
    const gone = await run('rehearse', 'gone', '--data', 'data');
    assert.equal([gone.status, gone.stdout.split('\n')[1]], [1, 'LendIt: 0 same, 6 failed'], gone.stderr);
  }));

for (const [words, status, told] of [
  [['rehearse', 'a'], 2, /rehearse reads a store: name it with --data or --eventstore/],
  [['rehearse', 'a', '--data', 'data', '--decision', 'No'], 2, /there is no decision of that name/],
  [['rehearse', 'a', '--data', 'data', '--expect', 'a/a.schema'], 2, /it takes the output of rehearse --json/],
  [['rehearse', 'a', '--data', 'data', '--expect', 'no.json'], 1, /no.json/],
  [['rehearse', 'a', '--data', 'data', '--since', 'x'], 2, /--since takes a position or an ISO 8601 time, not 'x'/],
  [['rehearse', 'a', '--data', 'data'], 3, /no recorded command could be decided again/],
] as const)
  test(words.join(' '), () =>
    withTempFolder(async (cwd) => {
      writeFiles(cwd, { 'a/a.schema': 'CREATE AGGREGATE A;', 'nothing.sql': 'SELECT 1;' });
      await runToolHere(['run', 'nothing.sql', '--schema', 'a', '--data', 'data'], { cwd });
      const answer = await runToolHere(words, { cwd });
      assert.is(answer.status, status, answer.stderr);
      assert.match(answer.stderr, told);
    }),
  );

test.run();
