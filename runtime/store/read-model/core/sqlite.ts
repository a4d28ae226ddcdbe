/**
 * A small interface to sql.js: one database in memory, exact integers, proper errors. Takes generated SQL text and
 * values; a caller's text never gets here.
 */
import { createRequire } from 'node:module';
import type initSqlJs from 'sql.js';
import { fail, Failure } from '../../../../language/failure/failure.ts';
import { onceDone } from '../../../../language/failure/once-done.ts';
import { decodeFailure } from '../../../../language/sqlite/failure.ts';
import {
  momentFunctions,
  sqliteFunctions,
  type QueryMoment,
  type SqliteFunction,
} from '../../../../language/sqlite/functions.ts';
import { createBinder, type Binder, type BindingFunctions } from './binder.ts';
import { createMemoryGuard, type MemoryGuard } from './memory-guard.ts';
import { findLayout, knownRow, rowReader, type RowLayout, type RowReader } from './row-memory.ts';

export type Cell = null | string | number | bigint | Uint8Array;
export type Bound = null | string | number;

export interface Statement {
  /** Runs to the end and drops results. */
  readonly run: (values?: readonly Bound[]) => void;
  /**
   * Binds and starts; then call `step` until it is false, `row` after each true, and `reset` at the end in any case.
   */
  readonly bind: (values: readonly Bound[]) => void;
  readonly step: () => boolean;
  /** Integers are bigints. */
  readonly row: () => readonly Cell[];
  readonly reset: () => void;
  readonly free: () => void;
  /** The cells of the current row, one by one, without creating values. */
  readonly cells: () => RowReader;
}

export interface Database {
  readonly prepare: (sql: string) => Statement;
  /** Runs one statement and drops its results. */
  readonly run: (sql: string, values?: readonly Bound[]) => void;
  readonly rows: (sql: string, values?: readonly Bound[]) => readonly (readonly Cell[])[];
  /** Starts a transaction. */
  readonly begin: () => void;
  readonly commit: () => void;
  readonly rollback: () => void;
  /** While on, no statement can write; throws when the engine does not confirm it. */
  readonly readOnly: (on: boolean) => void;
  /** Time and chance for the statements that run from now on. */
  readonly setMoment: (moment: QueryMoment) => void;
  /** While set, memory of the module grows by at most this many bytes: a statement that needs more fails with R0301. */
  readonly memoryBudget: (bytes: number | undefined) => void;
  /** Bytes of memory in pages. */
  readonly bytes: () => number;
  readonly image: () => Uint8Array;
  readonly close: () => void;
}

interface RawStatement {
  bind: (values: readonly Bound[]) => boolean;
  step: () => boolean;
  get: (values: null, options: { useBigInt: true }) => readonly Cell[];
  reset: () => void;
  free: () => boolean;
}

/** Functions of SQLite's own interface that the module exports, besides those of sql.js. */
interface RawFunctions extends BindingFunctions {
  readonly _sqlite3_sql: (statement: number) => number;
  readonly UTF8ToString: (place: number) => string;
}

/** Creates databases: empty ones, or from an image. All of one engine share a WebAssembly module. */
export type SqliteEngine = (image?: Uint8Array) => Database;

interface SqliteModule {
  readonly engine: initSqlJs.SqlJsStatic;
  readonly memory: MemoryGuard;
  readonly functions: RawFunctions;
  readonly bindAll: Binder;
}

/**
 * sql.js creates one module for a thread, however often it is loaded; so its memory guard is created together with it.
 */
const loadModule = onceDone(async (): Promise<SqliteModule> => {
  const memory = await createMemoryGuard();
  // Loaded as the CommonJS that it is: an `import` would first search its text for names, which takes longer than
  // running it.
  const load = createRequire(import.meta.url)('sql.js') as typeof initSqlJs;
  const engine = await withExactTexts(() =>
    load({
      useOldExtensionFunctions: false,
      instantiateWasm: memory.instantiateWasm,
    } as Parameters<typeof load>[0]),
  );
  // The published types lack the functions.
  const functions = engine as unknown as RawFunctions;
  return { engine, memory, functions, bindAll: createBinder(memory, functions) };
});

export async function loadSqlite(): Promise<SqliteEngine> {
  const module = await loadModule();
  return (image) =>
    openDatabase(
      guarded(() => new module.engine.Database(image)),
      module,
    );
}

/**
 * The text decoder that sql.js creates while it starts drops a byte order mark at the beginning of a text. A stored
 * text may begin with one.
 */
function withExactTexts<T>(start: () => T): T {
  const usual = globalThis.TextDecoder;
  globalThis.TextDecoder = class extends usual {
    constructor(label?: string) {
      super(label, { ignoreBOM: true });
    }
  };
  try {
    return start();
  } finally {
    globalThis.TextDecoder = usual;
  }
}

