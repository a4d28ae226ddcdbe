import type { PlacedFinding } from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';

const columns: readonly Column[] = [
  ...['severity', 'code', 'block', 'message', 'file'].map((name) => ({ name, type: { kind: 'STRING' } as const })),
  ...['line', 'column'].map((name) => ({ name, type: { kind: 'INT' } as const })),
].map((column) => ({ ...column, nullable: true, sensitive: false }));

/** The findings of VALIDATE REGISTRY as a table; without a place, its columns are NULL. */
export function findingsTable(findings: readonly PlacedFinding[]): Table {
  const rows = findings.map(({ severity, code, block, message, file, line, column }) => [
    severity,
    code,
    block,
    message,
    file ?? null,
    line ?? null,
    column ?? null,
  ]);
  return { columns, rows };
}
