/**
 * Every read by every caller: domains, histories and callers by chance, and each answer against all rows (read with `rows:all`) that a
 * filter of the test lets through. `SCHEMAC_DOMAINS` says how many domains.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChance, parameter, seedOf } from '../crash/chance.ts';
import { checkAttempt } from './attempts.ts';
import { pick, someCondition, textOf, schemac, truthOf } from './condition.ts';
import { settable, someCaller, someDomain, type TestDomain } from './domain.ts';
import { everything, known, put, seesStream, stateColumns, writeSome, type Everything } from './history.ts';
import { expectedRows, pathOf, rowsForAll, someRead, sourcesOf, unsaid, type Read } from './reads.ts';
import { formNames, forms, jsonRows, root, serve, type Asker, type Cells, type Form, type Served } from './served.ts';

const test = suite('callers and rows');
const chance = createChance(seedOf('callers and rows'));

function someAskers(): readonly Asker[] {
  const plain = Array.from({ length: 5 }, (_, at): Asker => ({ name: `c${at}`, who: someCaller(chance), rights: [] }));
  return [
    ...plain,
    { name: 'anonymous', who: { subject: null, roles: ['reader'], claims: {} }, rights: [] },
    { name: 'whole', who: { ...someCaller(chance), subject: 'will' }, rights: ['rows:all'] },
    { name: 'clear', who: someCaller(chance), rights: ['sensitive:read'] },
  ];
}

const told = (rows: readonly Cells[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

/** Answers of before with their tags, by what was asked for. */
type Copies = Map<string, { readonly tag: string; readonly rows: string; readonly by: string }[]>;

interface Moment {
  readonly served: Served;
  readonly domain: TestDomain;
  readonly every: Everything;
  readonly copies: Copies;
}

async function checkRead(
  { served, every, copies }: Moment,
  read: Read,
  asker: Asker,
  rows: readonly Cells[] | undefined,
): Promise<void> {
  const form: Form = pick(chance, formNames);
  const path = pathOf(read);
  const expected = expectedRows(read, rows, asker, every);
  const key = `${path} ${form}`;
  const kept = copies.get(key) ?? [];
  const copy = kept.length > 0 && chance.below(2) === 0 ? pick(chance, kept) : undefined;
  const isCounted = read.source.hasCount && chance.below(2) === 0;
  const headers = {
    Accept: forms[form].accept,
    ...(isCounted ? { Prefer: 'count=exact' } : {}),
    ...(copy === undefined ? {} : { 'If-None-Match': copy.tag }),
  };
  const { status, headers: got, body } = await served.ask(asker, path, { headers });
  const about = `${asker.name} ${form} ${path}`;
  const silent = read.isPast && read.source.hasClear && !asker.rights.includes('sensitive:read');
  const say = (some: readonly Cells[]): string => told(silent ? some.map(unsaid) : some);
  if (status === 304) {
    assert.ok(copy !== undefined, about);
    assert.is(copy.rows, say(expected.rows), `${about}: 304 for the tag of ${copy.by}`);
    return;
  }
  if (expected.isMissing) {
    assert.is(status, 404, `${about}: ${body.toString()}`);
    return;
  }
  assert.is(status, 200, `${about}: ${body.toString()}`);
  const found = forms[form].read(body);
  assert.is(say(found), say(expected.rows), about);
  if (isCounted) assert.is(got.get('schemac-total'), String(expected.total), about);
  const tag = got.get('etag');
  if (tag !== null) copies.set(key, [...kept, { tag, rows: say(expected.rows), by: asker.name }]);
}

