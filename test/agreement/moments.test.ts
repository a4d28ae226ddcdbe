/** A moment shows the same relations at every door: those of a store in which nothing has happened since. A door is a line, a relation as well. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openRemote } from '../../cli/remote/prompt.ts';
import { emitProject } from '../../compiler/emit/project/emit-project.ts';
import type { Session } from '../../server/session/session.ts';
import { purse } from '../client/purse.ts';
import { withServedProject, type PurseClient } from '../client/served-client.ts';
import { catalogOf } from '../emit/compiled.ts';
import { toldRows } from './command-doors.ts';
import { executed, fetched, posted, rowsOf, withHistory } from './statement-rows.ts';

const schema = `${purse}
CREATE COMMAND Move (purse_id STRING, other STRING, amount DECIMAL(12,2));
CREATE DECISION Moves FOR Purse ON COMMAND Move
EMIT AS SELECT EVENT Paid (amount := -:amount), SELECT EVENT Paid (amount := :amount) TO Purse(:other);`;

const first = `Pay(purse_id := 'a', amount := 10.25, ref := 9223372036854775807, at := '2026-01-31T08:00:00.123456Z', pin := '1234')`;
const second = `Pay(purse_id := 'p "1"', amount := 0.10, day := '1969-12-31', n := -7)`;

/** Commands, and those with one event each that come to the same: a moment between two events of a command has the first of them. */
const commands = [first, `Move(purse_id := 'a', other := 'b', amount := 4)`, second, `Close(purse_id := 'a')`];
const events = [first, `Pay(purse_id := 'a', amount := -4)`, `Pay(purse_id := 'b', amount := 4)`, second, commands[3]];

/** Later moments first, and back again: tables of the past move forwards. */
const positions = [4, 2, 0];

interface Relation {
  readonly path: string;
  readonly sql: string;
}
const relations: Readonly<Record<string, Relation>> = {
  states: { path: '/api/aggregates/Purse/state', sql: 'SELECT * FROM Reg."Purse$Agg" ORDER BY aggregate_id' },
  'the state of a stream': {
    path: '/api/aggregates/Purse/state?aggregate_id=a',
    sql: 'SELECT * FROM Reg."Purse$Agg" WHERE aggregate_id = \'a\'',
  },
  fold: { path: '/api/projections/Totals/query', sql: 'SELECT * FROM Reg."Totals" ORDER BY purse' },
  payloads: {
    path: '/api/aggregates/Purse/events?select=stream_id,seq,event_type,data,global_position',
    sql: 'SELECT stream_id, seq, event_type, data, global_position FROM Reg."Purse$Events" ORDER BY global_position',
  },
};

/** The rows of each relation in a store that ends with an event. */
function endingThere(position: number): Promise<ReadonlyMap<Relation, string>> {
  return withHistory(`${schema}\n${executed(events.slice(0, position))}`, async ({ run }) => {
    const found = new Map<Relation, string>();
    for (const relation of Object.values(relations))
      found.set(relation, toldRows(await rowsOf(run, `${relation.sql};`)));
    return found;
  });
}

interface Places {
  readonly url: string;
  readonly session: Session;
}
type Door = (places: Places, relation: Relation, position: number) => Promise<unknown>;
const doors: Readonly<Record<string, Door>> = {
  'AS OF in a script': ({ session: { run } }, { sql }, at) => rowsOf(run, `${sql} AS OF POSITION ${at};`),
  'a script as of a moment': ({ session: { run } }, { sql }, at) => rowsOf(run, `${sql};`, { asOf: String(at) }),
  'a table as of a moment': ({ session: { run } }, { sql }, at) =>
    rowsOf(run, `CREATE TABLE then_ AS ${sql} AS OF POSITION ${at}; SELECT * FROM then_;`),
  'AS OF in the console': ({ url }, { sql }, at) =>
    fetched(`${url}/api/query`, posted({ sql: `${sql} AS OF POSITION ${at}` })),
  'as_of of the console': ({ url }, { sql }, at) => fetched(`${url}/api/query?as_of=${at}`, posted({ sql })),
  'as_of over HTTP': ({ url }, { path }, at) => fetched(`${url}${path}${path.includes('?') ? '&' : '?'}as_of=${at}`),
  'AS OF at a url': async ({ url }, { sql }, at) =>
    rowsOf((await openRemote(url, undefined)).run, `${sql} AS OF POSITION ${at};`),
  'a prompt at a url as of a moment': async ({ url }, { sql }, at) =>
    rowsOf((await openRemote(url, undefined)).run, `${sql};`, { asOf: String(at) }),
};

test('relations of a moment at every door', async () => {
  const files = await emitProject(catalogOf(schema), { version: '0.0.0', exportText: schema });
  await withServedProject<PurseClient>(files, async ({ url }) => {
    await rowsOf((await openRemote(url, undefined)).run, executed(commands));
    await withHistory(`${schema}\n${executed(commands)}`, async (session) => {
      for (const position of positions) {
        const wanted = await endingThere(position);
        for (const [name, relation] of Object.entries(relations))
          for (const [door, ask] of Object.entries(doors)) {
            const found = toldRows(await ask({ url, session }, relation, position));
            assert.is(found, wanted.get(relation), `${name} at position ${position}, ${door}`);
          }
      }
    });
  });
});

test.run();
