import {
  bindQuery,
  describeAll,
  describeBlock,
  explain,
  exportRegistry,
  validateRegistry,
  type Describe,
  type DescribeAll,
  type DescribedTable,
  type Explain,
} from '../../../compiler/index.ts';
import type { Table } from '../../engine/outcome.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';
import { withBound } from './queries.ts';

function asTable(described: DescribedTable): Table {
  const columns = described.columns.map((name) => ({ name, type: { kind: 'STRING' } as const, nullable: true, sensitive: false }));
  return { columns, rows: described.rows };
}

/** DESCRIBE of one block, or of a recorded inspection. */
export async function runDescribe(context: StatementContext, statement: Describe): Promise<StatementResult> {
  await context.live.settle();
  const bound = describeBlock(context.live.registry(), statement, await context.inspections());
  return withBound(context, bound, (described) => Promise.resolve({ kind: 'describe', table: asTable(described) }));
}

export async function runDescribeAll(context: StatementContext, statement: DescribeAll): Promise<StatementResult> {
  await context.live.settle();
  return { kind: 'describe', table: asTable(describeAll(context.live.registry().catalog, statement.what, await context.inspections())) };
}

export function runValidate(context: StatementContext): Promise<StatementResult> {
  const findings = validateRegistry(context.live.registry().catalog);
  const rows = findings.map((finding) => [finding.severity, finding.code, finding.block, finding.message]);
  return Promise.resolve({ kind: 'validate', table: asTable({ columns: ['severity', 'code', 'block', 'message'], rows }) });
}

export function runExport(context: StatementContext): Promise<StatementResult> {
  return Promise.resolve({ kind: 'export', text: exportRegistry(context.live.registry().catalog) });
}

export async function runExplain(context: StatementContext, statement: Explain): Promise<StatementResult> {
  await context.live.settle();
  const bound = explain(context.live.inForce(), statement.target, (query) => bindQuery(context.live.inForce(), query, bindScope(context)));
  return withBound(context, bound, (described) => Promise.resolve({ kind: 'explain', table: asTable(described) }));
}
