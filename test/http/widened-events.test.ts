/** Running answers with events while the registry changes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { readBytes, readRows, leavesOf, shownColumns } from '../../server/operation/read/page-forms.ts';
import { eventPages } from '../../server/operation/read/event-pages.ts';
import { jsonObjects } from '../../server/http/representation/json.ts';
import type { Call } from '../../server/http/route.ts';
import { showsTheSame } from '../../server/operation/read/shows-the-same.ts';
import { anyone } from '../../server/operation/caller.ts';
import { createHeldResults } from '../../server/operation/room/held-results.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import { domainOf } from '../kit/domain.ts';
import { tell } from '../kit/engine.ts';
import { createSampleEngine } from './sample-engine.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT, d DECIMAL(6,1) NULL, s VARCHAR(4));
CREATE EVENT Added (n INT, d DECIMAL(6,1), s VARCHAR(4), b BIGINT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n, d := :d, s := :s, b := :n);
CREATE COMMAND Shut (box_id STRING);
CREATE EVENT Closed (n INT);
CREATE DECISION ShutIt FOR Box ON COMMAND Shut EMIT AS SELECT EVENT Closed ();
`;
/** Somewhat more than the first page. */
const count = 1100;

type Sample = Awaited<ReturnType<typeof createSampleEngine>>;
type Change = (sample: Sample) => Promise<void>;

const created =
  (text: string): Change =>
  async ({ services }) => {
    await services.create(text);
  };
/** A change of files, without the rules for stored events. */
const adopted =
  (text: string): Change =>
  async ({ engine }) =>
    engine.adopt(await domainOf(text));
const event = (fields: string): string => `CREATE OR REPLACE EVENT Added (${fields});`;

/** Changes in order, and whether a copy of an earlier registry serves the rest. */
const changes: readonly (readonly [name: string, change: Change, past: boolean])[] = [
  ['a projection comes', created('CREATE PROJECTION Aside AS SELECT 1 AS one;'), false],
  ['a field comes', created(event('n INT, d DECIMAL(6,1), s VARCHAR(4), b BIGINT, more STRING SENSITIVE')), false],
  [
    'an event comes',
    created(`CREATE COMMAND Tip (box_id STRING); CREATE EVENT Tipped (n INT);
      CREATE DECISION TipIt FOR Box ON COMMAND Tip EMIT AS SELECT EVENT Tipped (n := 1);`),
    false,
  ],
  ['a field becomes SENSITIVE', created(event('n INT, d DECIMAL(6,1), s VARCHAR(4) SENSITIVE, b BIGINT')), true],
  ['types widen', created(event('n BIGINT, d DECIMAL(12,4), s STRING SENSITIVE, b DECIMAL(18,0)')), true],
  [
    'a field goes',
    created(`${event('d DECIMAL(12,4), s STRING SENSITIVE, b DECIMAL(18,0)')}
      CREATE OR REPLACE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (d := :d, s := :s, b := :n);`),
    true,
  ],
  ['other events of the same fields come in place of its own', adopted(schema.replaceAll('Added', 'Laid')), true],
  ['the aggregate goes', adopted('CREATE AGGREGATE Other;'), true],
];

/** Whether the last page in each form came from such a copy. */
interface Past {
  rows: boolean;
  bytes: boolean;
}

/** A call of a caller without `sensitive:read`. */
function callOn({ engine, services }: Sample, past: Past): Call {
  const noted: Pick<typeof engine, 'query' | 'columns'> = {
    query: (query, parameters, options) => {
      past.rows = options.answeredBy === 'past';
      return engine.query(query, parameters, options);
    },
    columns: (query, parameters, options) => {
      past.bytes = options.answeredBy === 'past';
      return engine.columns(query, parameters, options);
    },
  };
  const options = {
    engine: { ...engine, ...noted },
    late: () => Promise.resolve(services),
    time: { monotonic: () => 0 },
    settings: { limits: defaultLimits },
  };
  const lease = createHeldResults(defaultLimits).open('anybody', 'events');
  const reading = { local: true, shows: () => undefined };
  return { options, domain: engine.domain(), caller: anyone, lease, reading } as unknown as Call; // pages use nothing else
}

