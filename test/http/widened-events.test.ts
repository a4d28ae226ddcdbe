import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ColumnBatch } from '../../runtime/contract/column-bytes.ts';
import { bytesInFormOf, rowsInFormOf } from '../../runtime/http/earlier-form.ts';
import { readBytes, readRows, leavesOf, shownColumns } from '../../runtime/http/event-page-forms.ts';
import { eventPages } from '../../runtime/http/event-pages.ts';
import type { ReadParameters } from '../../runtime/http/read-parameters.ts';
import type { Call } from '../../runtime/http/route.ts';
import { Overtaken } from '../../runtime/store/store.ts';
import { tell } from '../kit/engine.ts';
import { createSampleEngine } from './sample-engine.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT, d DECIMAL(6,1) NULL, s VARCHAR(4));
CREATE EVENT Added (n INT, d DECIMAL(6,1), s VARCHAR(4), b BIGINT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n, d := :d, s := :s, b := :n);
`;
const count = 1500;

type Sample = Awaited<ReturnType<typeof createSampleEngine>>;

/** Some thousand events, of which the first page was read before the event became what `change` says. */
async function pagesAcross<T extends object>(
  change: string,
  read: (call: Call) => AsyncIterableIterator<T>,
): Promise<readonly T[] | 'cut'> {
  const sample = await createSampleEngine(false);
  try {
    await created(sample, schema);
    for (let n = 0; n < count; n++) await put(sample, n);
    const pages = read(callOn(sample));
    const all: T[] = [];
    const first = await pages.next();
    if (first.done !== true) all.push(first.value);
    await created(sample, change);
    await put(sample, 7); // later than the answer
    for await (const page of pages) all.push(page);
    return all;
  } catch (error) {
    if (error instanceof Overtaken) return 'cut';
    throw error;
  } finally {
    await sample.close();
  }
}

async function created({ services }: Sample, text: string): Promise<void> {
  const answer = await services.create(text, 'me');
  if (answer.answer !== 'created') throw new Error(JSON.stringify(answer));
}

async function put({ engine }: Sample, n: number): Promise<void> {
  const d = n % 3 === 0 ? null : n / 2;
  assert.is(await tell(engine, 'Put', { box_id: 'b', n: n - 5, d, s: `s${n % 10}` }), 'emitted');
}

function callOn({ engine, services }: Sample): Call {
  const options = { engine, select: services.select, time: { monotonic: () => 0 } };
  return { options, domain: engine.domain(), caller: { cleared: true } } as unknown as Call;
}

const everything = { filters: [] } as unknown as ReadParameters;
function boxOf(call: Call) {
  const found = call.domain.aggregates.find(({ name }) => name === 'Box');
  if (found === undefined) throw new Error('there is no Box');
  return found;
}

const rows = (call: Call) => {
  const box = boxOf(call);
  const names = shownColumns(box).map(({ name }) => name);
  return eventPages(call, box, names, everything, rowsInFormOf(box, readRows));
};
const bytes = (call: Call) => {
  const box = boxOf(call);
  const leaves = leavesOf(shownColumns(box)) ?? [];
  return eventPages(call, box, leaves, everything, bytesInFormOf(box, readBytes));
};

const same = schema.split('\n')[2] ?? '';
const replaced = (event: string): string => `CREATE OR REPLACE ${event.replace(/^CREATE /, '')}`;
const widened: [name: string, change: string][] = [
  ['INT to BIGINT', replaced(same.replace('n INT', 'n BIGINT'))],
  ['INT to DECIMAL', replaced(same.replace('n INT', 'n DECIMAL(14,3)'))],
  ['a DECIMAL with more digits', replaced(same.replace('DECIMAL(6,1)', 'DECIMAL(12,4)'))],
  ['BIGINT to DECIMAL', replaced(same.replace('b BIGINT', 'b DECIMAL(18,0)'))],
  ['VARCHAR to STRING', replaced(same.replace('VARCHAR(4)', 'STRING'))],
];

/** What pages say, in one: of rows their values, of bytes the columns' types, presence and values. */
function content(pages: readonly object[] | 'cut'): unknown {
  if (pages === 'cut') return pages;
  return pages.flatMap((page) => {
    if ('columns' in page && Array.isArray(page.columns) && 'rows' in page && Array.isArray(page.rows))
      return (page.rows as readonly unknown[][]).map((row) => row.slice(3).map(plain));
    const batch = page as ColumnBatch;
    const from = batch.columns.length - 6;
    return [
      batch.columns
        .slice(from)
        .map(({ nulls, buffers }) => [nulls, ...buffers.map((each) => Buffer.from(each).toString('hex'))]),
    ];
  });
}
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return [...(value as ReadonlyMap<string, unknown>)].map(([name, part]) => [name, plain(part)]);
  return typeof value === 'bigint' ? `${value}n` : value;
}

const unchanged = 'CREATE PROJECTION Aside AS SELECT 1 AS one;';
for (const [form, read] of [
  ['rows', rows],
  ['bytes', bytes],
] as const) {
  test(`events read as ${form} go on as they began when a type widens`, async () => {
    const withoutTimes = (pages: unknown): string => JSON.stringify(pages).replaceAll(/"\d{16}n"/g, '"at"');
    const wanted = withoutTimes(content(await pagesAcross<object>(unchanged, read)));
    assert.ok(wanted.length > count);
    for (const [name, change] of widened)
      assert.equal([name, withoutTimes(content(await pagesAcross<object>(change, read))) === wanted], [name, true]);
  });
}

test.run();
