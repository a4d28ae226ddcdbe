/** Every place where a schema or script gives something a name. One text has them all; each is tried with a word while the rest keep plain names. */

const plainNames = {
  aggregate: 'Zqa',
  'field of an aggregate': 'zqb',
  command: 'Zqc',
  'field of a command': 'zqd',
  event: 'Zqe',
  'field of an event': 'zqf',
  decision: 'Zqg',
  branch: 'Zqh',
  'column of STATE': 'zqi',
  'common table': 'zqj',
  'column of a common table': 'zql',
  'alias of a relation': 'zqm',
  projection: 'Zqn',
  'column of a projection': 'zqo',
  template: 'Zqp',
  'parameter of a template': 'zqq',
  'event store': 'zqr',
  window: 'zqs',
  'session table': 'zqt',
  'column of a session table': 'zqu',
  'target of an inspection': 'zqv',
  'derived table': 'zqw',
  'column of a list': 'zqx',
} as const;

export type Place = keyof typeof plainNames;
export const places = Object.keys(plainNames) as readonly Place[];

/** A name as a text writes it, and as it is. */
interface Spelled {
  readonly text: string;
  readonly raw: string;
}

export interface NamedText {
  /** Statements that create blocks. */
  readonly schema: string;
  /** Statements that use them, and show everything by its name. */
  readonly use: string;
}

export const quoted = (word: string): string => `"${word}"`;

/** The plain name of a place, which its word replaces. */
export function plainName(place: Place): string {
  return plainNames[place];
}

/** The text with a word at one place, written as `text`; without one, with plain names everywhere. */
export function textWith(place?: Place, word = '', text = word): NamedText {
  const at = (one: Place): Spelled =>
    one === place ? { text, raw: word } : { text: plainNames[one], raw: plainNames[one] };
  const relation = (one: Place, suffix = ''): string => {
    const { text: written, raw } = at(one);
    return written.startsWith('"') ? `Reg."${raw}${suffix}"` : `Reg.${raw}${suffix}`;
  };
  const of = (one: Place): string => at(one).text;
  const [field, sent, total] = [of('field of an event'), of('field of a command'), of('column of STATE')];
  const [common, shared] = [of('common table'), of('column of a common table')];
  const [alias, shown] = [of('alias of a relation'), of('column of a projection')];
  const [table, column] = [of('session table'), of('column of a session table')];
  const target = at('target of an inspection');
  const branches = target.text.startsWith('"') ? `"${target.raw}__branches"` : `${target.raw}__branches`;
  const parameter = of('parameter of a template');
  const [derived, listed, window] = [of('derived table'), of('column of a list'), of('window')];
  return {
    schema: `CREATE AGGREGATE ${of('aggregate')};
CREATE AGGREGATE Box (box_id STRING KEY, ${of('field of an aggregate')} INT DEFAULT 0 AS LAST(data.${field}));
CREATE COMMAND ${of('command')} (id STRING, ${sent} INT);
CREATE COMMAND Fill (id STRING, amount INT);
CREATE EVENT ${of('event')} (${field} INT, about STRING TAG);
CREATE DECISION ${of('decision')} FOR ${of('aggregate')} ON COMMAND ${of('command')}
STATE AS
  WITH ${common} AS (SELECT ${alias}.data.${field} AS ${shared} FROM ${relation('aggregate', '$Events')} AS ${alias} WHERE ${alias}.stream_id = :id)
  SELECT COALESCE(SUM(${common}.${shared}), 0) AS ${total} FROM ${common}
EMIT AS
  BRANCH ${of('branch')}
  SELECT EVENT ${of('event')} (${field} := :${at('field of a command').raw}, about := 'x') WHERE ${total} < 100;
CREATE DECISION FillIn FOR Box ON COMMAND Fill
STATE AS SELECT b.${of('field of an aggregate')} AS before FROM Reg."Box$Agg" AS b WHERE b.box_id = :id
EMIT AS SELECT EVENT ${of('event')} (${field} := :amount) WHERE before < 50;
CREATE PROJECTION ${of('projection')} AS
SELECT ${alias}.stream_id AS stream, SUM(data.${field}) AS ${shown} FROM ${relation('aggregate', '$Events')} AS ${alias} GROUP BY ${alias}.stream_id ORDER BY stream;
CREATE PROJECTION Over AS SELECT p.stream, p.${shown} FROM ${relation('projection')} AS p WHERE p.${shown} IS NOT NULL ORDER BY 1;
CREATE TEMPLATE ${of('template')} (${parameter}) AS ( CREATE EVENT {{${at('parameter of a template').raw}}}Made (x INT); );
APPLY TEMPLATE ${of('template')} WITH (${parameter} = 'Thing');
CREATE EVENTSTORE ${of('event store')} WITH (durable.type = 'memory');
`,
    use: `EXECUTE ${of('command')}(id := 'a', ${sent} := 5);
EXECUTE ${of('command')}(id := 'a', ${sent} := 200);
EXECUTE ${of('command')}(id := 'a', ${sent} := 1);
EXECUTE Fill(id := 'b', amount := 7);
EXECUTE Fill(id := 'b', amount := 8);
SELECT * FROM ${relation('aggregate', '$Agg')};
SELECT * FROM Reg."Box$Agg" WHERE ${of('field of an aggregate')} > 1;
SELECT stream_id, event_type, data, ${alias}.data.${field} FROM ${relation('aggregate', '$Events')} AS ${alias} WHERE 'about:x' = ANY(tags) AND data.${field} > 0;
SELECT * FROM ${relation('projection')} WHERE ${shown} > 1;
SELECT stream, ${shown}, RANK() OVER ${window} AS place FROM Reg.Over AS o WINDOW ${window} AS (ORDER BY o.${shown});
WITH ${common}(${shared}) AS (SELECT ${shown} FROM ${relation('projection')}) SELECT ${common}.${shared} FROM ${common} ORDER BY ${shared};
SELECT ${derived}.${listed}, ${listed} AS again FROM (SELECT 1, 2) AS ${derived}(${listed}) WHERE ${listed} = 1;
CREATE TABLE ${table} (zq, ${column}) AS VALUES ('c', 1), ('d', 2);
SELECT ${table}.${column}, * FROM ${table} WHERE ${column} > 1;
CREATE TABLE wanted (id, ${sent}) AS VALUES ('c', 1), ('a', 2);
INSPECT DECISION ${of('decision')} FROM wanted INTO ${target.text};
SELECT stream_id, event_type, data, data.${field} AS value, rejection FROM ${target.text};
SELECT decision_name, branch_rule_name, branch_status FROM ${branches};
INSPECT PROJECTION ${of('projection')} FROM ${target.text} INTO rows;
SELECT * FROM rows;
DESCRIBE DECISION ${of('decision')};
DESCRIBE EVENT ${of('event')};
DESCRIBE AGGREGATE ${of('aggregate')};
DESCRIBE PROJECTION ${of('projection')};
EXPLAIN PROJECTION ${of('projection')};
`,
  };
}
