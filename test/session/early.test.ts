/**
 * AND, OR, BETWEEN, IN, CASE and COALESCE evaluate only the operands they need, and compare exactly, in every place. Random conditions whose
 * operands divide by columns that may be 0, over rows with NULLs: PostgreSQL's answer is that of a scan, of a WHERE, of a fold in SQL, of a fold
 * in TypeScript and of a decision's arguments.
 */
import { openPostgres } from '../kit/postgres.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { createChance } from '../crash/chance.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const count = Number(process.env['ROUNDS'] ?? 30);
const chance = createChance(seed);

/** Values with all digits of each type, so that a comparison in a common type of 18 digits would fail. */
const fields = { a: 'INT', b: 'INT', l: 'BIGINT', d: 'DECIMAL(18,2)', s: 'DECIMAL(12,6)' } as const;
type Field = keyof typeof fields;
const names = Object.keys(fields) as Field[];
const samples: Readonly<Record<Field, readonly (string | null)[]>> = {
  a: ['0', '1', '-2', null],
  b: ['0', '3', null],
  l: ['0', '5', '999999999999999999', '9223372036854775807', null],
  d: ['0.00', '5.00', '5.25', '9999999999999999.99', null],
  s: ['0.000000', '5.250000', '5.000000', '0.125000', null],
};

type Reference = (name: Field) => string;
/** PostgreSQL folds constants before it evaluates anything, so there a literal is a column. */
const literals: Readonly<Record<string, string>> = {
  '0': 'int',
  '1': 'int',
  '2': 'int',
  '5': 'int',
  '5.25': 'numeric',
  '5.00': 'numeric',
  '0.125': 'numeric',
  '999999999999999999': 'bigint',
};
type Part = (of: Reference, literal?: (text: string) => string) => string;

function whole(depth: number): Part {
  const pick = chance.below(depth <= 0 ? 3 : 6);
  if (pick === 0) return fixed(chance.pick(['0', '1', '2']));
  if (pick < 3) return named(chance.pick(['a', 'b']));
  const [left, right] = [whole(depth - 1), whole(depth - 1)];
  if (pick === 3) return (of, literal) => `NULLIF(${left(of, literal)}, ${right(of, literal)})`;
  return (of, literal) => `(${left(of, literal)} ${pick === 4 ? '/' : '%'} ${right(of, literal)})`;
}

function named(name: Field): Part {
  return (of) => of(name);
}

/** Any number, of any type. */
function number(depth: number): Part {
  const pick = chance.below(4);
  if (pick === 0) return fixed(chance.pick(['5.25', '5.00', '0.125', '5', '999999999999999999']));
  return pick === 1 ? whole(depth) : named(chance.pick(['a', 'b', 'l', 'd', 's']));
}

function fixed(text: string): Part {
  return (_, literal) => (literal === undefined ? text : literal(text));
}

function truth(depth: number): Part {
  const one = (): Part => truth(depth - 1);
  const numbers = (many: number): readonly Part[] => Array.from({ length: many }, () => number(depth - 1));
  const [x, y, z] = [number(depth - 1), number(depth - 1), number(depth - 1)];
  switch (chance.below(depth <= 0 ? 2 : 11)) {
    case 0:
      return compared();
    case 1:
      return (of, literal) => `(${x(of, literal)} = ${y(of, literal)})`;
    case 2:
    case 3:
      return joined('AND', [one(), one()]);
    case 4:
    case 5:
      return joined('OR', [one(), one(), ...(chance.below(2) === 0 ? [one()] : [])]);
    case 6: {
      const inner = one();
      return (of, literal) => `(NOT ${inner(of, literal)})`;
    }
    case 7:
      return (of, literal) => `(${x(of, literal)} BETWEEN ${y(of, literal)} AND ${z(of, literal)})`;
    case 8: {
      const items = numbers(1 + chance.below(4));
      const not = chance.pick(['', 'NOT ']);
      return (of, literal) => `(${x(of, literal)} ${not}IN (${items.map((item) => item(of, literal)).join(', ')}))`;
    }
    case 9: {
      const [when, other] = [one(), one()];
      return (of, literal) =>
        `(CASE ${x(of, literal)} WHEN ${y(of, literal)} THEN ${when(of, literal)} WHEN ${z(of, literal)} THEN TRUE ELSE ${other(of, literal)} END)`;
    }
    default: {
      const [first, second] = [one(), one()];
      return (of, literal) => `COALESCE(${first(of, literal)}, ${second(of, literal)})`;
    }
  }
}

