import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression } from '../../syntax/ast.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { faulty } from '../expression/typed.ts';
import type { Binding, Site } from '../query/binding.ts';
import { emptyScope } from '../query/scope.ts';
import { firstReading } from './first-reading.ts';

/** An expression of literals: no column, parameter or query is in scope. */
export function bindConstant(node: Expression, where: string, binding: Binding): TypedExpression {
  const reading = firstReading(node);
  if (reading !== undefined) {
    binding.report(diagnose('E0903', reading.span, { what: where, found: reading.found }));
    return faulty;
  }
  const site: Site = { where, aggregates: 'refused', windows: false, queries: false, sensitive: 'refused' };
  return bindExpression(node, { binding, scope: emptyScope, site });
}