function openDatabase(
  raw: InstanceType<initSqlJs.SqlJsStatic['Database']>,
  { memory, functions, bindAll }: SqliteModule,
): Database {
  let moment: QueryMoment | undefined;
  const current = (): QueryMoment => {
    if (moment === undefined) throw new Error('a statement asked for the time before it was set');
    return moment;
  };
  const define = createDefiner(raw, [...sqliteFunctions, ...momentFunctions(current)]);
  for (const [text] of raw.exec('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')[0]?.values ?? [])
    define(String(text));

  const prepare = (sql: string): Statement => {
    define(sql);
    // The published types lack the option that keeps integers exact.
    const statement = guarded(() => raw.prepare(sql) as unknown as RawStatement);
    const finish = (): void => {
      statement.reset();
    };
    let handle: number | undefined;
    return {
      run: (values = []) => {
        try {
          guarded(() => {
            if (values.length > 0) bindAll((handle ??= handleOf(functions, statement, sql)), values);
            while (statement.step());
          });
        } finally {
          finish();
        }
      },
      bind: (values) => {
        guarded(() => statement.bind(values));
      },
      step: () => guarded(() => statement.step()),
      row: () => statement.get(null, { useBigInt: true }),
      reset: finish,
      free: () => {
        statement.free();
      },
      cells: () => rowReader(memory, handleOf(functions, statement, sql), layoutOf(memory, functions, raw)),
    };
  };

  const rows = (sql: string, values: readonly Bound[] = []): readonly (readonly Cell[])[] => {
    const statement = prepare(sql);
    const found: (readonly Cell[])[] = [];
    try {
      statement.bind(values);
      while (statement.step()) found.push(statement.row());
    } finally {
      statement.free();
    }
    return found;
  };

  /** Statements that are run for every batch or query, prepared once. */
  const kept = new Map<string, Statement>();
  const keptStatement = (sql: string): Statement => {
    const known = kept.get(sql) ?? prepare(sql);
    kept.set(sql, known);
    return known;
  };
  /** The number that a pragma returns. */
  const shown = (pragma: string): number => {
    const statement = keptStatement(`PRAGMA ${pragma}`);
    try {
      return statement.step() ? Number(statement.row()[0]) : 0;
    } finally {
      statement.reset();
    }
  };
  let pageSize: number | undefined;

  return {
    prepare,
    rows,
    run: (sql, values) => {
      const statement = prepare(sql);
      try {
        statement.run(values);
      } finally {
        statement.free();
      }
    },
    begin: () => keptStatement('BEGIN').run(),
    commit: () => keptStatement('COMMIT').run(),
    rollback: () => keptStatement('ROLLBACK').run(),
    readOnly: (on) => {
      // Preparing the pragma sets the flag; stepping it as well would drop every prepared statement.
      raw.prepare(`PRAGMA query_only = ${on ? 1 : 0}`).free();
      if (shown('query_only') !== (on ? 1 : 0)) throw new Error('SQLite did not take query_only');
    },
    setMoment: (now) => {
      moment = now;
    },
    memoryBudget: memory.budget,
    bytes: () => shown('page_count') * (pageSize ??= shown('page_size')),
    image: () => guarded(() => raw.export()),
    close: () => {
      raw.close();
    },
  };
}

/**
 * Registers functions when a text first names them: sql.js compiles a module for each, and a short run needs a handful
 * of two hundred. Views of an image are such texts too.
 */
function createDefiner(
  raw: InstanceType<initSqlJs.SqlJsStatic['Database']>,
  functions: readonly SqliteFunction[],
): (sql: string) => void {
  const waiting = new Map(functions.map((each) => [each.name, each]));
  return (sql) => {
    for (const [name] of sql.matchAll(/schemac_\w+/g)) {
      const found = waiting.get(name);
      if (found === undefined) continue;
      raw.create_function(name, found.call);
      waiting.delete(name);
    }
  };
}

/**
 * SQLite's own handle of a statement, a property of sql.js with a minified name: the number whose statement has this
 * text.
 */
function handleOf({ UTF8ToString, _sqlite3_sql }: RawFunctions, statement: object, sql: string): number {
  const found = Object.values(statement).find(
    (value) => typeof value === 'number' && value > 1024 && UTF8ToString(_sqlite3_sql(value)) === sql,
  ) as number | undefined;
  if (found === undefined) throw new Error('sql.js keeps the handles of statements in another way');
  return found;
}

const layouts = new WeakMap<MemoryGuard, RowLayout>();

/** The layout of rows in the module; found once. */
function layoutOf(
  memory: MemoryGuard,
  functions: RawFunctions,
  raw: InstanceType<initSqlJs.SqlJsStatic['Database']>,
): RowLayout {
  const known = layouts.get(memory);
  if (known !== undefined) return known;
  const statement = raw.prepare(knownRow.sql);
  try {
    statement.step();
    const found = findLayout(memory, handleOf(functions, statement, knownRow.sql));
    layouts.set(memory, found);
    return found;
  } finally {
    statement.free();
  }
}

/** The module failed inside WebAssembly; the content of its memory is no longer reliable. */
export class BrokenModule extends Error {}

/** sql.js throws strings for some errors and plain errors without a code for the rest. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (thrown instanceof Error && thrown.name === 'RuntimeError')
      throw new BrokenModule(`SQLite: ${thrown.message}`, { cause: thrown });
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const carried = decodeFailure(message);
    if (carried !== undefined) throw carried;
    if (message.includes('too big') || message.includes('out of memory')) {
      throw fail('R0301', { what: 'memory', limit: 'what one value or the read model may take' });
    }
    throw new Error(`SQLite: ${message}`, { cause: thrown });
  }
}

/** An identifier in SQL, with any content. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
