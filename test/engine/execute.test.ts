import { unmasked } from '../../runtime/engine/unmasked.ts';
import { createHmac } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../runtime/engine/engine.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { domainOf } from '../kit/domain.ts';
import { engineOf, sent, tell, toldOf } from '../kit/engine.ts';

const schema = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(CASE event_type WHEN 'Filled' THEN data.amount ELSE -data.amount END));
CREATE COMMAND Fill (purse_id STRING, amount DECIMAL(12,2));
CREATE COMMAND Pay (purse_id STRING, amount DECIMAL(12,2), note STRING NULL);
CREATE COMMAND Split (purse_id STRING, n INT);
CREATE COMMAND Orphan (id STRING);
CREATE COMMAND Everything (purse_id STRING);
CREATE EVENT Filled (amount DECIMAL(12,2));
CREATE EVENT Paid (amount DECIMAL(12,2), note STRING, balance_before DECIMAL(12,2));
CREATE DECISION DoFill FOR Purse ON COMMAND Fill EMIT AS SELECT EVENT Filled (amount := :amount) WHERE :amount > 0;
CREATE DECISION DoPay FOR Purse ON COMMAND Pay
STATE AS SELECT balance FROM Reg."Purse$Agg" WHERE aggregate_id = :purse_id
EMIT AS SELECT EVENT Paid (amount := :amount, note := :note, balance_before := balance) WHERE balance >= :amount;
CREATE DECISION DoSplit FOR Purse ON COMMAND Split
STATE AS SELECT 10 / :n AS share
EMIT AS SELECT EVENT Filled (amount := share);
CREATE DECISION DoEverything FOR Purse ON COMMAND Everything
STATE AS SELECT balance FROM Reg."Purse$Agg"
EMIT AS SELECT EVENT Filled (amount := balance);
`;

test('outcomes and failures of commands', async () => {
  const engine = await engineOf(schema);
  const table: readonly (readonly [command: string, given: object, more: object, told: string])[] = [
    ['Pay', { purse_id: 'a', amount: 1 }, {}, 'rejected'],
    ['Fill', { purse_id: 'a', amount: '10.50' }, {}, 'emitted'],
    ['Fill', { purse_id: 'a', amount: 0.001 }, {}, 'R0103'],
    ['Fill', { purse_id: 'a' }, {}, 'R0101'],
    ['Fill', { purse_id: 'a', amount: 1, colour: 'red' }, {}, 'R0102'],
    ['Fill', { purse_id: '', amount: 1 }, {}, 'R0103'],
    ['Pay', { purse_id: 'a', amount: 10.5 }, {}, 'emitted'],
    ['Pay', { purse_id: 'a', amount: 0.01 }, {}, 'rejected'],
    ['Fill', { purse_id: 'a', amount: 1 }, { expectedSeq: 1 }, 'R0105'],
    ['Fill', { purse_id: 'a', amount: 1 }, { expectedSeq: 2 }, 'emitted'],
    ['Fill', { purse_id: 'new', amount: 1 }, { expectedSeq: 0 }, 'emitted'],
    ['Fill', { purse_id: 'a', amount: 1 }, { aggregate: 'Other' }, 'R0108'],
    ['Split', { purse_id: 'a', n: 0 }, {}, 'R0201'],
    ['Everything', { purse_id: 'a' }, {}, 'R0203'],
    ['Orphan', { id: 'a' }, {}, 'R0107'],
    ['Nothing', {}, {}, 'R0106'],
  ];
  const told: string[] = [];
  for (const [command, given, more] of table) told.push(await tell(engine, command, given, more));
  assert.equal(
    told,
    table.map(([, , , expected]) => expected),
  );
  await engine.close();
});

test('commands with many events share a commit with few others', async () => {
  const engine = await engineOf(`CREATE AGGREGATE A; CREATE EVENT E (t STRING); CREATE COMMAND C (id STRING, t STRING);
