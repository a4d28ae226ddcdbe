/** The engine over sql.js: databases in memory or in files, exact integers, proper errors. */
import { createRequire } from 'node:module';
import type initSqlJs from 'sql.js';
import { onceDone } from '../../../../language/failure/once-done.ts';
import { sqliteFunctions, type SqliteFunction } from '../../../../language/sqlite/functions.ts';
import { notingFunctions } from '../../../../language/sqlite/placed-calls.ts';
import { momentFunctions, type QueryMoment } from '../../../../language/sqlite/moment.ts';
import { createBinder, type Binder, type BindingFunctions } from './binder.ts';
import {
  BrokenModule,
  type Bound,
  type Cell,
  type Database,
  type DatabasePlace,
  type Engine,
  type Statement,
} from './engine.ts';
import { createInterrupting, type Interrupting } from './interrupting.ts';
import { DamagedFile, UnwritableFile, type DatabaseFile } from '../files/database-file.ts';
import { createBytes, createMemoryFile } from '../files/memory-file.ts';
import { createSystemCalls, type ServedFile, type SystemCalls } from '../files/system-calls.ts';
import { createMemoryGuard, sqliteBytes, type MemoryGuard } from './memory-guard.ts';
import { findLayout, knownRow, rowReader, type RowLayout } from './row-memory.ts';
import { translated, type Guard } from './translated.ts';

interface RawStatement {
  bind: (values: readonly Bound[]) => boolean;
  step: () => boolean;
  get: (values: null, options: { useBigInt: true }) => readonly Cell[];
  reset: () => void;
  free: () => boolean;
}

/** Functions of SQLite's own interface that the module exports and that sql.js does not use. */
interface RawFunctions extends BindingFunctions {
  readonly _sqlite3_sql: (statement: number) => number;
  readonly UTF8ToString: (place: number) => string;
}

interface SqliteModule {
  readonly engine: initSqlJs.SqlJsStatic;
  readonly memory: MemoryGuard;
  readonly calls: SystemCalls;
  readonly functions: RawFunctions;
  readonly bindAll: Binder;
  readonly interruptingOn: (connection: number) => Interrupting;
}

/**
 * sql.js creates one module for a thread, however often it is loaded; so its memory guard is created together with it.
 */
const loadModule = onceDone(async (): Promise<SqliteModule> => {
  const calls: SystemCalls = createSystemCalls(sqliteBytes, () => memory.bytes());
  const memory: MemoryGuard = await createMemoryGuard(calls.served);
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
  const bindAll = createBinder(memory, functions);
  return { engine, memory, calls, functions, bindAll, interruptingOn: createInterrupting(memory) };
});

export async function loadSqlite(): Promise<Engine> {
  const module = await loadModule();
  return (place = { in: 'memory' }) =>
    place.in === 'memory' ? openInMemory(module, place.image) : openFile(module, place);
}

/** Gives the bytes of memory that SQLite has in this thread; they never become fewer. */
export async function sqliteMemory(): Promise<() => number> {
  const { memory } = await loadModule();
  return () => memory.bytes().length;
}

function openInMemory(module: SqliteModule, image?: Uint8Array): Database {
  const file = createMemoryFile(image);
  const { raw, served, guarded } = openServed(module, file, 'plain');
  const { runKept, ...database } = openDatabase(raw, module, guarded);
  // There is one connection and its database ends with the process, so a journal file and locks would protect nothing.
  for (const pragma of ['journal_mode = MEMORY', 'locking_mode = EXCLUSIVE', ...pragmas])
    database.run(`PRAGMA ${pragma}`);
  return {
    ...database,
    begin: () => runKept('BEGIN'),
    commit: () => runKept('COMMIT'),
    rollback: () => {
      takeBack(['ROLLBACK'], runKept);
    },
    settle: () => true,
    // All that is committed is in the file. The export of sql.js copies it into a second database, page by page, which takes several times
    // as long.
    image: () => {
      const written = file.files.open(file.path);
      const bytes = createBytes(written.size());
      written.read(bytes, 0);
      return bytes;
    },
    close: () => {
      database.close();
      served.forget();
    },
  };
}

/** Throws when SQLite does not open that file. */
function openServed(
  module: SqliteModule,
  file: DatabaseFile,
  pages: 'sealed' | 'plain',
): { readonly raw: RawDatabase; readonly served: ServedFile; readonly guarded: Guard } {
  const served = module.calls.serveNext(file, pages);
  const guarded = translated(served, { inMemory: pages === 'plain' });
  let raw: RawDatabase | undefined;
  try {
    raw = guarded(() => new module.engine.Database());
    if (!served.isOpen()) throw new Error('SQLite opened another file than the one that was given');
    return { raw, served, guarded };
  } catch (error) {
    raw?.close();
    served.forget();
    throw error;
  }
}

/**
 * Transactions are steps of one that `settle` commits, since a commit waits for the disk: in between they are in the
 * memory of the engine, where this connection alone sees them.
 */
function openFile(module: SqliteModule, { file }: Extract<DatabasePlace, { in: 'file' }>): Database {
  const { raw, served, guarded } = openServed(module, file, 'sealed');
  try {
    return openSteps(raw, module, { served, translate: guarded, cacheBytes: file.cacheBytes });
  } catch (error) {
    raw.close();
    served.forget();
    throw error;
  }
}

