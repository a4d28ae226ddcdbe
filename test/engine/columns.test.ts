/** Events by column, as bytes, against the same events as rows of values: every type, its extremes, NULLs, masks and lost types. */
import { anyone, owner, type Caller } from '../../server/operation/caller.ts';
import { shownColumns, shownTable } from '../../server/operation/shown.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { columnStream } from '../../runtime/arrow/arrow-stream.ts';
import { encodeTable } from '../../runtime/arrow/encode-table.ts';
import { leavesOf, shownColumns as columnsOf } from '../../server/operation/read/page-forms.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { openSession } from '../../server/session/open-session.ts';
import { openTestedStore } from '../kit/tested-engine.ts';
import { openArrowReader } from '../arrow/arrow-reader.ts';

const test = suite('columns');
const reader = openArrowReader();
test.after(() => reader.close());

const fields = `t STRING NULL, s STRING SENSITIVE NULL, i INT NULL, b BIGINT NULL, k BIGINT SENSITIVE NULL,
  d DECIMAL(18,4) NULL, w DECIMAL(9,0) NULL, f DOUBLE NULL, o BOOLEAN NULL, at TIMESTAMP NULL, day DATE NULL, u UUID NULL, j JSON NULL`;
const names = [...fields.matchAll(/(?:^|,)\s*(\w+)/g)]
  .map(([, name]) => name ?? '')
  .filter((name) => !/^\d+$/.test(name));
const schema = `
CREATE AGGREGATE Thing;
CREATE COMMAND Note (id STRING KEY, ${fields});
CREATE EVENT Noted (${fields.replaceAll(' NULL', '')});
CREATE DECISION DoNote FOR Thing ON COMMAND Note EMIT AS SELECT EVENT Noted (${names.map((name) => `${name} := :${name}`).join(', ')});
CREATE COMMAND Mark (id STRING KEY);
CREATE EVENT Marked ();
CREATE DECISION DoMark FOR Thing ON COMMAND Mark EMIT AS SELECT EVENT Marked ();
CREATE COMMAND Drop (id STRING KEY, t STRING);
CREATE EVENT Dropped (t STRING);
CREATE DECISION DoDrop FOR Thing ON COMMAND Drop EMIT AS SELECT EVENT Dropped (t := :t);
EXECUTE Note(id := 'a', t := 'Zoë €😀', s := 'secret', i := -2147483648, b := 9007199254740993, k := 7, d := -99999999999999.9999,
  w := 999999999, f := -0.0, o := TRUE, at := '1969-12-31T23:59:59.999999Z', day := '1969-12-31',
  u := '00000000-0000-4000-8000-000000000000', j := '{"a":[1]}');
EXECUTE Note(id := 'a', t := '', i := 2147483647, b := -9223372036854775808, d := 0.0001, f := 1.5e300, o := FALSE);
EXECUTE Mark(id := 'b');
EXECUTE Drop(id := 'ü', t := 'x');
EXECUTE Note(id := 'a', s := '', b := 9223372036854775807, k := -9007199254740992, d := 1, w := -1, f := 0.1, at := '2262-04-11T23:47:16.854775Z');
${Array.from({ length: 70 }, (_, at) => `EXECUTE Note(id := 'm${at % 3}', ${at % 2 === 0 ? `t := '${'long '.repeat(at)}'` : `o := ${at % 3 === 0 ? 'TRUE' : 'FALSE'}`}, i := ${at});`).join('\n')}
`;

async function openThings() {
  const session = await openSession({ store: await openTestedStore(), version: '0.1.0' });
  const run = async (text: string): Promise<void> => {
    for await (const outcome of session.run({ name: 'things.schema', text })) {
      if (outcome.kind === 'error') throw new Error(outcome.problems.map((problem) => problem.message).join('; '));
    }
  };
  await run(schema);
  const services = createRegistryServices(session.engine, {
    version: '0.1.0',
    modules: undefined,
    warn: () => undefined,
  });
  return { session, run, services };
}

/** The answer of all events in both forms, as an Arrow reader sees it. */
async function bothForms({ session, services }: Awaited<ReturnType<typeof openThings>>, caller: Caller) {
  const { engine } = session;
  const domain = engine.domain();
  const [aggregate] = domain.aggregates;
  if (aggregate === undefined) throw new Error('there is one');
  const columns = columnsOf(aggregate);
  const selected = { relation: 'Thing$Events', filters: [], order: [], limit: 100 } as const;
  const rows = await services.select(domain, { ...selected, columns: columns.map(({ name }) => name) });
  const leaves = await services.select(domain, { ...selected, columns: leavesOf(columns) ?? [] });
  const table = shownTable(await engine.query(rows.query, rows.parameters, {}), caller);
  const batch = shownColumns(
    await engine.columns(leaves.query, leaves.parameters, { rows: 100 }),
    leaves.query.columns,
    caller,
  );
  const pieces: Uint8Array[] = [];

  const one = (async function* () {
    yield batch;
  })();
  for await (const piece of columnStream(columns, one)) pieces.push(piece);
  return {
    asRows: await reader.read(encodeTable({ columns, rows: table.rows })),
    asColumns: await reader.read(Buffer.concat(pieces)),
  };
}

for (const caller of [owner, anyone]) {
  test(`columns as bytes equal columns as values, for ${caller.subject}`, async () => {
    const things = await openThings();
    const { asRows, asColumns } = await bothForms(things, caller);
    assert.is(asRows.rows.length, 75);
    assert.equal(asColumns, asRows);
    await things.run('DROP DECISION DoDrop; DROP COMMAND Drop; DROP EVENT Dropped;');
    const later = await bothForms(things, caller);
    assert.equal(later.asColumns, later.asRows);
    await things.session.close();
  });
}

test('more rows than the limit fail', async () => {
  const things = await openThings();
  const { engine } = things.session;
  const { query, parameters } = await things.services.select(engine.domain(), {
    relation: 'Thing$Events',
    columns: ['seq'],
    filters: [],
    order: [],
  });
  let code: unknown;
  await engine.columns(query, parameters, { rows: 10 }).catch((error: unknown) => {
    code = (error as { code?: unknown }).code;
  });
  assert.is(code, 'R0301');
  await things.session.close();
});

test.run();
