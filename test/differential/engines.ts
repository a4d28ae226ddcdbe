/** Runs a query in both engines over the same tables: rows as texts, in their order, or that it is refused or fails. */
import { types } from '@electric-sql/pglite';
import { openPostgres } from '../kit/postgres.ts';
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import { Failure } from '../../language/failure/failure.ts';
import { castValue, printValue } from '../../language/values/cast.ts';
import { intervalLength } from '../../language/values/interval.ts';
import type { Value } from '../../language/values/type.ts';
import { openReadModel } from '../emit-sqlite/database.ts';
import { compileSchema } from '../emit-sqlite/language.ts';
import { postgresType } from '../functions/postgres.ts';
import { typesOf } from './families.ts';
import { ourFunctions, postgresFunctions } from './functions.ts';
import { tables } from './tables.ts';

export type Answer =
  | { readonly rows: readonly string[] }
  /** Before it ran, or while it ran. */
  | { readonly refused: string }
  | { readonly failed: string };

export interface Engines {
  readonly ours: (query: string) => Answer;
  readonly postgres: (query: string) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

const plain = (column: string): string => column.replaceAll('"', '');

/** Texts of PostgreSQL, unchanged: a JavaScript date has no microseconds. */
const parsers = {
  [types.DATE]: String,
  [types.TIMESTAMP]: String,
  [types.TIMESTAMPTZ]: (text: string) => text.replace(/\+00$/, ''),
  [types.INTERVAL]: lengthOf,
  // A number as JavaScript writes it.
  [types.FLOAT8]: (text: string) => String(Number(text)),
};

export async function openEngines(): Promise<Engines> {
  const registry = compileSchema(`CREATE AGGREGATE Nothing;\n${ourFunctions}`);
  const model = openReadModel(createReadModelDefinition(registry.catalog));
  const server = await openPostgres({ parsers });
  await server.exec("SET TIME ZONE 'UTC'");
  await server.exec(postgresFunctions);
  const session = tables.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => ({
      name: plain(column.name),
      type: typesOf[column.family],
      nullable: true,
      sensitive: false,
    })),
  }));
  const physical = new Map(session.map(({ name, columns }) => [name, { physical: `s$${name}`, columns }]));
  for (const { name, columns, rows } of tables) {
    const own = columns.map((column) => [plain(column.name), typesOf[column.family]] as const);
    model.table(`s$${name}`, Object.fromEntries(own), rows);
    await server.exec(
      `CREATE TABLE ${name} (${own.map(([column, type]) => `"${column}" ${postgresType(type)}`).join(', ')})`,
    );
    for (const row of rows) {
      const places = own.map(([, type], index) => `$${index + 1}::text::${postgresType(type)}`);
      const cells = row.map((value, index) => {
        const type = own[index]?.[1];
        return value === null || type === undefined ? null : printValue(value, type);
      });
      await server.query(`INSERT INTO ${name} VALUES (${places.join(', ')})`, cells);
    }
  }
  return {
    ours: (text) => {
      const parsed = parseQuery({ name: 'query', text });
      if (parsed.outcome !== 'query') return { refused: parsed.diagnostics.map(({ message }) => message).join('; ') };
      const bound = bindQuery(registry, parsed.query, { tables: session, cleared: true });
      if (bound.value === undefined)
        return { refused: bound.diagnostics.map(({ code, message }) => `${code} ${message}`).join('; ') };
      const { columns } = bound.value;
      try {
        const rows = model.run(compileQuery(bound.value, registry.catalog, { tables: physical }));
        const cell = (value: Value, index: number): string => {
          const type = columns[index]?.type ?? { kind: 'NULL' };
          if (value === null) return 'null';
          return type.kind === 'INTERVAL' ? lengthOf(printValue(value, type)) : shown(printValue(value, type));
        };
        return { rows: rows.map((row) => row.map(cell).join('|')) };
      } catch (error) {
        if (error instanceof Failure) return { failed: error.code };
        return { failed: `internal: ${(error as Error).message}` };
      }
    },
    postgres: async (text) => {
      try {
        const { rows } = await server.query<(string | number | bigint | boolean | null)[]>(zoned(text), [], {
          rowMode: 'array',
        });
        const cell = (value: string | number | bigint | boolean | null): string =>
          value === null ? 'null' : shown(String(value));
        return { rows: rows.map((row) => row.map(cell).join('|')) };
      } catch (error) {
        const { code = '', message } = error as { code?: string; message: string };
        // A literal that is no value of its type is refused before the query runs.
        return code.startsWith('42') || code === '0A000' || code === '22P02' || code === '22007'
          ? { refused: `${code} ${message}` }
          : { failed: code };
      }
    },
    close: () => server.close(),
  };
}

/** The language's TIMESTAMP is an instant, which PostgreSQL calls otherwise. */
function zoned(text: string): string {
  return text.replace(/\bTIMESTAMP\b/g, 'TIMESTAMPTZ');
}

/** Intervals that are equal may have either text as a result. */
function lengthOf(interval: string): string {
  return `${intervalLength(castValue(interval, { kind: 'STRING' }, { kind: 'INTERVAL' }) as string)} µs`;
}

/** Numbers without the zeros that only a type asks for, instants in one form. */
function shown(text: string): string {
  const instant = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/.exec(text);
  if (instant !== null)
    return `${instant[1] ?? ''} ${(instant[2] ?? '').replace(/\.0+$/, '').replace(/(\.\d*?)0+$/, '$1')}`;
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