function openSteps(
  raw: RawDatabase,
  module: SqliteModule,
  {
    served,
    translate,
    cacheBytes,
  }: { readonly served: ServedFile; readonly translate: Guard; readonly cacheBytes: number },
): Database {
  let unsettled = false;
  const guarded: Guard = (work) => {
    try {
      return translate(work);
    } catch (error) {
      const isOfFile = error instanceof DamagedFile || error instanceof UnwritableFile;
      if (unsettled && !isOfFile && !isInTransaction(raw))
        throw new BrokenModule(`SQLite took back what it had: ${String(error)}`, { cause: error });
      throw error;
    }
  };
  const { runKept, ...database } = openDatabase(raw, module, guarded);
  const onDisk = [
    'journal_mode = PERSIST', // creating and removing it would be two more writes to the folder
    `journal_size_limit = ${journalBytes}`,
    'synchronous = FULL',
    `cache_size = -${Math.round(cacheBytes / 1024)}`,
  ];
  for (const pragma of [...onDisk, ...pragmas]) database.run(`PRAGMA ${pragma}`);
  const enter = (): void => {
    if (!unsettled) runKept('BEGIN');
    unsettled = true;
  };
  return {
    ...database,
    begin: () => {
      enter();
      runKept('SAVEPOINT step');
    },
    commit: () => runKept('RELEASE step'),
    rollback: () => {
      runKept('ROLLBACK TO step');
      runKept('RELEASE step');
    },
    undone: (work) => {
      enter();
      return database.undone(work);
    },
    // Outside a transaction each query would take the locks of the file and look whether it was changed, for more time than a short query takes.
    // The transaction stays open, and disturbs no other reader.
    readOnly: () => {
      enter();
      database.readOnly();
    },
    settle: () => {
      if (!unsettled) return true;
      try {
        runKept('COMMIT');
      } catch (error) {
        if (error instanceof Error && error.message.endsWith(isLocked)) return false;
        throw error;
      }
      unsettled = false;
      return true;
    },
    // The pages of the file are in the same memory.
    memoryBudget: (bytes) => database.memoryBudget(bytes === undefined ? undefined : bytes + cacheBytes),
    image: () => {
      throw new Error('a database on disk has no image');
    },
    close: () => {
      database.close();
      served.forget();
    },
  };
}

/** Takes a transaction or a step back; not again where SQLite did it by itself, as after some errors of memory or of a file. */
function takeBack(statements: readonly string[], run: (sql: string) => void): void {
  try {
    for (const sql of statements) run(sql);
  } catch (error) {
    if (!/no transaction is active|no such savepoint/.test(String(error))) throw error;
  }
}

/** After some errors, such as one of memory, SQLite ends a transaction by itself. */
function isInTransaction(raw: RawDatabase): boolean {
  try {
    raw.exec('BEGIN; ROLLBACK');
    return false;
  } catch (error) {
    return String(error).includes('within a transaction');
  }
}

/** The part of a journal that is kept for the next transaction. */
const journalBytes = 16 * 1024 * 1024;
/** The end of SQLite's message when another connection holds a lock. */
const isLocked = 'database is locked';
const pragmas = [
  'temp_store = MEMORY',
  // Views then refer to a table by its name, also after another table was renamed to that name.
  'legacy_alter_table = ON',
];

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

type RawDatabase = InstanceType<initSqlJs.SqlJsStatic['Database']>;

function openDatabase(
  raw: RawDatabase,
  { memory, functions, bindAll, interruptingOn }: SqliteModule,
  guarded: Guard,
): Omit<Database, 'settle' | 'image' | 'begin' | 'commit' | 'rollback'> & {
  readonly runKept: (sql: string) => void;
} {
  let moment: QueryMoment | undefined;
  const current = (): QueryMoment => {
    if (moment === undefined) throw new Error('a statement asked for the time before it was set');
    return moment;
  };
  // The published types lack the address of SQLite's own object.
  const { db: connection } = raw as unknown as { readonly db: number };
  const define = createDefiner(raw, [...sqliteFunctions, ...notingFunctions, ...momentFunctions(current)]);
  const texts = guarded(() => raw.exec('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL'));
  for (const [text] of texts[0]?.values ?? []) define(String(text));

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
        mayWrite();
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
  const runKept = (sql: string): void => keptStatement(sql).run();
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

  /** Setting it back after each query would take a fifth of the time of a short one. */
  let isReadOnly = false;
  const setReadOnly = (on: boolean): void => {
    // Preparing the pragma sets the flag; stepping it as well would drop every prepared statement.
    raw.prepare(`PRAGMA query_only = ${on ? 1 : 0}`).free();
    if (shown('query_only') !== (on ? 1 : 0)) throw new Error('SQLite did not take query_only');
    isReadOnly = on;
  };
  const mayWrite = (): void => {
    if (isReadOnly) setReadOnly(false);
  };

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
    runKept,
    undone: (work) => {
      runKept('SAVEPOINT undone');
      try {
        return work();
      } finally {
        takeBack(['ROLLBACK TO undone', 'RELEASE undone'], runKept);
      }
    },
    readOnly: () => {
      if (!isReadOnly) setReadOnly(true);
    },
    setMoment: (now) => {
      moment = now;
    },
    memoryBudget: memory.budget,
    interrupting: interruptingOn(connection),
    bytes: () => shown('page_count') * (pageSize ??= shown('page_size')),
    close: () => {
      raw.close();
    },
  };
}

/**
 * Registers functions when a text first names them: sql.js compiles a module for each, and a short run needs a handful
 * of two hundred. Views of an image are such texts too.
 */
function createDefiner(raw: RawDatabase, functions: readonly SqliteFunction[]): (sql: string) => void {
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
function layoutOf(memory: MemoryGuard, functions: RawFunctions, raw: RawDatabase): RowLayout {
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