CREATE DECISION D FOR A ON COMMAND C EMIT AS ${Array.from({ length: 40 }, () => 'SELECT EVENT E (t := :t)').join(' UNION ALL ')};`);
  let turns = 0;
  const { store } = engine;
  const counted = await engineOf(schema, {
    store: {
      ...store,
      turns: { ...store.turns, exclusively: (work) => ((turns += 1), store.turns.exclusively(work)) },
    },
    domain: engine.domain(),
  });
  const t = 'x'.repeat(60_000);
  const told = await Promise.all(Array.from({ length: 12 }, (_, at) => tell(counted, 'C', { id: String(at), t })));
  assert.equal([told, turns, store.turns.position().event], [told.map(() => 'emitted'), 3, 480]);
  await engine.close();
});

test('a stream id has the type of its KEY field', async () => {
  const engine = await engineOf(`CREATE AGGREGATE Num (num_id INT KEY, n INT AS COUNT(*)); CREATE EVENT Got (n INT);
CREATE AGGREGATE Short (code VARCHAR(3) KEY, n INT AS COUNT(*)); CREATE COMMAND Named (id STRING);
CREATE DECISION N FOR Short ON COMMAND Named EMIT AS SELECT EVENT Got (n := 1);
CREATE COMMAND Own (id STRING); CREATE COMMAND Other (id BIGINT, to STRING);
CREATE DECISION O FOR Num ON COMMAND Own EMIT AS SELECT EVENT Got (n := 1);
CREATE DECISION T FOR Num ON COMMAND Other EMIT AS SELECT EVENT Got (n := 1) TO Num(:to);`);
  const table: readonly (readonly [command: string, given: object, told: string])[] = [
    ['Own', { id: '7' }, 'emitted'],
    ['Own', { id: '-7' }, 'emitted'],
    ['Own', { id: '07' }, 'R0103'],
    ['Own', { id: 'abc' }, 'R0103'],
    ['Own', { id: '3000000000' }, 'R0103'],
    ['Other', { id: 3_000_000_000, to: '8' }, 'R0103'],
    ['Other', { id: 1, to: '8' }, 'emitted'],
    ['Other', { id: 1, to: ' 8' }, 'R0206'],
    ['Named', { id: 'äbc' }, 'emitted'],
    ['Named', { id: 'abcd' }, 'R0103'],
  ];
  for (const [command, given, told] of table)
    assert.equal([command, given, await tell(engine, command, given)], [command, given, told]);
  await engine.close();
});

test('events of one command have consecutive numbers in their stream', async () => {
  const engine = await engineOf(`${schema}
