/**
 * The tables behind `Reg.meta_*`: the rows of the next registry are written aside, and copied when it is put in force. A table that the registry in
 * force does not have is written in its place, since nothing reads it yet.
 */
import type { MetaTable, ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { Ahead } from '../core/ahead.ts';
import { quoted, type Database } from '../core/engine.ts';
import { asideTable, columnDeclaration } from '../core/tables.ts';

/** Rows that are written in one step. */
const stepRows = 500;

/** Writes the rows of the tables that differ, some rows in each step. Nothing is left of earlier changes. */
export function* makeMetaAhead(
  database: Database,
  before: ReadModelDefinition | undefined,
  definition: ReadModelDefinition,
): Generator<undefined, readonly MetaTable[]> {
  const found = different(before, definition);
  for (const meta of found) {
    const { columns, rows } = meta;
    const place = metaTable(meta);
    const table = quoted(knownOf(before, meta) === undefined ? place : asideTable(place));
    database.run(createText(meta, table));
    for (let from = 0; from < rows.length; from += stepRows) {
      const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
      for (const row of rows.slice(from, from + stepRows))
        insert.run(row.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell)));
      insert.free();
      yield;
    }
  }
  return found;
}

/** Inside a transaction of the caller, after the rows were written aside. */
export function replaceMeta(
  database: Database,
  before: ReadModelDefinition | undefined,
  definition: ReadModelDefinition,
  { meta: laidDown }: Ahead,
): void {
  const kept = new Set(definition.meta.map(metaTable));
  for (const meta of before?.meta ?? [])
    if (!kept.has(metaTable(meta))) database.run(`DROP TABLE IF EXISTS ${quoted(metaTable(meta))}`);
  for (const meta of laidDown) {
    const known = knownOf(before, meta);
    if (known === undefined) continue;
    const table = quoted(metaTable(meta));
    const aside = quoted(asideTable(metaTable(meta)));
    if (JSON.stringify(known.columns) === JSON.stringify(meta.columns)) database.run(`DELETE FROM ${table}`);
    else {
      database.run(`DROP TABLE IF EXISTS ${table}`);
      database.run(createText(meta, table));
    }
    database.run(`INSERT INTO ${table} SELECT * FROM ${aside}`);
    database.run(`DELETE FROM ${aside}`); // a DROP reads the whole schema; the next change does it
  }
}

function different(before: ReadModelDefinition | undefined, { meta }: ReadModelDefinition): readonly MetaTable[] {
  const known = new Map((before?.meta ?? []).map((table) => [table.name, JSON.stringify(table)]));
  return meta.filter((table) => table.name !== 'meta_inspections' && known.get(table.name) !== JSON.stringify(table));
}

function createText({ columns }: MetaTable, table: string): string {
  return `CREATE TABLE ${table} (${columns.map(({ name, type }) => `${quoted(name)} ${columnDeclaration(type)}`).join(', ')})`;
}

function knownOf(before: ReadModelDefinition | undefined, { name }: MetaTable): MetaTable | undefined {
  return before?.meta.find((known) => known.name === name);
}

/** The table of the rows of `Reg.<name>`. */
export function metaTable({ name }: { readonly name: string }): string {
  return name.replace(/^meta_/, 'm$');
}
