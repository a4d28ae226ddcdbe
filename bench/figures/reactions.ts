/** Reactions: their commands compared with plain ones, how late commands with a time begin, the memory of those that wait. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { compileFiles } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { ExactNumber } from '../../language/values/json.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { ReactorRuns } from '../../runtime/engine/reactions.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { cpuTimed, median } from '../measure.ts';
import { report } from '../report.ts';

const shop = `
CREATE AGGREGATE Purchase (id STRING KEY, amount INT DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Place (id STRING, amount INT);
CREATE COMMAND Ship (id STRING, amount INT);
CREATE EVENT Placed (amount INT);
CREATE EVENT Shipped (amount INT);
CREATE EVENT Cancelled ();
CREATE DECISION Placing FOR Purchase ON COMMAND Place
STATE AS SELECT amount FROM Reg."Purchase$Agg" WHERE id = :id
EMIT AS SELECT EVENT Placed (amount := :amount) WHERE COALESCE(amount, 0) >= 0;
CREATE DECISION Shipping FOR Purchase ON COMMAND Ship
STATE AS SELECT amount FROM Reg."Purchase$Agg" WHERE id = :id
EMIT AS SELECT EVENT Shipped (amount := :amount) WHERE COALESCE(amount, 0) >= 0;
CREATE COMMAND Cancel (id STRING);
CREATE DECISION Cancelling FOR Purchase ON COMMAND Cancel EMIT AS SELECT EVENT Cancelled ();
`;
const atOnce = 'CREATE REACTION ShipIt FROM START ON EVENT Placed EXECUTE Ship (id := :stream_id, amount := :amount);';
const soon =
  "CREATE REACTION ShipIt ON EVENT Placed EXECUTE Ship (id := :stream_id, amount := :amount) AT :occurred_at + :amount * INTERVAL '1 millisecond';";
const inAMonth =
  'CREATE REACTION ShipIt ON EVENT Placed EXECUTE Ship (id := :stream_id, amount := :amount) AFTER 30 DAYS UNLESS EVENT Cancelled;';

async function domainOf(text: string): Promise<Domain> {
  const { catalog, diagnostics } = compileFiles([{ name: 'shop.schema', text }]);
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new Error(wrong.message);
  return createDomainLoader({ version: '0.0.0' }).load(catalog);
}

async function openEngine(store: Store, domain: Domain, reactions: ReactorRuns): Promise<Engine> {
  const engine = await createReactingEngine({
    store,
    domain,
    clock: systemClock,
    randomBytes: createSystemRandom(),
    reactions,
  });
  await register(engine, domain);
  return engine;
}

async function register(engine: Engine, domain: Domain): Promise<void> {
  const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
  await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
}

async function place(engine: Engine, many: number, amountOf: (number: number) => number): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let number = next++; number < many; number = next++)
      await engine.execute({
        command: 'Place',
        arguments: new Map<string, string | ExactNumber>([
          ['id', `O-${number % 1_000}`],
          ['amount', new ExactNumber(String(amountOf(number)))],
        ]),
      });
  };
  await Promise.all(Array.from({ length: 64 }, client));
}

/** Appends events without deciding, each in a stream of its own. */
async function append(store: Store, many: number): Promise<void> {
  const step = 1_000;
  for (let first = 0; first < many; first += step)
    await store.turns.exclusively((turn) => {
      const position = turn.nextPosition();
      const events = Array.from({ length: step }, (_, at) => ({
        position: position + at,
        id: randomUUID(),
        type: 'Placed',
        version: 1,
        streamType: 'Purchase',
        streamId: `order ${first + at}`,
        seq: 1,
        data: '{"amount":1}',
      }));
      turn.append({ kind: 'command', command: 'Place', streamType: 'Purchase', streamId: 'x', events }, systemClock());
    });
}

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

await report(async ({ folder, quick, rounds }) => {
  const open = (): Promise<Store> =>
    openEmbeddedStore({ directory: mkdtempSync(join(folder, 'data-')), maxBytes: Infinity });
  const plain = await domainOf(shop);

  const many = quick ? 2_000 : 10_000;
  const reacting = await domainOf(shop + atOnce);
  const [plainRates, rates]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const engine = await openEngine(await open(), plain, 'asked');
    const plainTime = await cpuTimed(() => place(engine, many, () => 5));
    await register(engine, reacting);
    const time = await cpuTimed(() => engine.reactions.settled());
    await engine.close();
    if (round === 0) continue; // it warms up
    plainRates.push((many * 1000) / plainTime);
    rates.push((many * 1000) / time);
  }
  const sides = [median(rates), median(plainRates)] as const;

  const timers = await openEngine(await open(), await domainOf(shop + soon), 'timers');
  const timed = quick ? 100 : 500;
  await place(timers, timed, (number) => 200 + number * 10);
  for (;;) {
    const { waiting, ready } = timers.reactions.totals();
    if (waiting + ready === 0) break;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  const late: number[] = [];
  const placed = new Map<string, bigint>();
  for await (const entry of timers.store.log.read(1)) {
    if (entry.kind !== 'command') continue;
    for (const { id, type, data } of entry.events)
      if (type === 'Placed')
        placed.set(id, BigInt(entry.at) + BigInt((JSON.parse(data) as { amount: number }).amount) * 1_000n);
    const due = placed.get(entry.causationId ?? '');
    if (due !== undefined) late.push(Number(BigInt(entry.at) - due) / 1000);
  }
  late.sort((a, b) => a - b);
  await timers.close();

  const waiting = quick ? 100_000 : 1_000_000;
  const monthly = await openEngine(await open(), await domainOf(shop + inAMonth), 'never');
  await append(monthly.store, waiting);
  const before = heldBytes();
  const { waiting: found } = await monthly.reactions.standing('ShipIt');
  const bytes = (heldBytes() - before) / found;
  await monthly.close();
  return [
    {
      name: 'commands of reactions : plain ones, processor time',
      unit: 'ratio (commands/s)',
      goal: { at: 'least', value: 0.5 },
      value: sides[0] / sides[1],
      sides,
    },
    {
      name: `lateness of ${late.length} commands with a time, 100 a second, p50`,
      unit: 'ms',
      goal: { at: 'most', value: 50 },
      value: median(late),
    },
    {
      name: 'the same, p99',
      unit: 'ms',
      goal: { at: 'most', value: 500 },
      value: late[Math.floor(late.length * 0.99)] ?? 0,
    },
    {
      name: `memory of a command that waits, of ${found.toLocaleString('en')}`,
      unit: 'bytes',
      goal: { at: 'most', value: 100 },
      value: bytes,
    },
  ];
});