function compared(): Part {
  const [left, right, operator] = [whole(1), whole(1), chance.pick(['=', '<>', '<', '>='])];
  return (of, literal) => `(${left(of, literal)} ${operator} ${right(of, literal)})`;
}

function joined(word: string, parts: readonly Part[]): Part {
  return (of, literal) => `(${parts.map((part) => part(of, literal)).join(` ${word} `)})`;
}

const rows = Array.from({ length: 16 }, () =>
  Object.fromEntries(names.map((name) => [name, chance.pick(samples[name] as readonly [string | null])])),
);
const literal = (value: string | null | undefined): string => value ?? 'NULL';
const values = rows.map((row, index) => `(${index}, ${names.map((name) => literal(row[name])).join(', ')})`).join(', ');

test(`every engine evaluates what PostgreSQL evaluates (seed ${seed})`, async () => {
  const server = await openPostgres();
  const types = Object.entries(fields).map(
    ([name, type]) => `${name} ${type.replace('INT', 'int').replace('BIGint', 'bigint')}`,
  );
  const constants = Object.entries(literals)
    .map(([text, type]) => `ALTER TABLE t ADD COLUMN "${text}" ${type} DEFAULT ${text};`)
    .join('');
  await server.exec(`CREATE TABLE t (i int, ${types.join(', ')}); INSERT INTO t VALUES ${values}; ${constants}`);
  const kept: { readonly part: Part; readonly expected: readonly (boolean | null)[] }[] = [];
  while (kept.length < count) {
    const part = truth(3);
    try {
      const answer = await server.query<{ x: boolean | null }>(
        `SELECT ${part(
          (name) => `t.${name}`,
          (text) => `t."${text}"`,
        )} AS x FROM t ORDER BY i`,
      );
      kept.push({ part, expected: answer.rows.map(({ x }) => x) });
    } catch (error) {
      assert.match((error as { code?: string }).code ?? '', /^22/);
    }
  }
  await server.close();

  const session = await openSession({ store: await openMemoryStore({ starts: 'when asked' }), version: '0.0.0' });
  const ask = async (text: string): Promise<readonly (readonly unknown[])[]> => {
    let last: readonly (readonly unknown[])[] = [];
    for await (const outcome of session.run({ name: 'early', text })) {
      if (outcome.kind === 'error')
        assert.unreachable(`${text.slice(0, 300)}\n${outcome.problems.map(({ message }) => message).join()}`);
      if (outcome.kind === 'select') last = outcome.table.rows;
    }
    return last;
  };
  const emits = (value: (at: number) => string): string => kept.map((_, at) => `x${at} := ${value(at)}`).join(', ');
  const declared = kept.map((_, at) => `x${at} BOOLEAN`).join(', ');
  const inputs = names.map((name) => `${name} ${fields[name]} NULL`).join(', ');
  await ask(`
    CREATE EVENT Came (${names.map((name) => `${name} ${fields[name]}`).join(', ')});
    CREATE EVENT Told (${declared});
    CREATE EVENT Tested (${kept.map((_, at) => `y${at} BOOLEAN`).join(', ')});
    CREATE AGGREGATE A (${kept.map(({ part }, at) => `x${at} BOOLEAN AS LAST(CASE WHEN event_type = 'Came' THEN ${part((name) => `data.${name}`)} END)`).join(', ')});
    CREATE COMMAND Come (id INT, ${inputs});
    CREATE DECISION Coming FOR A ON COMMAND Come EMIT AS SELECT EVENT Came (${names.map((name) => `${name} := :${name}`).join(', ')});
    CREATE AGGREGATE B;
    CREATE COMMAND Tell (id STRING);
    CREATE DECISION Telling FOR B ON COMMAND Tell STATE AS SELECT ${kept.map((_, at) => `x${at}`).join(', ')} FROM Reg."A$Agg" WHERE aggregate_id = :id
      EMIT AS SELECT EVENT Told (${emits((at) => `x${at}`)});
    CREATE AGGREGATE C;
    CREATE COMMAND Test (id INT, ${inputs});
    CREATE DECISION Testing FOR C ON COMMAND Test
      EMIT AS SELECT EVENT Told (${emits((at) => kept[at]?.part((name) => `:${name}`) ?? '')}),
        SELECT EVENT Tested (${kept.map(({ part }, at) => `y${at} := CASE WHEN ${part((name) => `:${name}`)} THEN TRUE ELSE FALSE END`).join(', ')});
    CREATE TABLE v (i, ${names.join(', ')}) AS SELECT ${['i', ...names].map((name, at) => `CAST(column${at + 1} AS ${name === 'i' ? 'INT' : fields[name as Field]}) AS ${name}`).join(', ')} FROM (VALUES ${values}) q;
  `);
  const wrong: string[] = [];
  const hold = (
    target: string,
    actual: (row: number, at: number) => unknown,
    wanted = (x: boolean | null): unknown => x,
  ): void => {
    for (const [at, { part, expected }] of kept.entries())
      for (const [row, x] of expected.entries())
        if (actual(row, at) !== wanted(x))
          wrong.push(
            `${target}: ${part((name) => name)} of ${JSON.stringify(rows[row])} is ${String(x)}, not ${String(actual(row, at))}`,
          );
  };
  const isTrue = (x: boolean | null): boolean => x === true;

  const scanned: (readonly unknown[])[] = [];
  for (const { part } of kept)
    scanned.push((await ask(`SELECT ${part((name) => `v.${name}`)} AS x FROM v ORDER BY i`)).map(([x]) => x));
  hold('scan', (row, at) => scanned[at]?.[row]);
  const found: Set<unknown>[] = [];
  for (const { part } of kept)
    found.push(new Set((await ask(`SELECT i FROM v WHERE ${part((name) => `v.${name}`)}`)).map(([i]) => i)));
  hold('WHERE', (row, at) => found[at]?.has(row), isTrue);
  for (const [index, row] of rows.entries()) {
    const given = names.map((name) => `${name} := ${literal(row[name])}`).join(', ');
    await ask(
      `EXECUTE Come(id := ${index}, ${given}); EXECUTE Tell(id := '${index}'); EXECUTE Test(id := ${index}, ${given});`,
    );
  }
  const all = (prefix: string): string => kept.map((_, at) => `${prefix}${at}`).join(', ');
  const folded = await ask(`SELECT ${all('x')} FROM Reg."A$Agg" ORDER BY CAST(aggregate_id AS INT)`);
  hold('fold in SQL', (row, at) => folded[row]?.[at]);
  const told = await ask(`SELECT ${all('data.x')} FROM Reg."B$Events" ORDER BY CAST(stream_id AS INT)`);
  hold('fold in TypeScript', (row, at) => told[row]?.[at]);
  const decided = await ask(
    `SELECT ${all('data.x')} FROM Reg."C$Events" WHERE event_type = 'Told' ORDER BY CAST(stream_id AS INT)`,
  );
  hold('decision', (row, at) => decided[row]?.[at]);
  const tested = await ask(
    `SELECT ${all('data.y')} FROM Reg."C$Events" WHERE event_type = 'Tested' ORDER BY CAST(stream_id AS INT)`,
  );
  hold('condition', (row, at) => tested[row]?.[at], isTrue);
  await session.close();
  assert.equal(wrong.slice(0, 5), []);
});

test.run();
