import { readFileSync } from 'node:fs';
import { compileText } from './compiled.ts';

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
  'BikeFold',
  'AFold',
  'AEvent',
  'keyOfAEvent',
  'evolveA',
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
/** Words of TypeScript, which matter only as names. */
const valuesFor = (place: string): readonly string[] =>
  /alias|column|name/.test(place) ? [...texts, ...words, ...words2] : texts;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const named = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** Blocks with a value at one position; `index` separates the blocks of several values. */
export const places: Readonly<Record<string, (value: string, index: number) => string>> = {
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

/** Blocks without hostile texts. */
export const plain = 'CREATE AGGREGATE A; CREATE EVENT E (t STRING);';

const accepted = new Map<string, readonly string[]>();

/** The values that the compiler accepts at this position. */
export function acceptedIn(place: string): readonly string[] {
  const known = accepted.get(place);
  if (known !== undefined) return known;
  const text = places[place] ?? (() => '');
  const values = valuesFor(place).filter((value) => compileText(`${plain}\n${text(value, 0)}`).problems.length === 0);
  accepted.set(place, values);
  return values;
}
