/** From text of the language to rows: compiled, bound, printed and run, and compared with the naive evaluator. */
import * as assert from 'uvu/assert';
import { bindInspectProjection, bindQuery } from '../../compiler/analyse/bind-statement.ts';
import type { Registry } from '../../compiler/analyse/environment/registry.ts';
import { findBlock } from '../../language/catalog/catalog.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { compileFiles } from '../../compiler/compile.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import { compileQuery } from '../../compiler/emit/sqlite/compile-query.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import type { Column } from '../../language/contract/query.ts';
import { Failure } from '../../language/failure/failure.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { Value } from '../../language/values/type.ts';
import { identity } from '../kit/naive/compare.ts';
import { runNaively } from '../kit/naive/query.ts';
import type { Row } from '../kit/naive/world.ts';
import { openReadModel, type History } from './database.ts';
import { naiveWorld } from './naive-world.ts';

export interface SessionTableRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}
export interface Asked {
  readonly cleared?: boolean;
  readonly tables?: Readonly<Record<string, SessionTableRows>>;
}

export interface Language {
  readonly registry: Registry;
  /** The rows as JSON text, or the code of the failure. */
  readonly answer: (query: string, asked?: Asked) => string;
  readonly bind: (query: string, asked?: Asked) => BoundQuery;
  /** The result of INSPECT PROJECTION. */
  readonly inspect: (statement: string, asked?: Asked) => string;
  readonly plan: (query: string) => string;
  readonly names: (query: string) => readonly string[];
}

export function compileSchema(text: string): Registry {
  const { registry, diagnostics } = compileFiles([{ name: 'test.schema', text }]);
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return registry;
}

export function openLanguage(schema: string, history: History = {}): Language {
  const registry = compileSchema(schema);
  const { catalog } = registry;
  const definition = createReadModelDefinition(catalog);

  const bind = (text: string, { cleared = true, tables = {} }: Asked = {}): BoundQuery => {
    const parsed = parseQuery({ name: 'query', text });
    if (parsed.outcome !== 'query') throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'));
    const given = Object.entries(tables).map(([name, { columns }]) => ({ name, columns }));
    const bound = bindQuery(registry, parsed.query, { tables: given, cleared });
    if (bound.value === undefined)
      throw new Error(bound.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
    return bound.value;
  };

  const run = (query: BoundQuery, tables: NonNullable<Asked['tables']>): readonly (readonly Value[])[] => {
    const model = openReadModel(definition, history);
    const physical = Object.entries(tables).map(([name, { columns, rows }], index) => {
      model.table(`s$${index}`, Object.fromEntries(columns.map((column) => [column.name, column.type])), rows);
      return [name, { physical: `s$${index}`, columns }] as const;
    });
    try {
      return model.run(compileQuery(query, catalog, { tables: new Map(physical) }));
    } finally {
      model.close();
    }
  };

  const naively = (query: BoundQuery, tables: NonNullable<Asked['tables']>): readonly (readonly Value[])[] => {
    const world = naiveWorld(catalog, history);
    const named = Object.entries(tables).map(([name, { columns, rows }]) => {
      const byName = rows.map(
        (row, at): Row =>
          new Map([
            ['global_position', BigInt(at + 1)],
            ...columns.flatMap((column, index) => cells(column, row[index] ?? null)),
          ]),
      );
      return [name, byName] as const;
    });
    return runNaively(query, { ...world, tables: new Map([...world.tables, ...named]) });
  };

  return {
    registry,
    bind,
    plan: (text) => {
      const model = openReadModel(definition, history);
      const plan = model.plan(compileQuery(bind(text), catalog));
      model.close();
      return plan;
    },
    names: (text) => bind(text).columns.map((column) => column.name),
    answer: (text, asked = {}) => answer(text, bind(text, asked), asked.tables ?? {}),
    inspect: (text, { tables = {} } = {}) => {
      const statement = parseScript({ name: 'inspect', text }).statements[0]?.statement;
      if (statement?.kind !== 'InspectProjection') throw new Error('not INSPECT PROJECTION');
      const given = Object.entries(tables).map(([name, { columns }]) => ({ name, columns }));
      const bound = bindInspectProjection(registry, statement, { tables: given, cleared: true });
      if (bound.value === undefined)
        throw new Error(bound.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
      return answer(text, bound.value.query, tables);
    },
  };

  function answer(text: string, query: BoundQuery, tables: NonNullable<Asked['tables']>): string {
    const actual = outcome(() => run(query, tables));
    assert.equal(
      comparable(query, actual),
      comparable(
        query,
        outcome(() => naively(query, tables)),
      ),
      text,
    );
    return typeof actual === 'string' ? actual : print(actual, query.columns);
  }
}

/** A column with the fields of a STRUCT as columns of their own. */
function cells(column: Column, value: Value): [string, Value][] {
  const name = column.name.toLowerCase();
  const leaves = value instanceof Map ? [...(value as ReadonlyMap<string, Value>)] : [];
  return [[name, value], ...leaves.map(([field, leaf]): [string, Value] => [`${name}.${field.toLowerCase()}`, leaf])];
}

type Outcome = string | readonly (readonly Value[])[];

function outcome(rows: () => readonly (readonly Value[])[]): Outcome {
  try {
    return rows();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

function comparable(query: BoundQuery, found: Outcome): unknown {
  if (typeof found === 'string') return found;
  const rows = found.map(identity);
  return query.orderBy.length > 0 ? rows : rows.toSorted();
}

function print(rows: readonly (readonly Value[])[], columns: readonly Column[]): string {
  const text = (value: Value, index: number): string => writeJson(value, columns[index]?.type ?? { kind: 'NULL' });
  return `[${rows.map((row) => `[${row.map(text).join(',')}]`).join(',')}]`;
}

/** A decision's STATE, run with these arguments. */
export function stateRows(
  registry: Registry,
  decision: string,
  history: History,
  given: Readonly<Record<string, Value>>,
): string {
  const block = findBlock(registry.catalog, 'decision', decision);
  if (block?.state === undefined) throw new Error(`decision ${decision} has no STATE`);
  const compiled = compileQuery(block.state, registry.catalog);
  const model = openReadModel(createReadModelDefinition(registry.catalog), history);
  try {
    const rows = model.run(compiled, given);
    const naive = runNaively(
      block.state,
      naiveWorld(registry.catalog, history, { arguments: new Map(Object.entries(given)) }),
    );
    assert.equal(rows.map(identity), naive.map(identity), decision);
    return print(rows, compiled.columns);
  } finally {
    model.close();
  }
}
