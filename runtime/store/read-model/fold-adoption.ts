/** From one registry's folds to the next one's: equal ones stay, new ones are built aside from the events in slices, others go. */
import type { FoldTable, ReadModelDefinition } from '../../contract/read-model.ts';
import type { Adoption } from './adoption.ts';
import { createFoldTable, createView, createViewText, foldTableNames, mergeStatement } from './fold-tables.ts';
import type { FoldProgress } from './messages.ts';
import { quoted, type Database } from './sqlite.ts';
import { asideTable, eventTable } from './tables.ts';

/** A fold on its way. */
interface Build {
  readonly fold: FoldTable;
  /** Its events are complete aside before the swap; false: only the swap makes them so, and the table too. */
  readonly sliced: boolean;
  /** The table that it is built in. */
  readonly table: string;
  /** Where the events stand until the swap. */
  readonly events: string;
  /** Position up to which events are in it. */
  upTo: number;
}

export interface FoldBuilds {
  /** Merges one slice into one of them; undefined when nothing is left but what the swap does. Inside a transaction of the caller. */
  readonly slice: () => FoldProgress | undefined;
  /** All that is left of those that can be built before tables change places. */
  readonly finish: () => void;
  /** Puts them in place, after the events' tables are; `views` of the definition stand in for those that cannot be kept. */
  readonly swap: () => void;
}

/** Events a slice: some hundredths of a second, for so long a query may have to wait. */
const sliceEvents = 2_000;

/** Makes their tables, empty; of folds that stay also of those behind the views `anew`. Inside a transaction of the caller. */
export function beginFolds(
  database: Database,
  before: ReadModelDefinition | undefined,
  { definition, steps, generation }: Adoption,
  anew: readonly string[] = [],
): FoldBuilds {
  const tables = foldTableNames(database);
  const stepOf = new Map(steps.map(({ step, table }) => [table.aggregate, step]));
  const known = new Map((before?.folds ?? []).map((fold) => [fold.table, JSON.stringify(fold)]));
  const wanted = viewsBehind(definition, anew);
  const isKept = (fold: FoldTable): boolean => {
    if (wanted.has(fold.view)) return false;
    const step = stepOf.get(fold.aggregate);
    // A fold of an equal text reads no column whose meaning an extension changes: its types are part of its name.
    return known.get(fold.table) === JSON.stringify(fold) && (step === 'keep' || step === 'extend');
  };
  const folds = definition.folds ?? [];
  const kept = folds.filter(isKept);
  const builds: Build[] = [];
  let failed: Build[] = [];

  for (const fold of folds.filter((candidate) => !isKept(candidate))) {
    const step = stepOf.get(fold.aggregate);
    const events = eventTable(fold.aggregate);
    const sliced = step !== 'create';
    // A rename looks at the whole schema, so that a start with many folds would take the square of their number.
    const table = sliced ? asideTable(fold.table) : fold.table;
    const build = { fold, sliced, table, events: step === 'rebuild' ? asideTable(events) : events, upTo: 0 };
    if (sliced) createTable(build);
    builds.push(build);
  }

  function createTable({ fold, table }: Build): void {
    database.run(`DROP TABLE IF EXISTS ${quoted(table)}`);
    for (const statement of createFoldTable(fold, table, generation)) database.run(statement);
  }

  const lastPosition = (events: string): number =>
    Number(database.rows(`SELECT MAX(global_position) FROM ${quoted(events)}`)[0]?.[0] ?? 0);

  /** Once more after a failure is useless: the same event fails again. */
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
    swap: () => {
      const keptNames = new Set(kept.map(({ table }) => table));
      for (const name of tables) if (!keptNames.has(name)) database.run(`DROP TABLE IF EXISTS ${quoted(name)}`);
      for (const build of builds) {
        const { fold, sliced, table } = build;
        if (!sliced) {
          createTable(build);
          mergeUpTo(build, build.events, lastPosition(build.events));
        }
        if (failed.includes(build)) database.run(`DROP TABLE ${quoted(table)}`);
        else if (sliced) database.run(`ALTER TABLE ${quoted(table)} RENAME TO ${quoted(fold.table)}`);
      }
    },
  };
}

/** These views, and all that they read, and so on. */
function viewsBehind({ views, shared = [] }: ReadModelDefinition, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>(names);
  const tables = new Map(shared.map(({ view, table }) => [view, table]));
  // Each reads only views before it.
  for (const { name, sql } of [...views].reverse())
    if (found.has(name))
      for (const other of views) if (sql.includes(quoted(tables.get(other.name) ?? other.name))) found.add(other.name);
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The views of the definition, over the folds that are there; those that are as they shall be already are left alone. */
export function replaceViews(database: Database, { views, folds = [] }: ReadModelDefinition): void {
  const tables = foldTableNames(database);
  const reading = new Map(folds.flatMap(({ view, table, reading: sql }) => (tables.has(table) ? [[view, sql]] : [])));
  const wanted = views.map(({ name, sql }) => ({ name, sql: reading.get(name) ?? sql }));
  const texts = new Map(wanted.map((view) => [view.name, createViewText(view)]));
  const kept = new Set<string>();
  for (const [name, text] of database.rows(`SELECT name, sql FROM sqlite_schema WHERE type = 'view'`)) {
    if (texts.get(String(name)) === text) kept.add(String(name));
    else database.run(`DROP VIEW ${quoted(String(name))}`);
  }
  for (const view of wanted) if (!kept.has(view.name)) createView(database, view);
}
