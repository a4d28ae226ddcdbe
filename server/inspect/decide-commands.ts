import { fail } from '../../language/failure/failure.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { rowBytes } from '../../language/values/value-bytes.ts';
import type { InspectedPage } from '../../runtime/engine/inspect.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { createRowFiller } from '../../runtime/store/table-rows.ts';
import type { Row } from '../../runtime/store/store.ts';
import { explainOf } from '../registry/load/guard-terms.ts';
import type { AskedDecision, InspectedBudget } from '../http/options.ts';
import type { InspectedPlace, InspectServices } from './create-inspect.ts';
import {
  branchColumns,
  branchRows,
  createTargetRows,
  plainColumn,
  targetColumns,
  targetShapeOf,
} from './inspection-tables.ts';

export interface DecidedCommands {
  /** With the columns and rows of the target of an INSPECT DECISION. */
  readonly table: Table;
  readonly branches: Table;
  readonly aggregate: string;
}

/** Commands that are decided without a turn of the event loop between them. */
const pageCommands = 10;

/** Decides the commands; fails with R0301 past the budget, and with `InputFailure` at the first command that cannot be decided. */
export async function decideCommands(
  { engine, isLive, domain, catalog, now, left }: InspectedPlace,
  { name, commands }: AskedDecision,
  { random, uuid }: Pick<InspectServices, 'random' | 'uuid'>,
  budget: InspectedBudget,
): Promise<DecidedCommands> {
  const shape = targetShapeOf(catalog, name);
  const { aggregate, command } = shape.decision;
  const rowsOf = createTargetRows(shape, { now, uuid });
  const columns = branchColumns(shape.decision);
  const filled = createRowFiller(columns);
  const rows: Row[] = [];
  const branches: Row[] = [];
  let bytes = 0;
  const explain = explainOf(catalog, name);
  const context = { now, random, uuid, ...(explain && { explain }) };
  const add = (page: InspectedPage): void => {
    const added = [...rowsOf(page.events), ...branchRows(page.branches).map((row) => filled(row))];
    bytes += added.reduce((sum, row) => sum + rowBytes(row), 0);
    if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
    rows.push(...added.slice(0, page.events.length));
    branches.push(...added.slice(page.events.length));
    left();
  };
  if (isLive) for await (const page of engine.inspectInSlices(command, commands, context, domain)) add(page);
  else
    await engine.inspect(command, pagesOf(commands), context, async (pages) => {
      for await (const page of pages) add(page);
    });
  budget.takes(bytes);
  return {
    table: { columns: targetColumns(shape), rows },
    branches: { columns: columns.map(plainColumn), rows: branches },
    aggregate,
  };
}

/** Other requests have their turn between two pages. */
async function* pagesOf(commands: readonly JsonObject[]): AsyncGenerator<readonly JsonObject[]> {
  for (let from = 0; from < commands.length; from += pageCommands) {
    await new Promise((resume) => setImmediate(resume));
    yield commands.slice(from, from + pageCommands);
  }
}