/** The page and the headers alone: a count of rows, and nothing of streams that are not seen. */
async function checkPage(
  { served, every }: Moment,
  read: Read,
  asker: Asker,
  rows: readonly Cells[] | undefined,
): Promise<void> {
  const path = pathOf({ ...read, select: undefined, limit: 100, offset: 0 });
  const expected = expectedRows({ ...read, select: undefined, limit: 100, offset: 0 }, rows, asker, every);
  const page = await served.ask(asker, path, { headers: { Accept: 'text/html' } });
  const text = page.body.toString();
  const about = `${asker.name} page ${path}`;
  assert.is(page.status, expected.isMissing ? 404 : 200, about);
  if (!expected.isMissing) assert.is(text.split('<tr>').length - 2, expected.rows.length, about);
  const shown = new Set(expected.rows.map((row) => row['mark']));
  const hidden = (rows ?? []).flatMap(({ mark }) =>
    typeof mark === 'string' && !shown.has(mark) ? [`>${mark}<`] : [],
  );
  assert.equal(
    hidden.filter((mark) => text.includes(mark)),
    [],
    about,
  );
  const head = await served.ask(asker, path, { method: 'HEAD', headers: { Prefer: 'count=exact' } });
  assert.is(head.status, expected.isMissing ? 404 : 200, about);
  if (read.source.hasCount && !expected.isMissing)
    assert.is(head.headers.get('schemac-total'), String(expected.total), about);
}

// ---- the console

/** A relation as a query names it: as it is, or only those rows that a caller sees. */
type Named = (kind: 'agg' | 'events' | 'rows' | 'writes', at?: number) => string;

const questions: readonly ((of: Named) => string)[] = [
  (of) => `SELECT COUNT(*) AS n, MIN(a.mark) AS least, MAX(a.n) AS most FROM ${of('agg')} a`,
  (of) =>
    `SELECT a.f1, COUNT(*) AS n, STRING_AGG(a.mark, ',') AS marks FROM ${of('agg')} a GROUP BY a.f1 ORDER BY a.f1`,
  (of) =>
    `SELECT a.aggregate_id, p.id, p.mark FROM ${of('agg')} a LEFT JOIN ${of('rows')} p ON p.id = a.aggregate_id ORDER BY 1, 2`,
  (of) =>
    `SELECT a.aggregate_id, p.id FROM ${of('agg')} a FULL JOIN ${of('rows')} p ON p.id = a.aggregate_id ORDER BY 1, 2`,
  (of) =>
    `SELECT e.stream_id, COUNT(*) AS n, MAX(a.mark) AS mark FROM ${of('events')} e JOIN ${of('agg')} a ON a.aggregate_id = e.stream_id GROUP BY e.stream_id ORDER BY 1`,
  (of) =>
    `SELECT a.aggregate_id, (SELECT COUNT(*) FROM ${of('events')} e WHERE e.stream_id = a.aggregate_id) AS n FROM ${of('agg')} a ORDER BY 1`,
  (of) =>
    `SELECT a.aggregate_id FROM ${of('agg')} a WHERE NOT EXISTS (SELECT 1 FROM ${of('rows')} p WHERE p.id = a.aggregate_id) ORDER BY 1`,
  (of) =>
    `SELECT a.aggregate_id, ROW_NUMBER() OVER (ORDER BY a.aggregate_id) AS place, COUNT(*) OVER () AS n FROM ${of('agg')} a ORDER BY 1`,
  (of) => `SELECT a.aggregate_id AS id FROM ${of('agg')} a UNION ALL SELECT p.id FROM ${of('rows')} p ORDER BY 1`,
  (of) => `SELECT a.aggregate_id AS id FROM ${of('agg')} a EXCEPT SELECT p.id FROM ${of('rows')} p ORDER BY 1`,
  (of) =>
    `WITH t AS (SELECT aggregate_id, n FROM ${of('agg')} x) SELECT COUNT(*) AS pairs, SUM(t.n) AS total FROM t JOIN t u ON t.n = u.n`,
  (of) => `SELECT MAX(e.global_position) AS last, COUNT(DISTINCT e.stream_id) AS streams FROM ${of('events')} e`,
  (of) => `SELECT e.stream_id, e.seq, e.mark FROM ${of('events')} e ORDER BY e.global_position DESC LIMIT 3`,
  (of) =>
    `SELECT w.id, COUNT(*) AS n, MAX(w.seq) AS last FROM ${of('writes')} w GROUP BY w.id HAVING COUNT(*) > 1 ORDER BY 1`,
  (of) =>
    `SELECT a.aggregate_id FROM ${of('agg')} a WHERE a.mark IN (SELECT p.mark FROM ${of('rows')} p) OR a.n > ALL (SELECT p.n FROM ${of('rows')} p WHERE p.n IS NOT NULL) ORDER BY 1`,
  (of) =>
    `SELECT a.aggregate_id, l.mark FROM ${of('agg')} a JOIN LATERAL (SELECT p.mark FROM ${of('rows')} p WHERE p.n >= a.n ORDER BY p.id LIMIT 1) l ON TRUE ORDER BY 1`,
];

