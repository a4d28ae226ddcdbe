/**
 * Changes the folds of one registry into those of the next: equal ones stay, new ones are built aside from the events
 * in slices, others are removed.
 */
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { FoldTable, SqliteReadModel } from '../../../../language/sqlite/read-model.ts';
import type { Adoption } from './adoption.ts';
import {
  createFoldIndex,
  createFoldTable,
  dropFoldIndexes,
  foldIndexes,
  foldTableNames,
  mergeStatement,
} from '../core/fold-tables.ts';
import type { FoldProgress } from '../core/messages.ts';
import { quoted, type Database } from '../core/engine.ts';
import { asideTable, eventTable } from '../core/tables.ts';

/** A fold that is being built. */
interface Build {
  readonly fold: FoldTable;
  /** Its events are complete aside before the swap; false: only the swap completes them, and then the table. */
  readonly sliced: boolean;
  /** The table that it is built in. */
  readonly table: string;
  /** The table of the events until the swap. */
  readonly events: string;
  /** Nothing in force has the name of its table: it is created ahead under that name. */
  readonly fresh: boolean;
  /** The position up to which events are merged. */
  upTo: number;
}

export interface FoldBuilds {
  /** Gives a function that undoes, after a rollback, the progress recorded since. */
  readonly mark: () => () => void;
  /**
   * Creates the tables that have their final names from the start, one step each. Each inside a transaction of the
   * caller.
   */
  readonly makeAhead: () => Generator<undefined, void>;
  /** Folds whose tables already exist under their own names. */
  readonly standing: ReadonlySet<string>;
  /** Merges one slice into one of them; undefined when only the swap is left. Inside a transaction of the caller. */
  readonly slice: () => FoldProgress | undefined;
  /** Finishes those that can be built before tables are swapped. */
  readonly finish: () => void;
  /** Puts them in place, after the tables of events; `views` of the definition replace those that cannot be kept. */
  readonly swap: (mayGoOn: () => void) => void;
}

/** Events in a slice, which takes some hundredths of a second. A query may have to wait for one slice. */
const sliceEvents = 2_000;

/**
 * Creates the empty tables of new and changed folds, and of all folds that the views in `rebuild` read. The caller has
 * begun a transaction.
 */
