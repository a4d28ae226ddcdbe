import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import { Failure } from '../../language/failure/failure.ts';
import { readTree } from '../kit/cases.ts';
import { fixedContext } from '../kit/decider.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { compileText, projectOf } from './compiled.ts';
import { importDomain, typeErrors } from './generated-project.ts';

const corpus = JSON.parse(readFileSync(new URL('hostile.json', import.meta.url), 'utf8')) as readonly {
  readonly value: string | { readonly length: number };
}[];
const words = [
  'class',
  'await',
  'default',
  'Object',
  'undefined',
  'string',
  'Value',
  'Emission',
  'sql',
  'read',
  'write',
  'decide',
];
const words2 = [
  'command',
  'state',
  'context',
  'event',
  'E',
  'C',
  'D',
  'Fold1',
  'EventRow1',
  'hasOwnProperty',
  'valueOf',
  'name',
  'NaN',
];
const texts = [
  ...corpus.map(({ value }) => (typeof value === 'string' ? value : 'x'.repeat(value.length))),
  '${globalThis.PWN=1}',
  '\\u0027;globalThis.PWN=1;//',
  '//# sourceMappingURL=data:,x',
];
/** Words of the language of generated code matter only where they name something. */
const valuesFor = (place: string): readonly string[] =>
  /alias|column|name/.test(place) ? [...texts, ...words, ...words2] : texts;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const named = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const plain = 'CREATE AGGREGATE A; CREATE EVENT E (t STRING);';

/** Blocks that hold a value in one place; `index` keeps the blocks of several values apart. */
const places: Readonly<Record<string, (value: string, index: number) => string>> = {
  'a string in a guard': (value, index) =>
    `CREATE COMMAND C${index} (id STRING, t STRING); CREATE DECISION D${index} FOR A ON COMMAND C${index} EMIT AS SELECT EVENT E (t := :t) WHERE :t = ${quoted(value)} OR :t LIKE ${quoted(value)};`,
  'a string in a payload': (value, index) =>
    `CREATE COMMAND C${index} (id STRING, t STRING DEFAULT ${quoted(value)}); CREATE DECISION D${index} FOR A ON COMMAND C${index} EMIT AS SELECT EVENT E (t := ${quoted(value)}) TO A(${quoted(value)}), SELECT EVENT E (t := CASE :t WHEN ${quoted(value)} THEN :t END);`,
  'a string in a fold': (value, index) =>
    `CREATE COMMAND C${index} (id STRING); CREATE DECISION D${index} FOR A ON COMMAND C${index} STATE AS SELECT COUNT(*) FILTER (WHERE data.t = ${quoted(value)}) AS n FROM Reg."A$Events" WHERE stream_id = :id AND event_type <> ${quoted(value)} EMIT AS SELECT EVENT E () WHERE n = 0;`,
  'an alias of the state': (value, index) =>
    `CREATE COMMAND C${index} (id STRING); CREATE DECISION D${index} FOR A ON COMMAND C${index} STATE AS SELECT LAST(data.t) AS ${named(value)} FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT E (t := ${named(value)}) WHERE ${named(value)} IS NULL OR ${named(value)} = 'x';`,
  'a column of a projection': (value, index) =>
    `CREATE PROJECTION P${index} AS SELECT stream_id AS ${named(value)}, COUNT(*) AS n FROM Reg."A$Events" GROUP BY stream_id;`,
  'a name of blocks': (value) =>
    `CREATE COMMAND ${named(value)} (id STRING, t STRING); CREATE EVENT ${named(value)} (t STRING); CREATE AGGREGATE ${named(value)}; CREATE PROJECTION ${named(value)} AS SELECT 1 AS n; CREATE DECISION ${named(value)} FOR ${named(value)} ON COMMAND ${named(value)} STATE AS SELECT LAST(data.t) AS last_t FROM Reg.${named(`${value}$Events`)} WHERE stream_id = :id EMIT AS BRANCH ${named(value)} SELECT EVENT ${named(value)} (t := :t), SELECT EVENT ${named(value)} (t := last_t) WHERE last_t IS NULL OR :t = last_t;`,
  'a name of fields': (value, index) =>
    `CREATE COMMAND C${index} (${named(value)} STRING KEY, n${index} INT NULL); CREATE EVENT E${index} (${named(value)} STRING); CREATE AGGREGATE A${index} (${named(value)} STRING); CREATE DECISION D${index} FOR A${index} ON COMMAND C${index} STATE AS SELECT LAST(data.${named(value)}) AS ${named(value)} FROM Reg."A${index}$Events" WHERE stream_id = :${value} EMIT AS SELECT EVENT E${index} (${named(value)} := :${value}) WHERE ${named(value)} IS NULL OR :${value} = ${named(value)};`,
  'a number': (value, index) =>
    `CREATE COMMAND C${index} (id STRING, n DOUBLE); CREATE DECISION D${index} FOR A ON COMMAND C${index} EMIT AS SELECT EVENT E () WHERE :n > ${value} OR :n = 0;`,
  'a comment': (value, index) =>
    `CREATE COMMAND C${index} (id STRING); -- ${value}\n/* ${value.replaceAll('*/', '')} */ CREATE DECISION D${index} FOR A ON COMMAND C${index} EMIT AS SELECT EVENT E () WHERE TRUE /* ${value.replaceAll('*/', '')} */;`,
  'a setting of an event store': (value, index) =>
    `CREATE EVENTSTORE S${index} WITH (default = ${index === 0}, durable.type = 'memory', durable.path = ${quoted(value)});`,
};

