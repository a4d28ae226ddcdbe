import { Agent } from 'node:http';
import { ask } from './ask.ts';
import type { LongFigure } from './figure.ts';
import { serveLong, type Served } from './serving.ts';

const some = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const joined = (count: number, make: (index: number) => string, between = ''): string =>
  some(count, make).join(between);
const events = 'Reg.Meter$Events';
const described = '--- a line of a long description that says little\n';
const manyBlocks = (count: number): string =>
  joined(count, (i) => `CREATE COMMAND {{Name}}C${i} (id STRING, n INT);\n`);

/** Texts near the limits of a posted schema: 1 MiB, 8,000 tokens and 256 KiB in a statement, 1 MiB of expanded blocks. */
const texts: Readonly<Record<string, string>> = {
  '250 kB of doc comment': `${described.repeat(5_000)}CREATE COMMAND Docs (id STRING);`,
  'a template with 1 MB of body': `CREATE TEMPLATE T (Name STRING) AS (${manyBlocks(18_000)});`,
  'doc comments of 240 fields': `CREATE COMMAND Docs (id STRING${joined(240, (i) => `,\n${described.repeat(20)} f${i} INT`)});`,
  'doc comments in an applied template': `CREATE TEMPLATE T (Name STRING) AS (${joined(90, (i) => `${described.repeat(200)}CREATE COMMAND {{Name}}C${i} (id STRING);\n`)}); APPLY TEMPLATE T WITH (Name = 'X');`,
  'a template that gives 500 blocks': `CREATE TEMPLATE T (Name STRING) AS (${manyBlocks(500)}); APPLY TEMPLATE T WITH (Name = 'X');`,
  'templates that give 10,000 blocks': `CREATE TEMPLATE T (Name STRING) AS (${manyBlocks(500)}); CREATE TEMPLATE U (Name STRING) AS (${joined(20, (i) => `APPLY TEMPLATE T WITH (Name = '{{Name}}x${i}');`)}); APPLY TEMPLATE U WITH (Name = 'X');`,
  '5,000 commands': joined(5000, (i) => `CREATE COMMAND M${i} (id STRING);\n`),
  '5,000 events': joined(5000, (i) => `CREATE EVENT M${i} (n INT);\n`),
  '1,000 projections': joined(
    1000,
    (i) => `CREATE PROJECTION M${i} AS SELECT stream_id, COUNT(*) AS n FROM ${events} GROUP BY stream_id;\n`,
  ),
  'a projection with 390 sums': `CREATE PROJECTION M AS SELECT stream_id, ${joined(390, (i) => `SUM(data.amount + ${i}) AS r${i}`, ', ')} FROM ${events} GROUP BY stream_id;`,
  'a projection with 900 columns': `CREATE PROJECTION M AS SELECT ${joined(900, (i) => `seq + ${i} AS c${i}`, ', ')} FROM ${events};`,
  'a UNION ALL of 700': `CREATE PROJECTION M AS ${joined(700, (i) => `SELECT ${i} AS n FROM ${events}`, ' UNION ALL ')};`,
  '300 common tables in a row': `CREATE PROJECTION M AS WITH c0 AS (SELECT seq AS n FROM ${events})${joined(299, (i) => `, c${i + 1} AS (SELECT n FROM c${i})`)} SELECT n FROM c299;`,
  'a chain of 60 projections': `CREATE PROJECTION P0 AS SELECT seq AS n FROM ${events};${joined(59, (i) => `CREATE PROJECTION P${i + 1} AS SELECT p.n + 1 AS n FROM P${i} p;\n`)}`,
  'a guard of 900 AND': `CREATE DECISION G FOR Meter ON COMMAND Read EMIT AS SELECT EVENT MeterRead (amount := :amount, note := '') WHERE ${joined(900, (i) => `:amount <> ${i}`, ' AND ')};`,
  '60 nested CASE': `CREATE PROJECTION M AS SELECT ${joined(60, (i) => `CASE WHEN seq = ${i} THEN 1 ELSE `)}0${' END'.repeat(60)} AS n FROM ${events};`,
  '20,000 broken statements': joined(20_000, (i) => `CREATE COMMAND (a ${i};\n`),
  '1,900 unknown columns': `CREATE PROJECTION M AS SELECT ${joined(1900, (i) => `colum${i}`, ', ')} FROM ${events};`,
  '900,000 parentheses': '('.repeat(900_000),
  '900,000 semicolons': ';'.repeat(900_000),
  '500,000 names': `CREATE EVENT E (${'a '.repeat(500_000)});`,
  'a body of 170,000 placeholders': `CREATE TEMPLATE T (A) AS (CREATE EVENT E (${'{{A}},'.repeat(170_000)}));`,
  '5,000 decisions of one command': joined(
    5000,
    (i) =>
      `CREATE DECISION D${i} FOR Meter ON COMMAND Read EMIT AS SELECT EVENT MeterRead (amount := 1, note := '');\n`,
  ),
  '1,600 unknown columns of 900': `CREATE PROJECTION A AS SELECT ${joined(900, (i) => `seq + ${i} AS c${i}`, ', ')} FROM ${events}; CREATE PROJECTION M AS SELECT ${joined(1600, (i) => `d${i}`, ', ')} FROM Reg."A";`,
  '600 times 900 columns': `CREATE PROJECTION A AS SELECT ${joined(900, (i) => `seq + ${i} AS c${i}`, ', ')} FROM ${events}; CREATE PROJECTION M AS ${joined(600, () => 'SELECT * FROM Reg."A"', ' UNION ALL ')};`,
  'a string of 900 kB': `CREATE ENUM Many AS ('${'x'.repeat(900_000)}');`,
};

/** The longest step of the main thread while a caller's text is compiled: tried as a candidate, and posted. */
export async function compiledTexts(): Promise<readonly LongFigure[]> {
  const figures: LongFigure[] = [];
  const agent = new Agent({ keepAlive: true });
  for (const [door, body] of Object.entries(doors)) {
    let server: Served | undefined;
    for (const [name, text] of Object.entries(texts)) {
      server ??= await warm(agent);
      const { status, milliseconds } = await ask(agent, server, ...body(text));
      const { longest } = await server.busy();
      const beside = `${status} in ${(milliseconds / 1000).toFixed(1)} s`;
      figures.push({ name: `${door}: ${name}`, value: longest, unit: 'ms of processor', at: 'most', goal: 50, beside });
      // A posted text stays, and each further one would be compiled together with it.
      if (status !== 201) continue;
      await server.stop();
      server = undefined;
    }
    await server?.stop();
  }
  agent.destroy();
  return figures;
}

const doors: Readonly<Record<string, (text: string) => [string, object]>> = {
  inspect: (schema) => ['/api/inspect', { projection: 'Totals', schema }],
  create: (lang) => ['/api/lang/create', { lang }],
};

/** A server that has compiled a small text through each door. */
async function warm(agent: Agent): Promise<Served> {
  const server = await serveLong(0, 0, undefined, { words: ['--enable-create', '--enable-inspect'] });
  for (let i = 0; i < 3; i++)
    for (const body of Object.values(doors))
      await ask(agent, server, ...body(`CREATE COMMAND Warm${i} (id STRING, n INT);`));
  await server.busy();
  return server;
}
