/**
 * The definition of the embedded read model for a registry. Takes a catalog, gives tables, views and queries as data
 * (`language/contract/`); knows nothing of how the store creates them.
 */
import type { AggregateTable, ReadModelDefinition, UpcastTable } from '../../language/contract/read-model.ts';
import type { SharedView, ViewDefinition } from '../../language/sqlite/read-model.ts';
import { atOnce, mapInSteps, type Steps } from '../../language/source/steps.ts';
import type { AggregateBlock, EventBlock, EventUpcast, ProjectionBlock } from '../../language/catalog/block.ts';
import { type Catalog, findBlock } from '../../language/catalog/catalog.ts';
import { byDependency } from '../../language/catalog/export-order.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import type { WaitingBlock } from '../../language/catalog/waiting-block.ts';
import { readRelations } from '../analyse/typed/walk.ts';
import { createBlockMemory } from './memory/block-memory.ts';
import { metaInSteps } from './project/meta.ts';
import { createReferences } from './project/references.ts';
import type { Fold } from '../../language/plan/fold.ts';
import { visibleLookup, type LookedUp } from '../plan/visible-lookup.ts';
import { aboutProjection, aboutState } from './sqlite/about.ts';
import { compileQuery, createPrinter } from './sqlite/compile-query.ts';
import { joinFolds, printFold, type PrintedFold } from './sqlite/join-folds.ts';
import { physicalNames, quoteIdentifier, viewColumnNames } from './sqlite/physical-names.ts';
import { sharedProjections } from './sqlite/shared-projections.ts';
import { mapExpression } from '../../language/catalog/map-expression.ts';
import { storedEventFacts } from '../../language/contract/event.ts';

/**
 * Tables, views, folds and meta rows of the registry; views only name tables, and views before them. Waiting blocks
 * have only meta rows.
 */
export function createReadModelDefinition(
  catalog: Catalog,
  waiting: readonly WaitingBlock[] = [],
): ReadModelDefinition {
  return atOnce(readModelInSteps(catalog, waiting));
}

/** `createReadModelDefinition` in steps of one block. */
export function* readModelInSteps(catalog: Catalog, waiting: readonly WaitingBlock[] = []): Steps<ReadModelDefinition> {
  const references = createReferences(catalog);
  const states = yield* mapInSteps(catalog.blocks.aggregate, (block) =>
    memory.states(references(block), '', () =>
      printView(catalog, { name: physicalNames.state(block.name), about: aboutState(block.name) }, block.state),
    ),
  );
  const projections = yield* mapInSteps(byDependency(catalog.blocks.projection), (block) =>
    memory.projections(references(block), '', () =>
      printView(
        catalog,
        { name: physicalNames.projection(block.name), about: aboutProjection(block.name) },
        block.query,
      ),
    ),
  );
  const tables = sharedProjections(catalog);
  const shared = byDependency(catalog.blocks.projection).filter(({ name }) => tables.isShared(name));
  const printed = [...states, ...projections].flatMap((view) => view.folds);
  const folds = [...new Map(printed.map((each) => [each.fold.id, each])).values()];
  const aggregates = yield* mapInSteps(catalog.blocks.aggregate, (block) =>
    memory.tables(references(block), '', () => aggregateTable(catalog, block)),
  );
  const meta = yield* metaInSteps(catalog, waiting);
  return {
    aggregates,
    meta,
    sqlite: {
      views: [
        ...folds.map(({ scan }) => scan),
        ...states.map(({ view }) => view),
        ...projections.map(({ view }) => view),
      ],
      ...(shared.length === 0 ? {} : { shared: shared.map(sharedView) }),
      folds: joinFolds(catalog, folds, lookedUp(catalog)),
    },
  };
}

/** Columns of folds by which rows of callers are found. */
function lookedUp(catalog: Catalog): readonly LookedUp[] {
  const { aggregate, projection } = catalog.blocks;
  return [...aggregate, ...projection].flatMap((block) => visibleLookup(block, catalog)?.found ?? []);
}

