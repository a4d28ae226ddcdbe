/**
 * Consecutive blocks are put in force together: all later statements have the same outcomes as if they came one by one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/index.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const apart = 'SELECT 1 AS apart;';
const asked = ['EXPORT REGISTRY;', 'DESCRIBE AGGREGATES;', 'DESCRIBE PROJECTIONS;', 'VALIDATE;']
  .concat(
    ['meta_decisions', 'meta_aggregates', 'meta_events'].map((name) => `SELECT * FROM Reg.${name} ORDER BY name;`),
  )
  .join('\n');

/** The outcomes of the statements, except those between blocks. */
async function outcomes(text: string): Promise<readonly string[]> {
  const session = await openSession({ store: await openMemoryStore({ starts: 'when asked' }), version: '0.0.0' });
  const all: string[] = [];
  for await (const outcome of session.run({ name: 'x.schema', text }, { keepGoing: true })) {
    const { start, end, file } = outcome.span;
    if (file.text.slice(start, end + 1) === apart) continue;
    all.push(outcomeJson(outcome));
  }
  await session.close();
  return all;
}

function statementsOf(text: string): readonly string[] {
  return parseScript({ name: 'x.schema', text }).statements.map(({ textSpan: { file, start, end } }) =>
    file.text.slice(start, end),
  );
}

const parts: readonly (readonly [name: string, text: string])[] = [
  ['a block that stays away', 'CREATE AGGREGATE A; CREATE PROJECTION P AS SELECT n FROM Reg."Q";'],
  [
    'two of one name',
    'CREATE EVENT E (n INT); CREATE EVENT E (n INT); CREATE EVENT e (n INT); CREATE EVENT E (m INT);',
  ],
  ['a fault in the midst', 'CREATE AGGREGATE A; CREATE EVENT E (n COLOUR); CREATE COMMAND C (n INT);'],
  ['replacements', 'CREATE EVENT E (n INT); CREATE COMMAND C (n INT); CREATE OR REPLACE EVENT E (n INT, m INT);'],
];
const examples = readdirSync(join(root, 'examples')).flatMap((name): (readonly [string, string])[] => {
  const folder = join(root, 'examples', name, 'schema');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).sort();
  return [[name, files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')]];
});

for (const [name, text] of [...parts, ...examples])
  test(name, async () => {
    const statements = statementsOf(text);
    const together = await outcomes([...statements, asked].join('\n'));
    const oneByOne = await outcomes([...statements.map((statement) => `${statement} ${apart}`), asked].join('\n'));
    assert.ok(together.length > statements.length);
    assert.equal(together, oneByOne);
  });

test.run();
