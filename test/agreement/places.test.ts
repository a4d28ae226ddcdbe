/** A log shows the same relations in every place that keeps it, and after whatever may happen to that place. A place is a line, a relation as well. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readExactJson } from '../../language/values/json-parse.ts';
import { openEmbeddedStore, type EmbeddedStoreOptions } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { purse } from '../client/purse.ts';
import { startDatabase } from '../kit/database.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { plain } from './command-doors.ts';

/** Two halves, so that a place can be closed, copied or moved in between. */
const halves = [
  `${purse}
CREATE REACTION Closing FROM START ON EVENT Paid EXECUTE Close (purse_id := :stream_id) WHERE :amount < 0;
EXECUTE Pay(purse_id := 'a', amount := 10.25, ref := 9223372036854775807, at := '2026-01-31T08:00:00.123456Z', pin := '1234', doc := '{"a": [1.50, "ü"]}');
EXECUTE Pay(purse_id := 'p "1"', amount := 0.10, day := '1969-12-31', n := -7, rate := 1.250000, weight := 0.1, open := TRUE, id := 'EMP-001');`,
  `EXECUTE Pay(purse_id := 'a', amount := -4, at := '0001-01-01T00:00:00.000001Z', ref := -9223372036854775808);
EXECUTE Pay(purse_id := 'a', amount := 9999999990.01, open := FALSE);
EXECUTE Close(purse_id := 'p "1"') WITH (command_id = 'once');
EXECUTE Close(purse_id := 'p "1"') WITH (command_id = 'once');
CREATE PROJECTION Late AS SELECT event_type, COUNT(*) AS n, SUM(data.amount) AS total FROM Reg."Purse$Events" GROUP BY event_type;`,
] as const;

const relations = [
  'SELECT * FROM Reg."Purse$Agg" ORDER BY aggregate_id',
  'SELECT stream_id, seq, event_type, data, tags, global_position FROM Reg."Purse$Events" ORDER BY global_position',
  'SELECT command, stream_id, data, outcome FROM Reg."Purse$Commands" ORDER BY entry',
  'SELECT * FROM Reg."Totals" ORDER BY purse',
  'SELECT * FROM Reg."Payloads"',
  'SELECT * FROM Reg."Late" ORDER BY event_type',
  'SELECT * FROM Reg."Totals" ORDER BY purse AS OF POSITION 2',
  'SELECT * FROM Reg.meta_events ORDER BY name',
];

/** Rows of each query as text. */
async function ask(store: Store, text: string): Promise<readonly string[]> {
  const session = await openSession({ store, version: '0.0.0' });
  try {
    const found: string[] = [];
    for await (const outcome of session.run({ name: 'places', text })) {
      if (outcome.kind === 'error') throw new Error(outcomeJson(outcome));
      const { columns, rows } = plain(readExactJson(outcomeJson(outcome))) as Readonly<Record<string, unknown>>;
      if (rows !== undefined && columns !== undefined) found.push(JSON.stringify({ columns, rows }));
    }
    return found;
  } finally {
    await session.close();
  }
}
const asked = relations.map((query) => `${query};`).join('\n');

const onDisk = (directory: string, given: Partial<EmbeddedStoreOptions> = {}): Promise<Store> =>
  openEmbeddedStore({ directory, readModel: 'inline', fsync: false, ...given });

/** Writes both halves, each in a store of its own, and returns the folder. */
async function filled(given: Partial<EmbeddedStoreOptions> = {}): Promise<string> {
  const folder = freshFolder();
  for (const half of halves) await ask(await onDisk(folder, given), half);
  return folder;
}

async function tool(...words: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await runToolHere(words, { cwd: freshFolder() });
  assert.is(status, 0, stdout + stderr);
}

const database = await startDatabase();
let namespaces = 0;

const places: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  memory: async () => ask(await openMemoryStore({ readModel: 'inline' }), `${halves.join('\n')}\n${asked}`),
  'a directory': async () => ask(await onDisk(freshFolder()), `${halves.join('\n')}\n${asked}`),
  'a directory, after restarts': async () => ask(await onDisk(await filled()), asked),
  'a directory, its image deleted': async () => {
    const folder = await filled();
    for (const name of readdirSync(folder).filter((each) => each.startsWith('snapshot'))) rmSync(join(folder, name));
    return ask(await onDisk(folder), asked);
  },
  'segments of one entry': async () => ask(await onDisk(await filled({ rolloverBytes: 1 })), asked),
  'tables on disk': async () => ask(await onDisk(await filled({ readEngine: 'disk' }), { readEngine: 'disk' }), asked),
  'tables on disk, of a log written without them': async () =>
    ask(await onDisk(await filled(), { readEngine: 'disk' }), asked),
  'a copy of the directory': async () => {
    const copy = freshFolder();
    cpSync(await filled(), copy, { recursive: true });
    return ask(await onDisk(copy), asked);
  },
  'a log exported and imported': async () => {
    const [from, to, dump] = [await filled(), freshFolder(), join(freshFolder(), 'log.jsonl')];
    await tool('log', 'export', dump, '--data', from);
    await tool('log', 'import', dump, '--data', to);
    return ask(await onDisk(to), asked);
  },
  ...('missing' in database
    ? {}
    : {
        PostgreSQL: async () => {
          const options = {
            url: database.url,
            namespace: `places_${process.pid}_${++namespaces}`,
            readModel: 'inline',
          } as const;
          for (const half of halves) await ask(await openPostgresStore(options), half);
          return ask(await openPostgresStore(options), asked);
        },
      }),
};

const [first = '', ...others] = Object.keys(places);
const wanted = await places[first]?.();

test('every relation has rows', () => {
  assert.is(wanted?.length, relations.length);
  for (const found of wanted ?? []) assert.not.match(found, '"rows":[]');
});

for (const place of others)
  test(`${place} shows what ${first} does`, async () => {
    const found = await places[place]?.();
    relations.forEach((relation, at) => assert.is(found?.[at], wanted?.[at], relation));
  });

if ('missing' in database) test.skip(`PostgreSQL: ${database.missing}`, () => undefined);
else test.after(database.stop);

test.run();
