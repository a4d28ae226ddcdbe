import type { Catalog } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import { rowBytes } from '../../language/values/value-bytes.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { raw, type Raw } from '../../runtime/engine/raw.ts';
import type { Explain } from '../../runtime/engine/explain.ts';
import type { Row } from '../../runtime/store/store.ts';
import { createRowFiller } from '../../runtime/store/table-rows.ts';
import type { InspectedBudget } from '../http/options.ts';
import { explainOf } from '../registry/load/guard-terms.ts';
import {
  branchColumns,
  createTargetRows,
  plainColumn,
  targetColumns,
  targetShapeOf,
  type ShownCommand,
} from './inspection-tables.ts';

export interface DecidedCommands {
  /** With the columns and rows of the target of an INSPECT DECISION. */
  readonly table: Raw<Table>;
  readonly branches: Raw<Table>;
  readonly aggregate: string;
}

export interface DecidedRows {
  /** The command of the decision. */
  readonly command: string;
  /** Takes their bytes from the budget. Fails with R0301 when all that was added takes more. */
  readonly add: (commands: readonly ShownCommand[]) => void;
  readonly end: () => DecidedCommands;
}

export interface DecidedRowsOptions {
  readonly uuid: () => string;
  /** A rejection as the caller may read it. */
  readonly readable: Explain;
  readonly budget: InspectedBudget;
}

/** The rows that a decision's commands give, with their branches, as they are decided. */
export function collectDecided(
  catalog: Catalog,
  decision: string,
  { uuid, readable, budget }: DecidedRowsOptions,
): DecidedRows {
  const shape = targetShapeOf(catalog, decision);
  const columns = branchColumns(shape.decision);
  const filled = createRowFiller(columns);
  const explained = explainOf(catalog, decision) ?? ((rejection) => rejection);
  const rowsOf = createTargetRows(shape, { uuid, explain: (rejection) => readable(explained(rejection)) });
  const [rows, branches]: [Row[], Row[]] = [[], []];
  let bytes = 0;
  return {
    command: shape.decision.command,
    add: (commands) => {
      const made = rowsOf(commands);
      const taken = made.branches.map((row) => filled(row));
      for (const row of [...made.rows, ...taken]) bytes += rowBytes(row);
      if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
      budget.takes(bytes);
      rows.push(...made.rows);
      branches.push(...taken);
    },
    end: () => ({
      table: raw({ columns: targetColumns(shape), rows }),
      branches: raw({ columns: columns.map(plainColumn), rows: branches }),
      aggregate: shape.decision.aggregate,
    }),
  };
}