const list = (values: readonly string[]): string =>
  values.length === 0 ? "('no such row')" : `(${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`;

/** The rows of each relation that a caller sees, by the text that identifies one. */
async function seenBy(
  moment: Moment,
  name: string,
  asker: Asker,
): Promise<Readonly<Record<'streams' | 'rows' | 'writes', readonly string[]>>> {
  const { served, domain, every } = moment;
  const aggregate = domain.aggregates.find((one) => one.name === name);
  if (aggregate === undefined) throw new Error(name);
  const sources = sourcesOf(domain).flat();
  const rowsOf = async (suffix: string): Promise<readonly Cells[]> => {
    const source = sources.find(({ path }) => path === `/api/projections/${name}${suffix}/query`);
    const rows = jsonRows((await served.ask(root, `/api/projections/${name}${suffix}/query`)).body);
    return rows.filter((row) => source?.sees(row, asker, every));
  };
  return {
    streams: [...(every.states.get(name)?.keys() ?? [])].filter((id) => seesStream(aggregate, id, asker, every)),
    rows: (await rowsOf('Rows')).map((row) => row['id'] ?? ''),
    writes: (await rowsOf('Writes')).map((row) => `${row['id']}#${row['seq']}`),
  };
}

function naming(name: string, seen: Awaited<ReturnType<typeof seenBy>> | undefined): Named {
  const only = (column: string, values: readonly string[] | undefined): string =>
    values === undefined ? '' : ` WHERE ${column} IN ${list(values)}`;
  return (kind) =>
    ({
      agg:
        seen === undefined
          ? `Reg."${name}$Agg"`
          : `(SELECT * FROM Reg."${name}$Agg"${only('aggregate_id', seen.streams)})`,
      events: `(SELECT stream_id, seq, global_position, data.mark AS mark FROM Reg."${name}$Events"${only('stream_id', seen?.streams)})`,
      rows: seen === undefined ? `Reg.${name}Rows` : `(SELECT * FROM Reg.${name}Rows${only('id', seen.rows)})`,
      writes: `(SELECT * FROM Reg.${name}Writes${only("id || '#' || seq", seen?.writes)})`,
    })[kind];
}

async function query(
  served: Served,
  asker: Asker,
  sql: string,
  form: Form = 'json',
): Promise<{ status: number; rows: string }> {
  const { status, body } = await served.post(asker, '/api/query', { sql }, { Accept: forms[form].accept });
  return { status, rows: status === 200 ? told(forms[form].read(body)) : body.toString() };
}

async function checkConsole(moment: Moment, asker: Asker): Promise<void> {
  const { served, domain, every } = moment;
  const aggregate = pick(chance, domain.aggregates);
  const seen = await seenBy(moment, aggregate.name, asker);
  const question = pick(chance, questions);
  const sql = question(naming(aggregate.name, undefined));
  const shown = await query(served, asker, sql, pick(chance, formNames));
  const wanted = await query(served, root, question(naming(aggregate.name, seen)));
  assert.equal([shown.status, shown.rows], [200, wanted.rows], `${asker.name} ${sql}`);

  const columns = stateColumns(aggregate);
  const { secret: _, ...open } = columns;
  const condition = someCondition(chance, open, false, 2);
  const filtered = `SELECT aggregate_id FROM Reg."${aggregate.name}$Agg" WHERE ${textOf(condition, schemac)} ORDER BY aggregate_id`;
  const states = every.states.get(aggregate.name) ?? new Map();
  const kept = seen.streams.filter((id) => truthOf(condition, states.get(id) ?? {}, known(asker, every)) === true);
  assert.equal(
    await query(served, asker, filtered),
    { status: 200, rows: told(sorted(kept).map((id) => ({ aggregate_id: id }))) },
    `${asker.name} ${filtered}`,
  );
}