const canary = (): unknown => (globalThis as { PWN?: unknown }).PWN;
const projects: Record<string, readonly GeneratedFile[]> = {};

for (const [place, text] of Object.entries(places)) {
  test(`${place}: every value is refused, or stays what it is`, async () => {
    const accepted = acceptedIn(place);
    const files = await projectOf(`${plain}\n${accepted.map(text).join('\n')}`);
    projects[place.replaceAll(' ', '-')] = files;
    for (const { path } of files) assert.match(path, /^([a-z]+\/)?[A-Za-z0-9_-]+(\.[a-z]+)+$/, path);
    await withTempFolder(async (folder) => {
      const domain = await importDomain(`${folder}/inside`, files);
      for (const decision of domain.decisions) {
        const command = domain.commands.find(({ name }) => name === decision.command);
        const sent = new Map(
          command?.fields.map(({ name, type }) => [name, type.kind === 'STRING' ? 'x' : null]) ?? [],
        );
        const decoded = attempt(() => command?.decode(sent)) ?? {};
        // A LIKE pattern that ends in its escape fails when it is met; nothing else may.
        const decided = attempt(() => decision.decide(decoded, {}, fixedContext())) ?? [];
        for (const payload of decided.flatMap((branch) => branch ?? []))
          domain.events.find(({ name }) => name === payload.event)?.encode(payload.payload);
      }
      assert.equal(readdirSync(folder), ['inside']);
    });
    assert.ok(accepted.length > 0, 'nothing was accepted');
    assert.is(canary(), undefined);
  });
}

function acceptedIn(place: string): readonly string[] {
  const text = places[place] ?? (() => '');
  return valuesFor(place).filter((value) => compileText(`${plain}\n${text(value, 0)}`).problems.length === 0);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

test('literals come out as they went in', () =>
  withTempFolder(async (folder) => {
    const accepted = acceptedIn('a string in a payload');
    assert.ok(accepted.length > 40);
    const domain = await importDomain(folder, projects['a-string-in-a-payload'] ?? []);
    accepted.forEach((value, index) => {
      const decision = domain.decisions.find(({ name }) => name === `D${index}`);
      const command = domain.commands.find(({ name }) => name === `C${index}`);
      const decided = decision?.decide(command?.decode(new Map([['id', 'x']])) ?? {}, {}, fixedContext());
      assert.equal(
        decided?.[0]?.map(({ stream, payload }) => [stream, payload]),
        [
          [value, { t: value }],
          [undefined, { t: value }],
        ],
      );
    });
  }));

test('all of it satisfies the strictest TypeScript', () => {
  assert.equal(typeErrors(projects), []);
});

test('nothing stands outside', () => {
  assert.not.ok(existsSync('/tmp/x.ts'));
  assert.equal(Object.keys(readTree('/tmp/x')), []);
});

test.run();