/** An answer in each form whose first page was read, and a function that reads the rest. */
async function begun(sample: Sample): Promise<() => Promise<{ readonly pages: unknown; readonly past: Past }>> {
  const past = { rows: false, bytes: false };
  const call = callOn(sample, past);
  const box = call.domain.aggregates.find(({ name }) => name === 'Box');
  if (box === undefined) throw new Error('there is no Box');
  const columns = shownColumns(box);
  const until = BigInt((await sample.engine.store.turns.fresh()).event);
  const everything = { filters: [], until, backwards: false };
  const names = columns.map(({ name }) => name);
  const json = jsonObjects(columns);
  const forms = [
    eventPages(call, box, names, everything, readRows(false)),
    eventPages(call, box, leavesOf(columns) ?? [], everything, readBytes(false)),
  ];
  const content = (page: Table | ColumnBatch): unknown =>
    typeof page.rows === 'number'
      ? (page as ColumnBatch).columns.map(({ nulls, present, buffers }) => [nulls, ...[present, ...buffers].map(hex)])
      : page.rows.map(json);
  const all: unknown[] = [];
  for (const pages of forms) all.push(content((await pages.next()).value as Table | ColumnBatch));
  return async () => {
    for (const pages of forms) for await (const page of pages) all.push(content(page));
    return { pages: all, past };
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

test('a stream of events continues as it began, whatever changes the registry', async () => {
  const sample = await createSampleEngine(false);
  const { engine } = sample;
  try {
    await created(schema)(sample);
    for (let n = 0; n < count; n++) {
      const d = n % 3 === 0 ? null : n / 2;
      const put = { box_id: 'b', n: n - 5, d, s: `s${n % 10}` };
      assert.is(await (n % 5 === 0 ? tell(engine, 'Shut', { box_id: 'b' }) : tell(engine, 'Put', put)), 'emitted');
    }
    const { pages: wanted } = await (await begun(sample))();
    const answers = await Promise.all(changes.map(() => begun(sample)));
    const outcomes: unknown[] = [];
    for (const [index, [name, change]] of changes.entries()) {
      await change(sample);
      const { pages, past } = (await answers[index]?.()) ?? {};
      outcomes.push([name, JSON.stringify(pages) === JSON.stringify(wanted), past]);
    }
    assert.equal(
      outcomes,
      changes.map(([name, , past]) => [name, true, { rows: past, bytes: past }]),
    );
  } finally {
    await sample.close();
  }
});

const moreEvents = (name: string): readonly [string, string] => [
  'SELECT EVENT Closed ();',
  `SELECT EVENT Closed (), SELECT EVENT ${name} (n := 1);\nCREATE EVENT ${name} (n INT);`,
];
const stored = ['Added', 'Closed', 'Dropped'].map((name) => ({ aggregate: 'Box', event: name, version: 1, count: 1 }));
const replacements: readonly (readonly [name: string, from: string | RegExp, to: string, same: boolean])[] = [
  ['nothing', '', '', true],
  ['a field of a new name', 'b BIGINT)', 'b BIGINT, more INT SENSITIVE)', true],
  ['a field that is a tag', 'b BIGINT)', 'b BIGINT, more INT TAG)', false],
  ['a field that another event has', 'Closed (n INT)', 'Closed (n INT, S VARCHAR(4))', false],
  ['a field less that another event has', 'Closed (n INT)', 'Closed ()', false],
  ['an event that was never stored', ...moreEvents('Tipped'), true],
  ['an event that was stored before', ...moreEvents('Dropped'), false],
  ['a wider type', 's VARCHAR(4), b', 's STRING, b', false],
  ['a tag', 's VARCHAR(4), b', 's VARCHAR(4) TAG, b', false],
  ['a sensitive field', 's VARCHAR(4), b', 's VARCHAR(4) SENSITIVE, b', false],
  ['a field that is not stored', 's VARCHAR(4), b', 's VARCHAR(4) VOLATILE, b', false],
  ['a field less', /, b BIGINT|, b := :n/g, '', false],
  ['an event less', /SELECT EVENT Closed .*/, 'SELECT EVENT Added (n := 1);', false],
  ['another name of the aggregate', / Box\b/g, ' Crate', false],
];

test('changes that show in earlier events are recognised', async () => {
  const then = await domainOf(schema);
  const shown: unknown[] = [];
  for (const [name, from, to] of replacements) {
    const text = schema.replace(from, to);
    assert.ok(text !== schema || from === '', name);
    shown.push([name, showsTheSame(then, await domainOf(text), 'Box', stored)]);
  }
  assert.equal(
    shown,
    replacements.map(([name, , , same]) => [name, same]),
  );
});

test.run();
