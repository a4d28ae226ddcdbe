/**
 * Changes the views of one registry into those of the next: new ones are created ahead, others when the change is put
 * in force.
 */
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { ViewDefinition } from '../../../../language/sqlite/read-model.ts';
import type { Ahead } from '../core/ahead.ts';
import type { FoldBuilds } from './fold-adoption.ts';
import { checkView, createView, createViewText, foldTableNames } from '../core/fold-tables.ts';
import { quoted, type Database } from '../core/engine.ts';

/** Creates those with new names, one in each step. */
export function* makeViewsAhead(
  database: Database,
  definition: ReadModelDefinition,
  { standing }: FoldBuilds,
  { unchecked }: Ahead,
): Generator<undefined, void> {
  const there = new Map(viewTexts(database));
  for (const view of viewsOver(definition, standing)) {
    if (there.has(view.name)) continue;
    database.run(createViewText(view));
    try {
      checkView(database, view.name);
    } catch {
      unchecked.add(view.name);
    }
    yield;
  }
}

/** Creates the views of the definition over the existing folds; unchanged ones are kept. */
export function replaceViews(
  database: Database,
  definition: ReadModelDefinition,
  { unchecked }: Ahead,
  mayGoOn: () => void,
): void {
  const wanted = viewsOver(definition, foldTableNames(database));
  const texts = new Map(wanted.map((view) => [view.name, createViewText(view)]));
  const kept = new Set<string>();
  for (const [name, text] of viewTexts(database)) {
    if (texts.get(name) === text) kept.add(name);
    else {
      mayGoOn();
      database.run(`DROP VIEW ${quoted(name)}`);
    }
  }
  for (const view of wanted) {
    if (kept.has(view.name) && !unchecked.has(view.name)) continue;
    mayGoOn();
    if (kept.has(view.name)) checkView(database, view.name);
    else createView(database, view);
  }
}

/** Names and texts of the existing views; in one row, which takes a fraction of the time. */
function viewTexts(database: Database): readonly (readonly [name: string, text: string])[] {
  const rows = database.rows(`SELECT json_group_array(json_array(name, sql)) FROM sqlite_schema WHERE type = 'view'`);
  return JSON.parse(String(rows[0]?.[0] ?? '[]')) as readonly (readonly [string, string])[];
}

function viewsOver({ sqlite }: ReadModelDefinition, tables: ReadonlySet<string>): readonly ViewDefinition[] {
  const { views, folds = [] } = sqlite;
  const kept = folds.flatMap(({ table, readings }) => (tables.has(table) ? readings : []));
  const reading = new Map(kept.map(({ name, sql }) => [name, sql]));
  return views.map(({ name, sql }) => ({ name, sql: reading.get(name) ?? sql }));
}
