/**
 * A SENSITIVE value at each place of each function of the catalogue, where it is wrong in most: no answer, log line or recorded command shows it.
 * An entry joins by being in the catalogue.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { typeName, type Type } from '../../language/values/type.ts';
import { fieldTypes, shapesByEntry, type Shape } from '../values/expressions.ts';
import { startSample } from './sample-server.ts';

const secrets: readonly (string | number | boolean | object)[] = [
  987_654_321,
  '8765432109876543210',
  '987.65',
  '987654.3219',
  '987654321987654321',
  '987654321987.654321',
  '0.987654321987654321',
  9.876_543_21e300,
  'Zx9planted9',
  'Zx9',
  'Zx9planted-uuid',
  true,
  '2099-12-31T23:59:59.123456Z',
  '2098-07-06',
  { Zx9planted: 'Zx9planted9' },
  'odd',
];
const plain: readonly (string | number | boolean | object)[] = [
  ...[
    3,
    '3',
    '1.50',
    '1.5',
    '3',
    '1.5',
    '0.5',
    1.5,
    'a',
    'a',
    'a',
    true,
    '2001-02-03T04:05:06Z',
    '2001-02-03',
    {},
    'odd',
  ],
];
const shown = /Zx9|98765|76543|2099-12-31|23:59:59|2098-07-06/i;

/** `s` names the secret of a type, `n` another value of it. */
function operand(type: Type, which: 's' | 'n', mark: string): string | undefined {
  const at = fieldTypes.findIndex((each) => JSON.stringify(each) === JSON.stringify(type));
  if (at >= 0) return `${mark}${which}${at}`;
  if (type.kind === 'WALL') return `(${mark}${which}12 AT TIME ZONE 'UTC')`;
  if (type.kind === 'INTERVAL') return which === 's' ? `CAST(${mark}span AS INTERVAL)` : "INTERVAL '1 day'";
  return undefined;
}

/** The call with a secret at that place; undefined where it takes none. */
function call({ types, literals, resolve, print }: Shape, place: number, mark: string): string | undefined {
  const string: Type = { kind: 'STRING' };
  const given = types.map((type, at) => {
    const [literal] = literals[at] ?? [];
    if (at === place)
      return {
        text: operand(literal === undefined ? type : string, 's', mark),
        given: { type: literal === undefined ? type : string, untyped: false },
      };
    if (literal === undefined) return { text: operand(type, 'n', mark), given: { type, untyped: false } };
    return typeof literal === 'string'
      ? { text: `'${literal}'`, given: { type: string, untyped: true, literal } }
      : { text: `(${literal})`, given: { type: { kind: 'INT' } as const, untyped: false, literal } };
  });
  const texts = given.flatMap(({ text }) => text ?? []);
  if (texts.length < types.length || resolve(given.map((each) => each.given)) === undefined) return undefined;
  return print(texts);
}

/** For each place of each entry a call for the first types of two kinds. */
function calls(mark: string): readonly string[] {
  return [...shapesByEntry()].flatMap(([name, shapes]) => {
    const found = new Map<string, string>();
    for (const shape of shapes)
      for (const [place, type] of shape.types.entries()) {
        const of = `${shape.types.length} ${place} ${type.kind}`;
        const isKnown = found.has(of) || [...found.keys()].filter((key) => key.startsWith(of.slice(0, 3))).length > 1;
        const text = isKnown ? undefined : call(shape, place, mark);
        if (text !== undefined && name !== 'EXTRACT') found.set(of, text);
        else if (text !== undefined && place > 0) found.set(of, text.replace(/'(\w+)'/, '$1'));
      }
    return [...found.values()];
  });
}

/** Calls of one decision: a statement has a limit of words. */
const mostCalls = 80;

/** As a value of an enum, which no result is: what does not fail by itself fails there. */
const wrapped = (text: string): string => `CAST(CAST(${text} AS STRING) AS Kind)`;

