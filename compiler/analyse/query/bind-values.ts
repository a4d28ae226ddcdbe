import type { Column } from '../../../language/contract/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Values } from '../../syntax/ast.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { givenArgument } from '../expression/call.ts';
import { commonOf } from '../expression/common-type.ts';
import { convert } from '../expression/convert.ts';
import { resultType } from '../typed/typed.ts';
import type { BodyOutcome } from './bind-body.ts';
import type { Binding, Site } from './binding.ts';
import type { Scope } from './scope.ts';

const site: Site = { where: 'VALUES', aggregates: 'refused', windows: false, queries: true, sensitive: 'refused' };

/** VALUES: rows of equal length, each column with the common type of its values, named column1, column2, …. */
export function bindValues(node: Values, binding: Binding, scope: Scope): BodyOutcome {
  const width = node.rows[0]?.values.length ?? 0;
  const ragged = node.rows.findIndex((row) => row.values.length !== width);
  const rows = node.rows.map((row) => row.values.map((value) => bindExpression(value, { binding, scope, site })));
  const bad = node.rows[ragged];
  if (bad !== undefined) {
    binding.report(diagnose('E0614', bad.span, { row: ragged + 1, values: bad.values.length, expected: width }));
    return { body: { kind: 'values', rows: [] }, columns: [], open: true };
  }
  const columns = Array.from({ length: width }, (_, index) => valuesColumn(rows, index, node, binding));
  const cast = rows.map((row) =>
    row.map((value, index) => convert(value, columns[index]?.type ?? value.type, binding)),
  );
  return { body: { kind: 'values', rows: cast }, columns, open: false };
}

function valuesColumn(
  rows: readonly (readonly TypedExpression[])[],
  index: number,
  node: Values,
  binding: Binding,
): Column {
  const name = `column${index + 1}`;
  const values = rows.flatMap((row) => row[index] ?? []);
  const given = values.map(givenArgument);
  const type = resultType(commonOf(given, `${name} of VALUES`, node.span, binding.report));
  return {
    name,
    type,
    nullable: values.some((value) => value.nullable),
    sensitive: values.some((value) => value.sensitive),
  };
}
