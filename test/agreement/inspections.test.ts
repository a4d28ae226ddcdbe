/** An inspection has the same rows at every door, now, as of a moment, under other definitions, and of recorded commands. A question is a line, a door as well. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inspectRemotely } from '../../cli/remote/inspection.ts';
import { openRemote } from '../../cli/remote/prompt.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import type { Session } from '../../server/session/session.ts';
import { emitProject } from '../../compiler/emit/project/emit-project.ts';
import { catalogOf } from '../emit/compiled.ts';
import { purse } from '../client/purse.ts';
import { withServedProject, type PurseClient, type Served } from '../client/served-client.ts';
import { plain, toldRows } from './command-doors.ts';
import { executed, fetched, posted, rowsOf, withHistory } from './statement-rows.ts';

const history = executed([
  `Pay(purse_id := 'a', amount := 10.25, ref := 9223372036854775807, pin := '1234')`,
  `Pay(purse_id := 'a', amount := -20)`,
  `Pay(purse_id := 'b', amount := 3, n := 1)`,
  `Close(purse_id := 'a')`,
]);

/** No purse has more than 5. */
const candidate = `CREATE OR REPLACE DECISION Pays FOR Purse ON COMMAND Pay
STATE AS SELECT balance, moves FROM Reg."Purse$Agg" WHERE aggregate_id = :purse_id
EMIT AS BRANCH Little SELECT EVENT Paid (amount := :amount, n := :n) WHERE balance + :amount <= 5;`;

/** Each on the state of the history; none follows from another one. */
const commands = [
  { purse_id: 'a', amount: '-10.25', ref: '-9223372036854775808', day: '1969-12-31', pin: '99' },
  { purse_id: 'a', amount: '-30' },
  { purse_id: 'c', amount: '7' },
];

interface Question {
  readonly each?: true;
  readonly position?: number;
  readonly schema?: string;
}
const questions: Readonly<Record<string, Question>> = {
  now: {},
  'as of a moment': { position: 2 },
  'under a candidate': { schema: candidate },
  'as of a moment under a candidate': { position: 0, schema: candidate },
  'of recorded commands': { each: true },
  'of recorded commands under a candidate': { each: true, schema: candidate },
};

const shown = 'SELECT stream_id, seq, event_type, data, rejection FROM would';

function statement({ each, position, schema }: Question): string {
  const source = each === true ? 'Reg."Purse$Commands"' : 'wanted';
  const moment = each === true ? ' AS OF EACH' : position === undefined ? '' : ` AS OF POSITION ${position}`;
  const tried = schema === undefined ? '' : ` WITH SCHEMA '${schema.replaceAll("'", "''")}'`;
  return `INSPECT DECISION Pays FROM ${source} INTO would${moment}${tried};`;
}

const text = (value: string | undefined): string => (value === undefined ? 'NULL' : `'${value}'`);
const wanted = `CREATE TABLE wanted (purse_id, amount, ref, day, pin) AS VALUES ${commands
  .map(
    ({ purse_id, amount, ref, day, pin }) => `('${purse_id}', ${amount}, ${ref ?? 'NULL'}, ${text(day)}, ${text(pin)})`,
  )
  .join(', ')};`;

function body({ each, position, schema }: Question): object {
  return {
    decision: 'Pays',
    ...(each === true ? { as_of: 'each' } : { commands }),
    ...(position !== undefined && { as_of: position }),
    ...(schema !== undefined && { schema }),
  };
}

interface Row {
  readonly event_type: string | null;
  readonly stream_id: string;
  readonly seq: string | null;
  readonly data?: unknown;
  readonly fields?: unknown;
  readonly rejection?: unknown;
  readonly failure?: unknown;
}

/** An event, or why there is none. A column has the scale of all events, a client that of each event. */
function told(rows: unknown): string {
  const all = (plain(rows) as unknown as readonly Row[]).map(
    ({ event_type, stream_id, seq, data, fields, rejection, failure }) => {
      if (event_type === '__FAILED__' || typeof failure === 'string')
        return { stream_id, failure: failure ?? rejection };
      if (rejection === null || rejection === undefined) return { stream_id, seq, event_type, data: data ?? fields };
      return { stream_id, rejection: typeof rejection === 'string' ? plain(readExactJson(rejection)) : rejection };
    },
  );
  return toldRows(all).replaceAll(
    /"(-?\d+)(?:\.0+|(\.\d*?[1-9])0+)"/g,
    (_, whole: string, part = '') => `"${whole}${part}"`,
  );
}

type Door = (places: Served<PurseClient> & { readonly session: Session }, question: Question) => Promise<unknown>;
const doors: Readonly<Record<string, Door>> = {
  script: ({ session: { run } }, question) => rowsOf(run, `${wanted} ${statement(question)} ${shown};`),
  'POST /api/inspect': ({ url }, question) => fetched(`${url}/api/inspect`, posted(body(question))),
  'with its branches': async ({ url }, question) => {
    const answer = await fetched(`${url}/api/inspect`, posted({ ...body(question), branches: true }));
    return (answer as { readonly rows: unknown }).rows;
  },
  client: ({ createClient }, { each, position, schema }) => {
    const { Pay } = createClient({ format: 'json' }).inspect;
    return each === true ? Pay.each({ schema }) : Pay(commands, { asOf: position, schema });
  },
};

/** The editor asks a server about commands now. */
async function editor({ url }: { readonly url: string }): Promise<unknown> {
  const { columns, rows } = await inspectRemotely(
    { url, token: undefined },
    'Pays',
    commands,
    AbortSignal.timeout(60_000),
  );
  return rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at], value])));
}

const relation = 'INSPECT PROJECTION Totals FROM Reg."Purse$Events" INTO totals';
const projected: Readonly<Record<string, readonly [text: string, asked: object]>> = {
  now: [relation, {}],
  'as of a moment': [`${relation} AS OF POSITION 2`, { as_of: 2 }],
  'as of no event': [`${relation} AS OF POSITION 0`, { as_of: 0 }],
};

test('inspections at every door', async () => {
  const files = await emitProject(catalogOf(purse), { version: '0.0.0', exportText: purse });
  await withServedProject<PurseClient>(files, async (served) => {
    const { url } = served;
    await rowsOf((await openRemote(url, undefined)).run, history);
    await withHistory(`${purse}\n${history}`, async (session) => {
      for (const [name, question] of Object.entries(questions)) {
        const first = told(await doors['script']?.({ ...served, session }, question));
        for (const [door, ask] of Object.entries(doors))
          assert.is(told(await ask({ ...served, session }, question)), first, `${name}, ${door}`);
        if (name === 'now') assert.is(told(await editor(served)), first, 'the editor at a url');
      }
      for (const [name, [statements, asked]] of Object.entries(projected)) {
        const rows = await fetched(`${url}/api/inspect`, posted({ projection: 'Totals', ...asked }));
        assert.equal(rows, await rowsOf(session.run, `${statements}; SELECT * FROM totals ORDER BY purse;`), name);
      }
    });
  });
});

test.run();
