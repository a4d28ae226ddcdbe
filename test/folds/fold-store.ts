/** The read model of a schema in a store in memory, queried in the language. */
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import { Failure } from '../../language/failure/failure.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { Store } from '../../runtime/store/store.ts';
import { column, query } from '../contract/accounts.ts';
import { compileSchema } from '../emit-sqlite/language.ts';

const text = { kind: 'STRING' } as const;

export interface Schema {
  readonly definition: ReadModelDefinition;
  readonly compile: (query: string) => CompiledQuery;
}

export function schemaOf(source: string): Schema {
  const registry = compileSchema(source);
  const { catalog } = registry;
  return {
    definition: createReadModelDefinition(catalog),
    compile: (asked) => {
      const parsed = parseQuery({ name: 'query', text: asked });
      if (parsed.outcome !== 'query') throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'));
      const bound = bindQuery(registry, parsed.query, { tables: [], cleared: true });
      if (bound.value === undefined) throw new Error(bound.diagnostics.map(({ message }) => message).join('\n'));
      return compileQuery(bound.value, catalog);
    },
  };
}

/** Rows as JSON, or the code of the failure. */
export async function ask(store: Store, schema: Schema, asked: string): Promise<string> {
  const compiled = schema.compile(asked);
  try {
    const rows = await store.tables.query(compiled, []);
    const cells = rows.map((row) =>
      row.map((value, index) => writeJson(value, compiled.columns[index]?.type ?? text)).join(','),
    );
    return `[${cells.map((row) => `[${row}]`).join(',')}]`;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

/** Names of the existing fold tables, sorted. */
export async function keptTables(store: Store): Promise<readonly string[]> {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'f$*' ORDER BY name`;
  return (await store.tables.query(query(sql, [column('name', text)]), [])).map(([name]) => name as string); // its column is a STRING
}

export function foldNames({ definition }: Schema): readonly string[] {
  return (definition.sqlite.folds ?? []).map(({ table }) => table).sort();
}

/** SQLite's query plan, one step on each line. */
export async function planOf(store: Store, { sqlite, parameters }: CompiledQuery): Promise<string> {
  const number = { kind: 'BIGINT' } as const;
  const columns = ['id', 'parent', 'unused', 'detail'].map((name) => column(name, name === 'detail' ? text : number));
  const compiled = query(`EXPLAIN QUERY PLAN ${sqlite.sql}`, columns, parameters);
  const given = parameters.map(({ type }) => (type.kind === 'LIST' ? ['x'] : 'x'));
  return (await store.tables.query(compiled, given)).map((row) => row[3] as string).join('\n');
}