const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort((one, other) => (one < other ? -1 : 1));

/** Expressions that fail where `n` has a value that only rows out of sight have. */
const failing: readonly ((of: Named, k: string) => string)[] = [
  (of, k) => `SELECT a.aggregate_id, 100 / (a.n - ${k}) AS q FROM ${of('agg')} a ORDER BY 1`,
  (of, k) => `SELECT a.aggregate_id FROM ${of('agg')} a WHERE 100 / (a.n - ${k}) > 0 ORDER BY 1`,
  (of, k) => `SELECT a.aggregate_id FROM ${of('agg')} a ORDER BY 100 / (a.n - ${k}), a.aggregate_id`,
  (of, k) => `SELECT SUM(100 / (a.n - ${k})) AS total FROM ${of('agg')} a`,
  (of, k) => `SELECT 100 / (a.n - ${k}) AS q, COUNT(*) AS n FROM ${of('agg')} a GROUP BY 100 / (a.n - ${k}) ORDER BY 1`,
  (of, k) =>
    `SELECT a.aggregate_id, p.id FROM ${of('agg')} a JOIN ${of('agg')} b ON 100 / (a.n - ${k}) = b.n JOIN ${of('rows')} p ON p.id = b.aggregate_id ORDER BY 1, 2`,
  (of, k) =>
    `SELECT p.id FROM ${of('rows')} p LEFT JOIN ${of('agg')} a ON a.aggregate_id = p.id AND 100 / (a.n - ${k}) <> 7 ORDER BY 1`,
  (of, k) =>
    `SELECT a.aggregate_id FROM ${of('agg')} a WHERE EXISTS (SELECT 1 FROM ${of('agg')} b WHERE 100 / (b.n - ${k}) <> a.n) ORDER BY 1`,
  (of, k) =>
    `SELECT t.q FROM (SELECT 100 / (n - ${k}) AS q, aggregate_id FROM ${of('agg')} x) t WHERE t.q <> 3 ORDER BY t.aggregate_id`,
  (of, k) =>
    `SELECT CAST(CASE WHEN a.n = ${k} THEN 'no number' ELSE '1' END AS INT) AS c FROM ${of('agg')} a ORDER BY a.aggregate_id`,
  (of, k) =>
    `SELECT COUNT(*) AS n FROM ${of('agg')} a WHERE CAST(CASE WHEN a.n = ${k} THEN 'x' ELSE '1' END AS INT) = 1`,
];

async function checkFailing(moment: Moment, asker: Asker): Promise<boolean> {
  const { served, domain, every } = moment;
  const aggregate = pick(chance, domain.aggregates);
  const seen = await seenBy(moment, aggregate.name, asker);
  const numbers = (isSeen: boolean): ReadonlySet<unknown> =>
    new Set(
      [...(every.states.get(aggregate.name) ?? [])].flatMap(([id, row]) =>
        seen.streams.includes(id) === isSeen ? [row['n']] : [],
      ),
    );
  const visible = numbers(true);
  const [only] = [...numbers(false)].filter((n) => typeof n === 'bigint' && !visible.has(n));
  if (typeof only !== 'bigint') return false;
  const question = pick(chance, failing);
  const sql = question(naming(aggregate.name, undefined), `(${only / 100n})`);
  const shown = await query(served, asker, sql);
  const wanted = await query(served, root, question(naming(aggregate.name, seen), `(${only / 100n})`));
  assert.is(shown.status, 200, `${asker.name} ${sql}: ${shown.rows}`);
  if (wanted.status === 200) assert.is(shown.rows, wanted.rows, `${asker.name} ${sql}`);
  return true;
}