CREATE COMMAND Twice (purse_id STRING, amount DECIMAL(12,2));
CREATE DECISION DoTwice FOR Purse ON COMMAND Twice EMIT AS
  SELECT EVENT Filled (amount := :amount) UNION ALL SELECT EVENT Filled (amount := :amount);`);
  for (const purse_id of ['a', 'b', 'a']) {
    assert.is(await tell(engine, 'Twice', { purse_id, amount: 2 }), 'emitted');
  }
  const places: unknown[] = [];
  for await (const entry of engine.store.log.read(1)) {
    if (entry.kind === 'command')
      for (const event of entry.events) places.push([event.position, event.streamId, event.seq]);
  }
  assert.equal(places, [
    [1, 'a', 1],
    [2, 'a', 2],
    [3, 'b', 1],
    [4, 'b', 2],
    [5, 'a', 3],
    [6, 'a', 4],
  ]);
  await engine.close();
});

test('the same command id has one effect, rejections included', async () => {
  const engine = await engineOf(schema);
  const fill = { purse_id: 'a', amount: 5 };
  const told = [
    await tell(engine, 'Fill', fill, { commandId: 'c1' }),
    await tell(engine, 'Fill', fill, { commandId: 'c1' }),
    await tell(engine, 'Fill', { ...fill, amount: 6 }, { commandId: 'c1' }),
    await tell(engine, 'Fill', { ...fill, purse_id: 'b' }, { commandId: 'c1' }),
    await tell(engine, 'Pay', { purse_id: 'a', amount: 9 }, { commandId: 'c2' }),
    await tell(engine, 'Fill', fill),
    await tell(engine, 'Pay', { purse_id: 'a', amount: 9 }, { commandId: 'c2' }),
  ];
  assert.equal(told, ['emitted', 'replayed', 'R0104', 'emitted', 'rejected', 'emitted', 'replayed']);
  assert.is(engine.store.turns.position().event, 3);
  await engine.close();
});

/** Defines a command with all kinds of arguments; each row is the JSON text of arguments sent under a key. */
const pour = (defaultAmount: string, more = ''): string => `
CREATE AGGREGATE Tank;
CREATE COMMAND Pour (id STRING, amount DECIMAL(12,2) DEFAULT ${defaultAmount}, n BIGINT NULL, d DOUBLE NULL, t TIMESTAMP NULL, j JSON NULL, s STRING NULL${more});
CREATE EVENT Poured (amount DECIMAL(12,2));
CREATE DECISION DoPour FOR Tank ON COMMAND Pour EMIT AS SELECT EVENT Poured (amount := :amount);`;
const send = (engine: Engine, commandId: string, json: string): Promise<string> =>
  toldOf(engine.execute({ command: 'Pour', arguments: trustedJson(json) as JsonObject, commandId }));

test('a repeated command is recognised by its values, however they are written', async () => {
  const engine = await engineOf(pour('1'));
  const table: readonly (readonly [first: string, same: readonly string[], others: readonly string[]])[] = [
    ['"amount":1', ['"amount":1.00', '"amount":"1.00"', '"amount":1e0', '"amount":10E-1', ''], ['"amount":1.01']],
    ['', ['"amount":1', '"amount":"01.0"', '"n":null'], ['"amount":2', '"amount":-1', '"n":0']],
    ['"n":"9007199254740993"', ['"n":9007199254740993', '"n":9007199254740993.0'], ['"n":9007199254740992', '']],
    ['"n":0', ['"n":-0', '"n":"0.0"'], ['', '"n":null', '"s":"0"']],
    ['"d":100', ['"d":1e2', '"d":100.00000000000000000001'], ['"d":1e3', '"d":-100']],
    ['"t":"2026-01-31T08:00:00Z"', ['"t":"2026-01-31T09:00:00+01:00"'], ['"t":"2026-01-31T08:00:00.000001Z"']],
    ['"j":{"a":[1.0,{}],"b":2}', ['"j":{"b":2e0,"a":[1,{}]}'], ['"j":{"a":[{},1],"b":2}', '"j":{"a":["1",{}],"b":2}']],
    ['"j":123456789e400', ['"j":1234567890e399'], ['"j":123456789e401']],
    ['"s":"1"', ['"s":"1","n":null'], ['"s":"1.0"', '"s":"1 "', '"n":1', '"s":""']],
  ];
  for (const [row, [first, same, others]] of table.entries()) {
    const sentAs = (given: string): Promise<string> =>
      send(engine, `k-${row}`, given === '' ? '{"id":"a"}' : `{"id":"a",${given}}`);
    assert.equal([first, await sentAs(first)], [first, 'emitted']);
    for (const given of [first, ...same]) assert.equal([first, given, await sentAs(given)], [first, given, 'replayed']);
    for (const given of others) assert.equal([first, given, await sentAs(given)], [first, given, 'R0104']);
  }
  await engine.close();
});

test('a repeated command takes the defaults of its first time', async () => {
  const engine = await engineOf(pour('1'));
  assert.is(await send(engine, 'left-out', '{"id":"a"}'), 'emitted');
  assert.is(await send(engine, 'given', '{"id":"a","amount":1}'), 'emitted');
  await engine.adopt(await domainOf(pour('2', ", colour STRING DEFAULT 'red', note STRING NULL")));
  const table: readonly (readonly [key: string, arguments_: string, told: string])[] = [
    ['left-out', '{"id":"a"}', 'replayed'],
    ['left-out', '{"id":"a","note":null}', 'replayed'],
    ['left-out', '{"id":"a","amount":2}', 'R0104'],
    ['left-out', '{"id":"a","note":"x"}', 'R0104'],
    ['given', '{"id":"a","amount":"1.0"}', 'replayed'],
    ['given', '{"id":"a"}', 'R0104'],
  ];
  for (const [key, json, expected] of table)
    assert.equal([key, json, await send(engine, key, json)], [key, json, expected]);
  await engine.close();
});

test('an outcome recorded with the first form of fingerprint is still found', async () => {
  const store = await openMemoryStore({ secret: '07'.repeat(32) });
  // The first form: command, line end, arguments as sent with sorted keys.
  const print = createHmac('sha256', Buffer.alloc(32, 7)).update('Pour\n{"amount":1.00,"id":"a"}').digest('base64url');
  const entry = { kind: 'command', command: 'Pour', streamType: 'Tank', streamId: 'a', events: [] } as const;
  await store.turns.exclusively((turn) =>
    turn.append(
      {
        ...entry,
        commandId: 'k',
        fingerprint: print,
        rejection: '{"decision":"DoPour","guards":[],"state":{},"command":{}}',
      },
      1n,
    ),
  );
  const engine = await engineOf(pour('1'), { store });
  assert.is(await send(engine, 'k', '{"amount":1.00,"id":"a"}'), 'replayed');
  assert.is(await send(engine, 'k', '{"id":"a","amount":1.00}'), 'replayed');
  assert.is(await send(engine, 'k', '{"id":"a","amount":2}'), 'R0104');
  await engine.close();
});

test('commands that arrive together are decided in order, each after the events of the one before', async () => {
  const engine = await engineOf(schema);
  await tell(engine, 'Fill', { purse_id: 'a', amount: 10 });
  const told = await Promise.all(Array.from({ length: 30 }, () => tell(engine, 'Pay', { purse_id: 'a', amount: 1 })));
  assert.is(told.filter((word) => word === 'emitted').length, 10);
  assert.is(told.filter((word) => word === 'rejected').length, 20);
  const before: unknown[] = [];
  for await (const entry of engine.store.log.read(1))
    if (entry.kind === 'command')
      for (const event of entry.events)
        before.push((JSON.parse(event.data) as { balance_before?: string }).balance_before);
  assert.equal(before.slice(1), ['10.00', '9.00', '8.00', '7.00', '6.00', '5.00', '4.00', '3.00', '2.00', '1.00']);
  await engine.close();
});

test('arguments are read before a command waits for its turn, and by the registry that is in force in it', async () => {
  const text = (
    type: string,
  ): string => `CREATE AGGREGATE A; CREATE EVENT E (n ${type}); CREATE COMMAND C (id STRING, n ${type});
CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := :n);`;
  const store = await openMemoryStore();
  let free = (): void => undefined;
  const isFree = new Promise<void>((resolve) => (free = resolve));
  let prepared = (): void => undefined;
  const isPrepared = new Promise<void>((resolve) => (prepared = resolve));
  const engine = await engineOf(text('BIGINT'), {
    store: {
      ...store,
      turns: { ...store.turns, exclusively: (work) => isFree.then(() => store.turns.exclusively(work)) },
      tables: {
        ...store.tables,
        prepare: async (...asked) => {
          const swap = await store.tables.prepare(...asked);
          setImmediate(prepared);
          return swap;
        },
      },
    },
  });
  const first = tell(engine, 'C', { id: 'a', n: 1 });
  assert.is(await tell(engine, 'C', { id: 'a', n: 'many' }), 'R0103');
  const changed = engine.adopt(await domainOf(text('INT')));
  await isPrepared;
  const later = tell(engine, 'C', { id: 'a', n: 3_000_000_000 });
  free();
  await changed;
  assert.equal([await first, await later], ['emitted', 'R0103']);
  await engine.close();
});

test('a full queue and a read-only server refuse commands', async () => {
  const full = await engineOf(schema, { limits: { waitingCommands: 2 } });
  const told = await Promise.all(Array.from({ length: 4 }, () => tell(full, 'Fill', { purse_id: 'a', amount: 1 })));
  assert.equal(told, ['emitted', 'emitted', 'R0401', 'R0401']);
  await full.close();
  const reader = await engineOf(schema, { readOnly: true });
  assert.is(await tell(reader, 'Fill', { purse_id: 'a', amount: 1 }), 'R0109');
  await reader.close();
});

test('a command that would wait longer than the limit is refused at once; with an empty queue none is refused', async () => {
  let now = 0;
  const slow = await engineOf(schema, { limits: { waitingMilliseconds: 1000 }, monotonic: () => (now += 10_000) });
  const fill = (): Promise<string> => tell(slow, 'Fill', { purse_id: 'a', amount: 1 });
  assert.equal([await fill(), await fill(), await fill()], ['emitted', 'emitted', 'emitted']);
  // Each took 10 s to decide, so the second of these would wait longer than the limit for the first.
  assert.equal(await Promise.all([fill(), fill(), fill()]), ['emitted', 'R0401', 'R0401']);
  assert.is(await fill(), 'emitted');
  await slow.close();
});

test('after a slow commit a server that is idle takes all commands that arrive at once', async () => {
  let now = 0;
  let commits = [3000];
  const store = await openMemoryStore({ readModel: 'inline' });
  const engine = await engineOf(schema, {
    store: {
      ...store,
      turns: {
        ...store.turns,
        exclusively: async (work, kind) => {
          const result = await store.turns.exclusively(work, kind);
          now += commits.shift() ?? 0;
          return result;
        },
      },
    },
    limits: { waitingMilliseconds: 1000 },
    monotonic: () => now,
  });
  const burst = async (clients: number): Promise<string> => {
    const told = await Promise.all(
      Array.from({ length: clients }, (_, n) => tell(engine, 'Fill', { purse_id: `p${n}`, amount: 1 })),
    );
    return [...new Set(told)].map((word) => `${told.filter((one) => one === word).length} ${word}`).join(', ');
  };
  assert.is(await burst(1), '1 emitted');
  assert.is(await burst(25), '25 emitted');
  // Commits that are slow again and again: a full batch, and one more, would wait for two of them.
  commits = Array.from({ length: 10 }, () => 1500);
  for (let n = 0; n < 3; n += 1) await burst(1);
  assert.is(await burst(600), '512 emitted, 88 R0401');
  await engine.close();
});

test('the ids, events and bytes of one command are limited', async () => {
  const text = `
CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, content STRING, other STRING NULL);
CREATE EVENT Packed (content STRING);
CREATE DECISION DoPut FOR Box ON COMMAND Put EMIT AS
  SELECT EVENT Packed (content := :content) TO Box(COALESCE(:other, :box_id))
  UNION ALL SELECT EVENT Packed (content := :content) WHERE :content = 'twice';`;
  const limits = { streamIdCharacters: 3, eventsPerCommand: 1, eventBytes: 18 };
  const engine = await engineOf(text, { limits });
  const table: readonly (readonly [given: object, told: string])[] = [
    [{ box_id: 'abc', content: 'x' }, 'emitted'],
    [{ box_id: '😀😀😀', content: 'x' }, 'emitted'],
    [
      { box_id: 'abcd', content: 'x' },
      "Put: argument 'box_id' takes the id of a stream, of 1 to 3 characters, not one of 4",
    ],
    [
      { box_id: 'a', content: 'x', other: 'abcd' },
      "decision 'DoPut': the id of the stream that takes Packed has 4 characters, 1 to 3 are allowed; nothing was written",
    ],
    [{ box_id: 'a', content: 'fits' }, 'emitted'],
    [{ box_id: 'a', content: 'large' }, "decision 'DoPut': Packed is larger than 18 bytes; nothing was written"],
    [
      { box_id: 'a', content: 'twice' },
      "decision 'DoPut': it emits 2 events, at most 1 are allowed; nothing was written",
    ],
  ];
  const told: string[] = [];
  for (const [given] of table)
    told.push(
      await engine.execute({ command: 'Put', arguments: sent(given) }).then(
        (outcome) => unmasked(outcome).outcome,
        (error: unknown) => (error as Error).message,
      ),
    );
  assert.equal(
    told,
    table.map(([, expected]) => expected),
  );
  await engine.close();
});

interface Attempt {
  readonly command: string;
  readonly given: object;
  readonly more: object;
}

test('commands follow the rules of the event store of their events', async () => {
  const ids = "CREATE EVENTSTORE ids WITH (id.command_id.required = true, durable.type = 'memory');";
  const uuids = "CREATE EVENTSTORE uuids WITH (strict.uuid_format = true, durable.type = 'memory');";
  const byDefault = uuids.replace('WITH (', 'WITH (default = true, ');
  const fill: Attempt = { command: 'Fill', given: { purse_id: 'a', amount: 1 }, more: {} };
  const mark = (id: string | null, pin: string | null): Attempt => ({ command: 'Mark', given: { id, pin }, more: {} });
  const uuid = '123e4567-E89B-12d3-a456-426614174000';
  const table: readonly (readonly [string, string | undefined, Attempt, string])[] = [
    [ids, undefined, fill, 'R0110'],
    [ids, undefined, { ...fill, more: { commandId: 'x' } }, 'emitted'],
    [`${ids}${uuids}`, undefined, fill, 'emitted'],
    [`${ids}${uuids}`, 'ids', fill, 'R0110'],
    [`${ids}${byDefault}`, undefined, mark('EMP-001', null), 'R0103'],
    [`${ids}${byDefault}`, 'ids', { ...mark('EMP-001', null), more: { commandId: 'x' } }, 'emitted'],
    ['', undefined, mark('EMP-001', 'p'), 'emitted'],
    [uuids, undefined, mark('EMP-001', null), 'R0103'],
    [uuids, undefined, mark(uuid, 'EMP-001'), 'R0103'],
    [uuids, undefined, mark(uuid, uuid), 'emitted'],
    [uuids, undefined, mark(uuid, null), 'emitted'],
  ];
  const marks = `CREATE COMMAND Mark (id UUID, pin UUID SENSITIVE NULL); CREATE EVENT Marked ();
    CREATE DECISION MarkIt FOR Purse ON COMMAND Mark EMIT AS SELECT EVENT Marked ();`;
  for (const [stores, eventStore, { command, given, more }, expected] of table) {
    const engine = await engineOf(`${schema}${marks}${stores}`, eventStore === undefined ? {} : { eventStore });
    assert.is(await tell(engine, command, given, more), expected, `${stores} ${command} ${JSON.stringify(given)}`);
    await engine.close();
  }
  const strict = await engineOf(`${schema}${marks}${uuids}`);
  const messageOf = async (given: object): Promise<string> => {
    try {
      return unmasked(await strict.execute({ command: 'Mark', arguments: sent(given) })).outcome;
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(await Promise.all([messageOf({ id: 'EMP-001' }), messageOf({ id: uuid, pin: 'EMP-001' })]), [
    'Mark: argument \'id\' takes UUID (as 123e4567-e89b-12d3-a456-426614174000), not "EMP-001"',
    "Mark: argument 'pin' takes UUID (as 123e4567-e89b-12d3-a456-426614174000), not the given value",
  ]);
  await strict.close();
});

test('timestamps never decrease, even when the clock does', async () => {
  let now = 2_000_000n;
  const engine = await engineOf(schema, { clock: () => (now -= 1000n) });
  for (let index = 0; index < 3; index++)
    await engine.execute({ command: 'Fill', arguments: sent({ purse_id: 'a', amount: 1 }) });
  const times: string[] = [];
  for await (const entry of engine.store.log.read(1)) times.push(entry.at);
  assert.equal(times, [...times].sort());
  assert.is(new Set(times).size, 1);
  await engine.close();
});

test.run();
