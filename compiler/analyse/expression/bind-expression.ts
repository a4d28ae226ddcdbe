/**
 * The expression binder: one file per group of kinds. Takes a tree and its scope; gives it resolved, typed and with explicit casts. An
 * error in a part is reported once, and everything built on that part becomes faulty without a report.
 */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { Expression } from '../../syntax/ast.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindCase } from './bind-case.ts';
import { bindCast } from './bind-cast.ts';
import { bindColumn, bindParameter } from './bind-column.ts';
import { bindAtTimeZone, bindExtract, bindFunction } from './bind-function.ts';
import { bindJsonGet } from './bind-json-get.ts';
import { bindLiteral } from './bind-literal.ts';
import { bindBetween, bindBinary, bindInList, bindIsTest, bindLike, bindUnary } from './bind-operator.ts';
import { bindAnyComparison, bindAnyQuery, bindExists, bindInQuery, bindScalarSubquery } from './bind-subquery.ts';

export function bindExpression(node: Expression, context: ExpressionContext): TypedExpression {
  const bound = bindNode(node, context);
  // Faulty expressions share one object, so they have no place in the text.
  if (!context.binding.spans.has(bound) && bound.type.kind !== 'NULL') context.binding.spans.set(bound, node.span);
  return bound;
}

function bindNode(node: Expression, context: ExpressionContext): TypedExpression {
  switch (node.kind) {
    case 'StringLiteral':
    case 'NumberLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'TypedLiteral':
      return bindLiteral(node, context);
    case 'BindParameter':
      return bindParameter(node, context);
    case 'ColumnReference':
      return bindColumn(node, context);
    case 'Unary':
      return bindUnary(node, context);
    case 'Binary':
      return bindBinary(node, context);
    case 'IsTest':
      return bindIsTest(node, context);
    case 'Between':
      return bindBetween(node, context);
    case 'InList':
      return bindInList(node, context);
    case 'InQuery':
      return bindInQuery(node, context);
    case 'AnyQuery':
      return bindAnyQuery(node, context);
    case 'AnyComparison':
      return bindAnyComparison(node, context);
    case 'Like':
      return bindLike(node, context);
    case 'JsonGet':
      return bindJsonGet(node, context);
    case 'Case':
      return bindCase(node, context);
    case 'Cast':
      return bindCast(node, context);
    case 'AtTimeZone':
      return bindAtTimeZone(node, context);
    case 'Extract':
      return bindExtract(node, context);
    case 'FunctionCall':
      return bindFunction(node, context);
    case 'Exists':
      return bindExists(node, context);
    case 'ScalarSubquery':
      return bindScalarSubquery(node, context);
  }
}
