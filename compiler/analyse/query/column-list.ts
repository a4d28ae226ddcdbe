import type { Column } from '../../../language/contract/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { typeName } from '../../../language/values/type.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Name, Query, QueryBody, Select, SelectItem } from '../../syntax/ast.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import type { Binding } from './binding.ts';

/** Whether a list names every column; then each name in the list must be unique. */
export function namesAll(names: readonly Name[] | undefined, columns: readonly Column[]): boolean {
  return names !== undefined && names.length >= columns.filter((column) => column.hidden !== true).length;
}

/** The columns under the names of a column list, which names columns from the first on; hidden columns are excluded. */
export function renamed<C extends Column>(
  columns: readonly C[],
  names: readonly Name[] | undefined,
  owner: Name | undefined,
  binding: Binding,
): readonly C[] {
  if (names === undefined) return columns;
  const shown = columns.filter((column) => column.hidden !== true);
  const beyond = names[shown.length];
  if (beyond !== undefined) {
    const name = owner?.text ?? 'the derived table';
    binding.report(diagnose('E0613', beyond.span, { name, named: names.length, columns: shown.length }));
  }
  checkDuplicates(names, owner?.text ?? 'the column list', binding.report);
  let next = 0;
  return columns.map((column) =>
    column.hidden === true ? column : { ...column, name: names[next++]?.text ?? column.name },
  );
}

/** Columns that are stored, or read by others, are not INTERVALs. */
export function checkStorable(columns: readonly Column[], owner: Name, binding: Binding): void {
  for (const { name, type } of columns)
    if (type.kind === 'INTERVAL' || type.kind === 'WALL')
      binding.report(diagnose('E0315', owner.span, { name, type: typeName(type) }));
}

/** Columns that are read by name: each needs its own. The error is at the item of the query that repeats the name, or at its `*`. */
export function checkDistinctNames(columns: readonly Column[], owner: Name, binding: Binding, node: Query): void {
  const seen = new Set<string>();
  const repeated = columns.flatMap(({ name }, index) => {
    const lower = name.toLowerCase();
    const isRepeated = seen.has(lower);
    seen.add(lower);
    return isRepeated ? [{ name, index }] : [];
  });
  if (repeated.length === 0) return;
  const items = firstSelect(node)?.items ?? [];
  const star = items.find((item) => item.kind === 'SelectStar');
  const report = (span: Span, names: readonly string[]): void =>
    binding.report(diagnose('E0216', span, { owner: `'${owner.text}'`, names }));
  if (star !== undefined)
    report(
      star.span,
      repeated.map(({ name }) => name),
    );
  else for (const { name, index } of repeated) report(spanOfItem(items[index]) ?? owner.span, [name]);
}

/** The SELECT that names the columns. */
function firstSelect(node: Query): Select | undefined {
  let body: QueryBody = node.body;
  while (body.kind === 'Query' || body.kind === 'SetOperation') body = body.kind === 'Query' ? body.body : body.left;
  return body.kind === 'Select' ? body : undefined;
}

function spanOfItem(item: SelectItem | undefined): Span | undefined {
  return item?.kind === 'SelectExpression' ? (item.alias ?? item.expression).span : item?.span;
}
