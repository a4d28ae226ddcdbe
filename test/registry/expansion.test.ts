/** Projections whose expansion grows exponentially, which are answered like any other. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles, noHistory, openRegistry, type Catalog } from '../../compiler/index.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { explainBlock } from '../../compiler/describe/explain.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { compileBlocks } from '../../server/registry/from-log/compile-blocks.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { selectRelation } from '../../server/operation/bind/select-relation.ts';
import { ExactNumber, type JsonValue } from '../../language/values/json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const box = `CREATE AGGREGATE Box (id STRING KEY, n INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
CREATE PROJECTION P1 AS SELECT aggregate_id AS id, n::BIGINT AS n FROM Reg."Box$Agg";
`;
const row = (count: number, step: (name: string, before: string) => string): string =>
  Array.from({ length: count - 1 }, (_, index) => step(`P${index + 2}`, `Reg.P${index + 1}`)).join('\n');
/** Each reads the one before twice: 4,094 relations at P11, 8,190 at P12. */
const twice = (count: number): string =>
  row(
    count,
    (name, of) => `CREATE PROJECTION ${name} AS SELECT a.id, b.n + 1 AS n FROM ${of} a JOIN ${of} b ON a.id = b.id;`,
  );
/** Each reads the one before once, and names its column twice. */
const sums = (count: number): string =>
  row(count, (name, of) => `CREATE PROJECTION ${name} AS SELECT id, n + n - n AS n FROM ${of};`);
const tables = (count: number): string =>
  `CREATE PROJECTION P2 AS WITH w1 AS (SELECT id, n FROM Reg.P1), ${Array.from(
    { length: count - 1 },
    (_, index) => `w${index + 2} AS (SELECT id, n + n - n AS n FROM w${index + 1})`,
  ).join(', ')} SELECT id, n FROM w${count};`;
const derived = (count: number): string => {
  let query = 'SELECT id, n FROM Reg.P1';
  for (let index = 0; index < count; index++) query = `SELECT id, n + n - n AS n FROM (${query}) d`;
  return `CREATE PROJECTION P2 AS ${query};`;
};

function catalogOf(text: string): Catalog {
  const { catalog, diagnostics } = compileFiles([{ name: 'box.schema', text: box + text }]);
  assert.equal(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  return catalog;
}

/** Two boxes with the values 5 and 7. */
async function withEngine<T>(catalog: Catalog, work: (engine: Engine) => Promise<T>): Promise<T> {
  const store = await openMemoryStore({ readModel: 'inline' });
  const domain = await createDomainLoader({ version: '0.0.0' }).load(catalog);
  const clock = (): bigint => 1_700_000_000_000_000n;
  const engine = await createReactingEngine({ store, domain, clock, randomBytes: createSystemRandom() });
  try {
    for (const [id, n] of [
      ['a', '5'],
      ['b', '7'],
    ] as const) {
      const sent = new Map<string, JsonValue>([
        ['id', id],
        ['n', new ExactNumber(n)],
      ]);
      await engine.execute({ aggregate: 'Box', command: 'Put', arguments: sent });
    }
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Rows of a projection, whole and where its id is 'b'. */
function rows(catalog: Catalog, projection: string): Promise<readonly (readonly unknown[])[]> {
  return withEngine(catalog, async (engine) => {
    const domain = engine.domain();
    const found = domain.projections.find(({ name }) => name === projection);
    if (found === undefined) throw new Error(`no projection ${projection}`);
    const whole = unmasked(await engine.query(found.query, [], {}));
    const filters = [{ column: 'id', test: 'equal', value: 'b' }] as const;
    const { query, parameters } = selectRelation(domain, openRegistry(catalog), {
      relation: projection,
      columns: ['id', 'n'],
      filters,
      order: [],
    });
    const filtered = unmasked(await engine.query(query, parameters, {}));
    return [...whole.rows, ...filtered.rows];
  });
}

const examples: readonly (readonly [what: string, text: string, projection: string, added: bigint])[] = [
  ['projections that read the one before twice', twice(11), 'P11', 10n],
  ['projections that name a column of the one before three times', sums(60), 'P60', 0n],
  ['common tables that do', tables(40), 'P2', 0n],
  ['queries in a FROM that do', derived(30), 'P2', 0n],
];
for (const [what, text, projection, added] of examples)
  test(`${what} are answered`, async () => {
    const found = await rows(catalogOf(text), projection);
    assert.equal(found, [
      ['a', 5n + added],
      ['b', 7n + added],
      ['b', 7n + added],
    ]);
  });

test('only a projection that is large when written out has a table', () => {
  const shared = (text: string): readonly string[] =>
    (createReadModelDefinition(catalogOf(text)).sqlite.shared ?? []).map(({ table }) => table);
  assert.equal(shared(twice(5)), []);
  assert.equal(shared(twice(11)), ['q$P6']);
});

test('a decision that reads a projection with a table has a plan', () => {
  const decides = `CREATE PROJECTION P1 AS SELECT COUNT(*) AS n FROM Reg."Box$Events";
${row(11, (name, of) => `CREATE PROJECTION ${name} AS SELECT a.n + b.n AS n FROM ${of} a CROSS JOIN ${of} b;`)}
CREATE COMMAND Look (id STRING);
CREATE EVENT Looked (n BIGINT);
CREATE DECISION Looking FOR Box ON COMMAND Look STATE AS SELECT n FROM Reg.P11 EMIT AS SELECT EVENT Looked (n := n);`;
  const { catalog } = compileFiles([{ name: 'box.schema', text: box.replace(/CREATE PROJECTION.*\n/, '') + decides }]);
  const [looking] = catalog.blocks.decision.filter(({ name }) => name === 'Looking');
  if (looking === undefined) throw new Error('it does not compile');
  assert.equal(explainBlock(looking, catalog).rows.slice(0, 1), [['state', 'scan', 'it is made of too many queries']]);
});

test('blocks of a log past the limit are accepted with one warning, and answered', async () => {
  const { put } = { put: compileFiles([{ name: 'box.schema', text: box + twice(11) }]).registry };
  const blocks = [...Object.values(put.catalog.blocks).flat()].map(({ kind, name, text }) => ({ kind, name, text }));
  for (let index = 12; index <= 16; index++)
    blocks.push({
      kind: 'projection',
      name: `P${index}`,
      text: `CREATE PROJECTION P${index} AS SELECT a.id, b.n + 1 AS n FROM Reg.P${index - 1} a JOIN Reg.P${index - 1} b ON a.id = b.id;`,
    });
  const warnings: string[] = [];
  const { catalog } = compileBlocks(blocks, noHistory, (message) => warnings.push(message));
  assert.equal(warnings, [
    "projection 'P12' names 8190 relations once everything it reads is written out (it reads 'P11' 2 times, which reads 'P10' 2 times, which reads 'P9' 2 times, which reads 'P8' 2 times); now at most 4096 are allowed; a new definition like this is refused (E0631)",
  ]);
  assert.equal((await rows(catalog, 'P16'))[0], ['a', 20n]);
});

test.run();
