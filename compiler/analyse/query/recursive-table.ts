import type { Column } from '../../../language/contract/query.ts';
import type { Type } from '../../../language/values/type.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { CommonTable, NamedRelation, QueryBody, Relation } from '../../syntax/ast.ts';
import { findAggregate } from '../../functions/aggregates.ts';
import { faultyType } from '../typed/typed.ts';
import { findAll } from '../../syntax/walk.ts';
import { bindBody } from './bind-body.ts';
import { combine } from './bind-set-operation.ts';
import type { Binding } from './binding.ts';
import { castBody } from './cast-body.ts';
import { renamed } from './column-list.ts';
import { apart, type QueryRelation } from './query-relation.ts';
import type { CommonTableScope, Scope } from './scope.ts';

/** Whether a query, or a part of one, reads an unqualified relation of that name. */
export function refersTo(query: QueryBody, name: string): boolean {
  return references(query, name) > 0;
}

/**
 * `start UNION [ALL] step`: the start gives the columns, the step is bound with them, until types, NULLs and marks of both agree. They only
 * widen, so a few rounds are enough.
 */
export function bindRecursive(
  table: CommonTable,
  id: number,
  binding: Binding,
  scope: Scope,
): QueryRelation & { readonly open: boolean } {
  const { body } = table.query;
  const shaped =
    body.kind === 'SetOperation' &&
    body.operator === 'UNION' &&
    table.query.with.length === 0 &&
    !refersTo(body.left, table.name.text) &&
    isStep(body.right, table.name.text);
  if (!shaped) {
    binding.report(diagnose('E0615', table.name.span, { name: table.name.text }));
    return { query: emptyQuery, columns: [], open: true };
  }
  const start = bindBody(body.left, binding, scope, []);
  let columns = start.open ? [] : renamed(start.columns, table.columns, table.name, binding);
  for (let round = 0; ; round++) {
    const reports: Diagnostic[] = [];
    const trial: Binding = { ...binding, report: (diagnostic) => reports.push(diagnostic) };
    const self: CommonTableScope = {
      id,
      name: table.name.text,
      columns: apart({ ...emptyQuery, columns }).columns,
      open: start.open,
    };
    const step = bindBody(body.right, trial, { ...scope, tables: [self, ...scope.tables] }, []);
    const cast = castBody(
      start.body,
      columns.map((column) => column.type),
      trial,
    );
    const whole = combine(body, { ...start, columns, body: cast }, step, trial);
    const next = whole.columns;
    // A faulty column reports nothing in another round, so its present state must be reported.
    if (!whole.open && !next.some(({ type }) => type === faultyType) && !sameColumns(columns, next)) {
      if (round < 4 && binding.rebinds.left-- > 0) {
        columns = round < 2 ? next : next.map(widest);
        continue;
      }
      if (reports.length === 0) binding.report(diagnose('E0621', table.name.span, { name: table.name.text }));
    }
    for (const diagnostic of reports) binding.report(diagnostic);
    return { ...apart({ ...emptyQuery, columns: next, body: whole.body }), open: whole.open };
  }
}

/** The step reads the table once, in its own FROM, and does not group: only such steps can be computed row by row. */
function isStep(body: QueryBody, name: string): boolean {
  if (body.kind !== 'Select' || body.groupBy.length > 0 || body.having !== undefined || body.from === undefined)
    return false;
  const aggregates = findAll(body, 'FunctionCall').some(
    (node) => node.over === undefined && findAggregate(node.name.text) !== undefined,
  );
  return !aggregates && references(body, name) === 1 && ownReferences(body.from, name) === 1;
}

function references(node: QueryBody, name: string): number {
  return findAll(node, 'NamedRelation').filter((relation) => isReference(relation, name)).length;
}

function ownReferences(relation: Relation, name: string): number {
  if (relation.kind === 'Join') return ownReferences(relation.left, name) + ownReferences(relation.right, name);
  return relation.kind === 'NamedRelation' && isReference(relation, name) ? 1 : 0;
}

function isReference(relation: NamedRelation, name: string): boolean {
  return relation.schema === undefined && relation.name.text.toLowerCase() === name.toLowerCase();
}

/** The widest type of a column that would get one more digit with every step; then it no longer changes. */
function widest(column: Column): Column {
  const { type } = column;
  const widened: Type =
    type.kind === 'DECIMAL' ? { kind: 'DECIMAL', precision: 18, scale: Math.max(6, type.scale) } : type;
  return { ...column, type: widened, nullable: true };
}

function sameColumns(a: readonly Column[], b: readonly Column[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const emptyQuery: BoundQuery = {
  columns: [],
  recursive: false,
  with: [],
  body: { kind: 'values', rows: [] },
  orderBy: [],
};
