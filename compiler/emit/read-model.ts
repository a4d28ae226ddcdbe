/**
 * What the embedded read model must hold for a registry. Takes a catalog, gives tables, views and queries as data
 * (`runtime/contract/`); knows nothing of how the store makes them.
 */
import type { AggregateTable, ReadModelDefinition, ViewDefinition } from '../../runtime/contract/read-model.ts';
import type { AggregateBlock } from '../catalog/block.ts';
import { findBlock, type Catalog } from '../catalog/catalog.ts';
import { byDependency } from '../catalog/export-order.ts';
import type { BoundQuery } from '../catalog/query.ts';
import { createMetaTables } from './meta.ts';
import type { Fold } from '../plan/fold.ts';
import { compileQuery } from './sqlite/compile-query.ts';
import { physicalNames, quoteIdentifier, viewColumnNames } from './sqlite/physical-names.ts';
import { printFoldScan, printFoldTable } from './sqlite/print-fold-table.ts';

/** Tables, views, folds and meta rows of the registry; views only name tables and views before them. */
export function createReadModelDefinition(catalog: Catalog): ReadModelDefinition {
  const folds = new Map<string, Fold>();
  const keepFold = (fold: Fold): string => {
    folds.set(fold.id, fold);
    return physicalNames.foldView(fold.id);
  };
  const view = (name: string, query: BoundQuery): ViewDefinition => printView(catalog, name, query, keepFold);
  const states = catalog.blocks.aggregate.map((block) => view(physicalNames.state(block.name), block.state));
  const projections = byDependency(catalog.blocks.projection).map((block) =>
    view(physicalNames.projection(block.name), block.query),
  );
  const kept = [...folds.values()];
  return {
    aggregates: catalog.blocks.aggregate.map((block) => aggregateTable(catalog, block)),
    views: [...kept.map((fold) => printFoldScan(catalog, fold)), ...states, ...projections],
    folds: kept.map((fold) => printFoldTable(catalog, fold)),
    meta: createMetaTables(catalog),
  };
}

function aggregateTable(catalog: Catalog, block: AggregateBlock): AggregateTable {
  const events = block.events.flatMap((name) => {
    const event = findBlock(catalog, 'event', name);
    if (event === undefined) return [];
    const fields = event.fields.map(({ name: field, type, volatile, tag }) => ({ name: field, type, volatile, tag }));
    return [{ name, fields }];
  });
  return { aggregate: block.name, payload: block.payload.map(({ name, type }) => ({ name, type })), events };
}

/** Under the columns' own names, which a query of ours never gives. */
function printView(
  catalog: Catalog,
  name: string,
  query: BoundQuery,
  keepFold: (fold: Fold) => string,
): ViewDefinition {
  const names = viewColumnNames(query.columns);
  const columns = names.map((column, index) => `c${index} AS ${quoteIdentifier(column)}`);
  return { name, sql: `SELECT ${columns.join(', ')} FROM (${compileQuery(query, catalog, { keepFold }).sql})` };
}