/** An inspection shows the rows that a read does, with SENSITIVE values masked in spite of CLEAR. */
async function checkInspection({ served, domain, every }: Moment, asker: Asker): Promise<void> {
  const { name } = pick(chance, domain.projections);
  const path = `/api/projections/${name}/query`;
  const source = sourcesOf(domain)
    .flat()
    .find((one) => one.path === path);
  assert.ok(source !== undefined);
  const clear = (): boolean => asker.rights.includes('sensitive:read');
  const read: Read = {
    source: { ...source, clear },
    shared: new URLSearchParams(),
    select: undefined,
    limit: undefined,
    offset: 0,
    isPast: false,
  };
  const { rows } = expectedRows(read, jsonRows((await served.ask(root, path)).body), asker, every);
  const { status, body } = await served.post(asker, '/api/inspect', { projection: name });
  assert.equal(
    [status, status === 200 ? told(jsonRows(body)) : body.toString()],
    [200, told(rows)],
    `${asker.name} inspects ${name}`,
  );
}

for (let at = 0; at < parameter('SCHEMAC_DOMAINS', 1); at++)
  test(`domain ${at}`, async () => {
    const domain = someDomain(chance);
    const askers = someAskers();
    const served = await serve(domain.text, askers);
    const sources = sourcesOf(domain);
    const copies: Copies = new Map();
    try {
      const asked: Read[] = [];
      for (let round = 0; round < 3; round++) {
        await writeSome(chance, served, domain, 12);
        const every = await everything(served, domain);
        const moment: Moment = { served, domain, every, copies };
        for (let more = 0; more < 8; more++)
          asked.push(someRead(chance, sources[asked.length % sources.length] ?? [], 12));
        const rowsOf = rowsForAll(served);
        for (const read of asked) {
          const rows = await rowsOf(read);
          for (const asker of askers) await checkRead(moment, read, asker, rows);
        }
        for (const asker of askers) {
          const read = pick(chance, asked);
          await checkPage(moment, read, asker, await rowsOf(read));
          await checkInspection(moment, asker);
          for (let more = 0; more < 3; more++) {
            await checkConsole(moment, asker);
            await checkFailing(moment, asker);
          }
        }
        for (let more = 0; more < 8; more++) await checkAttempt(chance, served, domain, askers);
      }
      console.log(`${served.requests()} requests`);
    } finally {
      await served.stop();
    }
  });

test('an inspected projection has its own columns, and SENSITIVE values masked in spite of CLEAR', async () => {
  const ada: Asker = { name: 'ada', who: { subject: 'ada', roles: [], claims: {} }, rights: [] };
  const own = 'WHERE owner = CURRENT_USER';
  const schema = `${settable('Note', { id: 'STRING', owner: 'STRING', secret: 'STRING' }, '', ['secret'])}
    CREATE PROJECTION Notes VISIBLE ${own} CLEAR ${own} AS
      SELECT stream_id AS id, data.owner AS owner, data.secret AS secret FROM Reg."Note$Events" ORDER BY global_position DESC;`;
  const served = await serve(schema, [ada]);
  try {
    for (const [id, owner] of Object.entries({ n1: 'ada', n2: 'bo', n3: 'ada' }))
      await put(served, 'Note', { id }, { owner, secret: 's' });
    const rows = (secret: string): readonly Cells[] => ['n3', 'n1'].map((id) => ({ id, owner: 'ada', secret }));
    assert.equal(jsonRows((await served.ask(ada, '/api/projections/Notes/query')).body), rows('s'));
    assert.equal(jsonRows((await served.post(ada, '/api/inspect', { projection: 'Notes' })).body), rows('****'));
  } finally {
    await served.stop();
  }
});

test.run();
