import type { Column } from '../../../language/contract/query.ts';
import type { Type } from '../../../language/values/type.ts';
import type { BoundBody } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { SetOperation } from '../../syntax/ast.ts';
import { commonOf } from '../expression/common-type.ts';
import { isFaulty } from '../typed/typed.ts';
import { bindBody, type BodyOutcome } from './bind-body.ts';
import type { Binding } from './binding.ts';
import { castBody, untypedColumns, untypedLiteral } from './cast-body.ts';
import { sameType } from '../type/widens.ts';
import type { Scope } from './scope.ts';

/** UNION, INTERSECT, EXCEPT: both sides have the same number of columns, each cast to the common type. */
export function bindSetOperation(node: SetOperation, binding: Binding, scope: Scope): BodyOutcome {
  const left = bindBody(node.left, binding, scope, []);
  const right = bindBody(node.right, binding, scope, []);
  return combine(node, left, right, binding);
}

/** Combines two bound sides; recursion binds its sides one after the other, so it calls this alone. */
export function combine(node: SetOperation, left: BodyOutcome, right: BodyOutcome, binding: Binding): BodyOutcome {
  if (left.open || right.open) return { body: left.body, columns: left.columns, open: true };
  if (left.columns.length !== right.columns.length) {
    const sizes = { operator: node.operator, left: left.columns.length, right: right.columns.length };
    binding.report(diagnose('E0606', node.right.span, sizes));
    return { body: left.body, columns: left.columns, open: true };
  }
  const untyped = [untypedColumns(left.body), untypedColumns(right.body)] as const;
  const columns = left.columns.map((column, index) => {
    // Both sides have the same number of columns.
    const other = right.columns[index] as Column;
    const type = commonOf(
      [
        { type: column.type, ...untypedLiteral(untyped[0], index) },
        { type: other.type, ...untypedLiteral(untyped[1], index) },
      ],
      `column '${column.name}' of ${node.operator}`,
      node.right.span,
      binding.report,
    );
    return combinedColumn(node.operator, column, other, type);
  });
  const types = columns.map((column) => column.type);
  // In a long chain, sides with the right types are not walked again for every link.
  const cast = (side: BodyOutcome): BoundBody => {
    const agrees = side.columns.every((column, index) => sameType(column.type, types[index] ?? column.type));
    return agrees ? side.body : castBody(side.body, types, binding);
  };
  const body: BoundBody = {
    kind: 'set',
    operator: node.operator,
    all: node.all,
    left: cast(left),
    right: cast(right),
  };
  return { body, columns, open: false };
}

function combinedColumn(operator: SetOperation['operator'], left: Column, right: Column, type: Type): Column {
  const nullable =
    operator === 'UNION'
      ? left.nullable || right.nullable
      : operator === 'INTERSECT'
        ? left.nullable && right.nullable
        : left.nullable;
  const faulty = isFaulty(left) || isFaulty(right);
  return { name: left.name, type, nullable: nullable || faulty, sensitive: left.sensitive || right.sensitive };
}