interface PrintedView {
  readonly view: ViewDefinition;
  /** The folds that it reads. */
  readonly folds: readonly PrintedFold[];
}

const memory = {
  states: createBlockMemory<PrintedView>(),
  projections: createBlockMemory<PrintedView>(),
  tables: createBlockMemory<AggregateTable>(),
};

function aggregateTable(catalog: Catalog, block: AggregateBlock): AggregateTable {
  const events = block.events.flatMap((name) => {
    const event = findBlock(catalog, 'event', name);
    if (event === undefined) return [];
    const fields = event.fields.map(({ name: field, type, volatile, tag }) => ({ name: field, type, volatile, tag }));
    const upcasts = printUpcasts(catalog, event);
    return [{ name, fields, ...(upcasts.length === 0 ? {} : { upcasts }) }];
  });
  return { aggregate: block.name, payload: block.payload.map(({ name, type }) => ({ name, type })), events };
}

function sharedView({ name, query: { columns } }: ProjectionBlock): SharedView {
  const names = viewColumnNames(columns);
  return {
    view: physicalNames.projection(name),
    table: physicalNames.shared(name),
    columns: columns.map(({ type }, index) => ({ name: names[index] ?? '', type })),
  };
}

/** With the columns' own names, which printed queries do not use. */
function printView(
  catalog: Catalog,
  { name, about }: { readonly name: string; readonly about: string },
  query: BoundQuery,
): PrintedView {
  const folds = new Map<string, Fold>();
  const keepFold = (fold: Fold): string => {
    folds.set(fold.id, fold);
    return physicalNames.foldView(fold);
  };
  const names = viewColumnNames(query.columns);
  const columns = names.map((column, index) => `c${index} AS ${quoteIdentifier(column)}`);
  const { sql } = compileQuery(query, catalog, { keepFold }).sqlite;
  const reads = [...folds.values()].map(physicalNames.foldView).concat(viewsRead(query));
  return {
    view: {
      name,
      sql: `${about}SELECT ${columns.join(', ')} FROM (${sql})`,
      ...(reads.length > 0 && { reads }),
    },
    folds: [...folds.values()].map((fold) => printFold(catalog, fold)),
  };
}

/** The views of states and projections that a query names. */
function viewsRead(query: BoundQuery): readonly string[] {
  const names = readRelations(query).flatMap(({ source }) => {
    if (source.kind === 'state') return [physicalNames.state(source.aggregate)];
    return source.kind === 'projection' ? [physicalNames.projection(source.projection)] : [];
  });
  return [...new Set(names)];
}

/** The clauses of an event as the read model computes them. */
function printUpcasts(catalog: Catalog, { fields, upcasts = [] }: EventBlock): readonly UpcastTable[] {
  const stored = new Set(fields.flatMap(({ name, volatile }) => (volatile ? [] : [name])));
  return upcasts.map(({ event, versions, fields: old, values }) => ({
    event,
    versions,
    fields: old,
    sqlite: values.filter(({ name }) => stored.has(name)).map(({ value }) => printValue(catalog, old, value)),
  }));
}

/** Facts of the event are columns behind the old fields. */
function printValue(
  catalog: Catalog,
  old: EventUpcast['fields'],
  value: EventUpcast['values'][number]['value'],
): string {
  const { printer } = createPrinter(catalog);
  const places = new Map<string, number>(old.map(({ name }, index) => [name, index]));
  for (const [index, { name }] of storedEventFacts.entries()) places.set(`:${name}`, old.length + index);
  printer.relations.set(0, { witness: 'r0.s0', column: (name) => `r0.s${places.get(name) ?? 0}` });
  const overRow = mapExpression(value, (part) => {
    if (part.kind !== 'argument') return undefined;
    const { name, ...facts } = part;
    return { ...facts, kind: 'column', relation: 0, column: `:${name}` };
  });
  return printer.expression(overRow);
}
