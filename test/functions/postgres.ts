/** PostgreSQL's own answer to an expression, as the language would show it: it decides where docs/language.md is silent, and runs in PGlite. */
import { openPostgres } from '../kit/postgres.ts';
import { printValue } from '../../language/values/cast.ts';
import type { Type, Value } from '../../language/values/type.ts';

const names: Readonly<Partial<Record<Type['kind'], string>>> = {
  INT: 'int4',
  BIGINT: 'int8',
  DOUBLE: 'float8',
  STRING: 'text',
  UUID: 'text',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamptz',
  WALL: 'timestamp',
  DATE: 'date',
  INTERVAL: 'interval',
  JSON: 'json',
};

export function postgresType(type: Type): string {
  if (type.kind === 'DECIMAL') return `numeric(${type.precision},${type.scale})`;
  if (type.kind === 'STRING' && type.length !== undefined) return `varchar(${type.length})`;
  if (type.kind === 'LIST') return `${postgresType(type.of)}[]`;
  return names[type.kind] ?? 'text';
}

/** The failure code of an SQLSTATE. */
const codes: Readonly<Record<string, string>> = {
  '22012': 'R0201',
  '22003': 'R0202',
  '22008': 'R0202',
  '22001': 'R0202',
  '22P02': 'R0204',
  '22007': 'R0204',
  '22015': 'R0204',
  '22011': 'R0205',
  '22023': 'R0205',
  '22025': 'R0205',
  '2201E': 'R0205',
  '2201F': 'R0205',
};

export interface Postgres {
  /**
   * For each row of values the result as text in the language's canonical forms, 'null', the code of the failure, or `refused` when PostgreSQL has
   * no such expression.
   */
  readonly evaluate: (
    expression: string,
    types: readonly Type[],
    rows: readonly (readonly Value[])[],
    result: Type,
  ) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  const server = await openPostgres();
  /** All rows in one query; the row that fails is found by halving, since a query for each takes three times as long. */
  const evaluate: Postgres['evaluate'] = async (expression, types, rows, result) => {
    const names = types.map((_, index) => `c${index}`);
    const columns = types.map((type, index) => `given.c${index}::${postgresType(type)} AS c${index}`);
    const given = `unnest(${names.map((_, index) => `$${index + 1}::text[]`).join(', ')}) WITH ORDINALITY AS given(${[...names, 'n'].join(', ')})`;
    const from =
      types.length === 0 ? '' : ` FROM (SELECT ${columns.join(', ')} FROM ${given} ORDER BY n OFFSET 0) AS t`;
    const parameters = types.map((type, index) =>
      rows.map((row) => {
        const value = row[index] ?? null;
        return value === null ? null : printValue(value, type);
      }),
    );
    try {
      const answer = await server.query<{ result: string | null }>(
        `SELECT ${shownAs(expression, result)} AS result${from}`,
        parameters,
      );
      return answer.rows.map(({ result: text }) => text ?? 'null');
    } catch (error) {
      const state = (error as { code?: string }).code ?? '';
      const message = (error as Error).message;
      if (state.startsWith('42') || state === '0A000') return rows.map(() => `refused: ${message}`);
      if (rows.length < 2) return [codes[state] ?? `${state}: ${message}`];
      const half = rows.length >> 1;
      const first = await evaluate(expression, types, rows.slice(0, half), result);
      return [...first, ...(await evaluate(expression, types, rows.slice(half), result))];
    }
  };
  return { evaluate, close: () => server.close() };
}

function shownAs(expression: string, result: Type): string {
  switch (result.kind) {
    case 'DECIMAL':
      return `round((${expression})::numeric, ${result.scale})::text`;
    case 'TIMESTAMP':
      // Only the era distinguishes the years before the first.
      return `replace(to_char((${expression}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z" AD'), ' AD', '')`;
    case 'WALL':
      return `replace(to_char((${expression}), 'YYYY-MM-DD"T"HH24:MI:SS.US AD'), ' AD', '')`;
    case 'BOOLEAN':
      return `(${expression})::boolean::text`;
    default:
      return `(${expression})::text`;
  }
}
