import type { Column } from '../../../runtime/contract/query.ts';
import type { BoundQuery } from '../../catalog/query.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CommonTable, QueryBody } from '../../syntax/ast.ts';
import { findAll } from '../../syntax/walk.ts';
import { bindBody } from './bind-body.ts';
import { combine } from './bind-set-operation.ts';
import type { Binding } from './binding.ts';
import { castBody } from './cast-body.ts';
import { renamed } from './common-table.ts';
import type { CommonTableScope, Scope } from './scope.ts';

/** Whether a query, or a part of one, reads an unqualified relation of that name. */
export function refersTo(query: QueryBody, name: string): boolean {
  const wanted = name.toLowerCase();
  return findAll(query, 'NamedRelation').some((node) => node.schema === undefined && node.name.text.toLowerCase() === wanted);
}

/**
 * `start UNION [ALL] step`: the start gives the columns, the step is bound with them, until types, NULLs and marks of both agree.
 * They only ever widen, so a few rounds are enough.
 */
export function bindRecursive(
  table: CommonTable,
  id: number,
  binding: Binding,
  scope: Scope,
): { query: BoundQuery; open: boolean } {
  const { body } = table.query;
  const shaped = body.kind === 'SetOperation' && body.operator === 'UNION' && !refersTo(body.left, table.name.text) && table.query.with.length === 0;
  if (!shaped) {
    binding.report(diagnose('E0615', table.name.span, { name: table.name.text }));
    return { query: emptyQuery, open: true };
  }
  const start = bindBody(body.left, binding, scope, []);
  let columns = start.open ? [] : renamed(start.columns, table.columns, table.name, binding);
  for (let round = 0; ; round++) {
    const reports: Diagnostic[] = [];
    const trial: Binding = { ...binding, report: (diagnostic) => reports.push(diagnostic) };
    const self: CommonTableScope = { id, name: table.name.text, columns, open: start.open };
    const step = bindBody(body.right, trial, { ...scope, tables: [self, ...scope.tables] }, []);
    const cast = castBody(start.body, columns.map((column) => column.type), trial);
    const whole = combine(body, { ...start, columns, body: cast }, step, trial);
    const next = whole.columns;
    if (round < 4 && !whole.open && !sameColumns(columns, next)) {
      columns = next;
      continue;
    }
    for (const diagnostic of reports) binding.report(diagnostic);
    return { query: { ...emptyQuery, columns: next, body: whole.body }, open: whole.open };
  }
}


function sameColumns(a: readonly Column[], b: readonly Column[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const emptyQuery: BoundQuery = { columns: [], recursive: false, with: [], body: { kind: 'values', rows: [] }, orderBy: [] };