export function beginFolds(
  database: Database,
  before: ReadModelDefinition | undefined,
  { definition, steps, generation }: Adoption,
  rebuild: readonly string[] = [],
): FoldBuilds {
  const tables = foldTableNames(database);
  const freshAggregates = new Set(
    steps.flatMap((step) => (step.step === 'create' && step.fresh ? [step.table.aggregate] : [])),
  );
  const stepOf = new Map(steps.map(({ step, table }) => [table.aggregate, step]));
  const known = new Map((before?.sqlite.folds ?? []).map((fold) => [fold.table, fold]));
  const wanted = viewsBehind(definition.sqlite, rebuild);
  const isKept = (fold: FoldTable): boolean => {
    if (fold.readings.some(({ name }) => wanted.has(name))) return false;
    const step = stepOf.get(fold.aggregate);
    // A fold with an equal text reads no column that an extension changes in meaning: the types are part of its name.
    return rowsText(known.get(fold.table)) === rowsText(fold) && (step === 'keep' || step === 'extend');
  };
  const folds = definition.sqlite.folds ?? [];
  const kept = folds.filter(isKept);
  const indexed = kept.filter(
    (fold) => tables.has(fold.table) && String(known.get(fold.table)?.indexes) !== String(fold.indexes),
  );
  const builds: Build[] = [];
  let failed: Build[] = [];

  for (const fold of folds.filter((candidate) => !isKept(candidate))) {
    const step = stepOf.get(fold.aggregate);
    const events = eventTable(fold.aggregate);
    const sliced = step !== 'create';
    const fresh = !tables.has(fold.table) && (sliced || freshAggregates.has(fold.aggregate));
    // A rename reads the whole schema, so that many folds would take quadratic time.
    const table = sliced && !fresh ? asideTable(fold.table) : fold.table;
    const build = { fold, sliced, fresh, table, events: step === 'rebuild' ? asideTable(events) : events, upTo: 0 };
    if (sliced && !fresh) createTable(build);
    builds.push(build);
  }

  function createTable({ fold, table }: Build): void {
    database.run(`DROP TABLE IF EXISTS ${quoted(table)}`);
    for (const statement of createFoldTable(fold, table, generation)) database.run(statement);
  }

  const lastPosition = (events: string): number =>
    Number(database.rows(`SELECT MAX(global_position) FROM ${quoted(events)}`)[0]?.[0] ?? 0);

  /** A retry after a failure is useless: the same event fails again. */
  const mergeUpTo = (build: Build, events: string, position: number): void => {
    if (failed.includes(build) || position <= build.upTo) return;
    try {
      database.run(mergeStatement(build.fold, build.table, events), [build.upTo, position]);
      build.upTo = position;
    } catch {
      failed = [...failed, build];
    }
  };

  return {
    *makeAhead() {
      for (const build of builds.filter(({ fresh }) => fresh)) {
        createTable(build);
        yield;
      }
      const made = indexed.length === 0 ? undefined : foldIndexes(database);
      for (const fold of indexed) {
        const { table, indexes = [] } = fold;
        for (const column of indexes.filter((each) => made?.get(table)?.has(each) !== true)) {
          database.run(createFoldIndex(fold, column, { table, generation }));
          yield;
        }
      }
    },
    standing: new Set(
      [...kept, ...builds.filter(({ fresh }) => fresh).map(({ fold }) => fold)].map(({ table }) => table),
    ),
    mark: () => {
      const before = builds.map(({ upTo }) => upTo);
      const failedBefore = failed;
      return () => {
        for (const [index, build] of builds.entries()) build.upTo = before[index] ?? 0;
        failed = failedBefore;
      };
    },
    slice: () => {
      const lasts = builds.map((build) => (build.sliced && !failed.includes(build) ? lastPosition(build.events) : 0));
      const at = builds.findIndex(({ upTo }, index) => upTo < (lasts[index] ?? 0));
      const build = builds[at];
      if (build === undefined) return undefined;
      mergeUpTo(build, build.events, Math.min(lasts[at] ?? 0, build.upTo + sliceEvents));
      return { done: sum(builds.map(({ upTo }, index) => Math.min(upTo, lasts[index] ?? 0))), total: sum(lasts) };
    },
    finish: () => {
      for (const build of builds.filter(({ sliced }) => sliced))
        mergeUpTo(build, build.events, lastPosition(build.events));
    },
    swap: (mayGoOn) => {
      const keptNames = new Set(kept.map(({ table }) => table));
      for (const name of tables) if (!keptNames.has(name)) database.run(`DROP TABLE IF EXISTS ${quoted(name)}`);
      if (indexed.length > 0) dropFoldIndexes(database, indexed);
      for (const build of builds) {
        const { fold, sliced, fresh, table } = build;
        mayGoOn();
        // A new aggregate has no events.
        if (!sliced && !fresh) {
          createTable(build);
          mergeUpTo(build, build.events, lastPosition(build.events));
        }
        if (failed.includes(build)) database.run(`DROP TABLE ${quoted(table)}`);
        else if (sliced && !fresh) database.run(`ALTER TABLE ${quoted(table)} RENAME TO ${quoted(fold.table)}`);
      }
    },
  };
}

/** All that decides the rows of a fold's table. */
function rowsText(fold: FoldTable | undefined): string | undefined {
  if (fold === undefined) return undefined;
  const { indexes: _, ...rows } = fold;
  return JSON.stringify(rows);
}

function viewsBehind({ views }: SqliteReadModel, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>(names);
  // Each view reads only views before it.
  for (const { name, reads = [] } of [...views].reverse())
    if (found.has(name)) for (const read of reads) found.add(read);
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
