/** One query in both engines over the same tables: rows as sorted texts, or that it is refused or fails. */
import { openPostgres } from '../kit/postgres.ts';
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import { Failure } from '../../language/failure/failure.ts';
import { printValue } from '../../language/values/cast.ts';
import type { Value } from '../../language/values/type.ts';
import { openReadModel } from '../emit-sqlite/database.ts';
import { compileSchema } from '../emit-sqlite/language.ts';
import { postgresType } from '../functions/postgres.ts';
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

const plain = (column: string | undefined): string => (column ?? '').replaceAll('"', '');

export async function openEngines(): Promise<Engines> {
  const registry = compileSchema('CREATE AGGREGATE Nothing;');
  const model = openReadModel(createReadModelDefinition(registry.catalog));
  const server = await openPostgres();
  const session = tables.map(({ name, columns, types }) => ({
    name,
    columns: columns.map((column, index) => ({
      name: plain(column.name),
      type: types[index] ?? { kind: 'NULL' as const },
      nullable: true,
      sensitive: false,
    })),
  }));
  const physical = new Map(session.map(({ name, columns }) => [name, { physical: `s$${name}`, columns }]));
  for (const { name, columns, types, rows } of tables) {
    const named = columns.map(
      (column, index) => [plain(column.name), types[index] ?? { kind: 'NULL' as const }] as const,
    );
    model.table(`s$${name}`, Object.fromEntries(named), rows);
    await server.exec(
      `CREATE TABLE ${name} (${named.map(([column, type]) => `"${column}" ${postgresType(type)}`).join(', ')})`,
    );
    for (const row of rows)
      await server.query(`INSERT INTO ${name} VALUES (${row.map((_, index) => `$${index + 1}`).join(', ')})`, [...row]);
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
        const cell = (value: Value, index: number): string =>
          value === null ? 'null' : shown(printValue(value, columns[index]?.type ?? { kind: 'NULL' }));
        return { rows: rows.map((row) => row.map(cell).join('|')).toSorted() };
      } catch (error) {
        if (error instanceof Failure) return { failed: error.code };
        return { failed: `internal: ${(error as Error).message}` };
      }
    },
    postgres: async (text) => {
      try {
        const { rows } = await server.query<(string | number | bigint | boolean | null)[]>(text, [], {
          rowMode: 'array',
        });
        const cell = (value: string | number | bigint | boolean | null): string =>
          value === null ? 'null' : shown(String(value));
        return { rows: rows.map((row) => row.map(cell).join('|')).toSorted() };
      } catch (error) {
        const { code = '', message } = error as { code?: string; message: string };
        // A literal that is no value of its type is refused before the query runs.
        return code.startsWith('42') || code === '0A000' || code === '22P02'
          ? { refused: `${code} ${message}` }
          : { failed: code };
      }
    },
    close: () => server.close(),
  };
}

/** Numbers without the zeros that only a type asks for. */
function shown(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