test('no place of a function shows a SENSITIVE argument', async () => {
  const server = await startSample({ services: true });
  try {
    const before = server.lines.length;
    const all = calls(':');
    const fields = fieldTypes.map(
      (type, at) => `s${at} ${typeName(type)} SENSITIVE NULL, n${at} ${typeName(type)} NULL`,
    );
    const columns = fieldTypes.map((_, at) => `s${at}`);
    const parts = Array.from({ length: Math.ceil(all.length / mostCalls) }, (_, part) =>
      all.slice(part * mostCalls, (part + 1) * mostCalls).map(wrapped),
    );
    const decisions = parts.map((part, number) => {
      const branches = part.map((value, at) => `SELECT EVENT Kept (kind := ${value}) WHERE :which = ${at}`);
      return `CREATE COMMAND Keep${number} (vault STRING, which INT, span STRING SENSITIVE NULL, ${fields.join(', ')});
CREATE DECISION KeepIt${number} FOR Vault ON COMMAND Keep${number} EMIT AS ${branches.join('\nUNION ALL ')};`;
    });
    const lang = `CREATE ENUM Kind AS ('plain', 'odd', 'ß');
CREATE AGGREGATE Vault;
CREATE EVENT Kept (kind Kind SENSITIVE);
${decisions.join('\n')}
CREATE EVENT Held (span STRING SENSITIVE, ${fieldTypes.map((type, at) => `s${at} ${typeName(type)} SENSITIVE, n${at} ${typeName(type)}`).join(', ')});
CREATE COMMAND Hold (vault STRING, span STRING SENSITIVE NULL, ${fields.join(', ')});
CREATE DECISION HoldIt FOR Vault ON COMMAND Hold EMIT AS SELECT EVENT Held (span := :span, ${columns.map((name) => `${name} := :${name}, n${name.slice(1)} := :n${name.slice(1)}`).join(', ')});
CREATE PROJECTION Secrets AS SELECT data.span AS span, ${columns.map((name) => `data.${name} AS ${name}, data.n${name.slice(1)} AS n${name.slice(1)}`).join(', ')} FROM Reg."Vault$Events" WHERE event_type = 'Held';`;
    const created = await server.post('/api/lang/create', { lang });
    assert.is(created.status, 201, await created.text());
    const values = Object.fromEntries(
      fieldTypes.flatMap((_, at) => [
        [`s${at}`, secrets[at]],
        [`n${at}`, plain[at]],
      ]),
    );
    const given = { vault: 'v', span: '98765 days', ...values };
    const answers: string[] = [];
    const ask = async (path: string, body?: object | string, headers: Record<string, string> = {}): Promise<string> => {
      const answer = body === undefined ? await server.get(path, headers) : await server.post(path, body, headers);
      const text = await answer.text();
      answers.push(`${path} ${text}`);
      return text;
    };
    const lines = { 'Content-Type': 'application/x-ndjson', Accept: 'application/x-ndjson' };
    const problem = { Accept: 'application/json, application/problem+json' };
    const messages = new Set<string>();
    for (const [number, part] of parts.entries()) {
      const keep = `/api/aggregates/Vault/execute/Keep${number}`;
      const commands = part.map((_, which) => ({ ...given, which }));
      const told = await ask(keep, commands.map((each) => `${JSON.stringify(each)}\n`).join(''), lines);
      const failed = told.split('\n').filter((line) => line.includes('"status":"error"'));
      assert.ok(failed.length > commands.length / 2, `${failed.length} of ${commands.length}`);
      for (const line of failed) {
        const { line: at, fields: said } = JSON.parse(line) as { readonly line: number; readonly fields: string };
        const message = said.replaceAll(/\d+/g, '');
        if (messages.has(message)) continue;
        messages.add(message);
        await ask(keep, commands[at - 1], { ...problem, 'Idempotency-Key': `k${number} ${at}` });
      }
      await ask('/api/inspect', { decision: `KeepIt${number}`, commands });
    }
    await ask('/api/aggregates/Vault/execute/Hold', given);
    // These read masked values, so that only some are asked.
    for (const text of calls('').filter((_, at) => at % 6 === 0))
      await ask('/api/query', { sql: `SELECT ${wrapped(text)} AS v FROM Reg.Secrets` });
    for (const name of columns) await ask(`/api/projections/Secrets/query?${name}=Zx&order=${name}`);
    await ask('/api/aggregates/Vault/commands');
    await ask('/api/aggregates/Vault/events');
    answers.push(JSON.stringify(server.lines.slice(before)));
    assert.equal(
      answers.flatMap((answer) => (shown.test(answer) ? [answer.slice(0, 2_000)] : [])),
      [],
    );
  } finally {
    await server.stop();
  }
});

test.run();
