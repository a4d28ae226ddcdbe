import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { zoneVersion } from '../../../language/values/zones/zone-table.ts';
import { findAggregate, findWindowOnly } from '../../functions/aggregates.ts';
import { findCallable, nearestFunctions } from '../../functions/catalogue.ts';
import type { AtTimeZone, Extract, FunctionCall } from '../../syntax/ast.ts';
import { foreignFunctions, insteadOf } from '../../syntax/habits/names.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { bindCallerCall } from './bind-caller.ts';
import { bindAggregate } from './bind-aggregate.ts';
import { bindExpression } from './bind-expression.ts';
import { bindWindow } from './bind-window.ts';
import { bindApply, findFunction } from './bind-apply.ts';
import { call, callEntry } from './call.ts';
import { faulty, literal, textType } from '../typed/typed.ts';

/** A call as written: a window function, an aggregate, or a function of the catalogue. */
export function bindFunction(node: FunctionCall, context: ExpressionContext): TypedExpression {
  const caller = bindCallerCall(node, context);
  if (caller !== undefined) return caller;
  const written = node.name.text;
  const aggregate = findAggregate(written);
  const windowOnly = findWindowOnly(written);
  if (node.over !== undefined && (aggregate !== undefined || windowOnly !== undefined)) {
    return bindWindow(node, node.over, aggregate ?? windowOnly ?? 'COUNT', context);
  }
  if (aggregate !== undefined) return bindAggregate(node, aggregate, context);
  if (windowOnly !== undefined) return refuse(node, 'needs OVER (…)', context);
  return bindPlain(node, context);
}

function bindPlain(node: FunctionCall, context: ExpressionContext): TypedExpression {
  const { binding } = context;
  const name = node.trim === undefined ? node.name.text : trims[node.trim];
  const entry = findCallable(name);
  // A function of the schema may be older than a function of the language of the same name.
  if (entry === undefined || binding.environment.tree('function', name) !== undefined) {
    const called = findFunction(node, binding);
    if (called !== undefined) return called === 'faulty' ? faulty : bindApply(node, called, context);
    const written = node.name.text;
    const instead = insteadOf(foreignFunctions, written);
    const own = binding.environment.names('function');
    const hint = instead === undefined ? { nearest: nearestFunctions(written, own) } : { nearest: [], instead };
    binding.report(diagnose('E0205', node.name.span, { name: written, ...hint }));
    return faulty;
  }
  if (node.star) return refuse(node, 'takes no *', context);
  if (node.distinct || node.orderBy.length > 0)
    return refuse(node, 'is no aggregate, so it takes no DISTINCT or ORDER BY', context);
  if (node.filter !== undefined) return refuse(node, 'is no aggregate, so it takes no FILTER', context);
  if (node.over !== undefined) return refuse(node, 'is no window function, so it takes no OVER', context);
  if (entry.volatility === 'volatile' && binding.fixed !== undefined) {
    binding.report(diagnose('E0416', node.span, { function: entry.name, where: binding.fixed }));
    return faulty;
  }
  const given = node.arguments.map((argument) => bindExpression(argument, context));
  // With a zone it is another function, whose arguments name the version of the zones.
  if (entry.name === 'DATE_TRUNC' && given.length === 3)
    return call('truncate_in_zone', [...given, zones()], node.span, binding);
  return callEntry(entry, given, node.span, binding);
}

const trims = { LEADING: 'LTRIM', TRAILING: 'RTRIM', BOTH: 'TRIM' } as const;

function refuse(node: FunctionCall, problem: string, { binding }: ExpressionContext): TypedExpression {
  binding.report(diagnose('E0616', node.span, { function: node.name.text.toUpperCase(), problem }));
  return faulty;
}

/** `x AT TIME ZONE zone`. */
export function bindAtTimeZone(node: AtTimeZone, context: ExpressionContext): TypedExpression {
  const given = [node.operand, node.zone].map((part) => bindExpression(part, context));
  return call('at_time_zone', [...given, zones()], node.span, context.binding);
}

function zones(): TypedExpression {
  return literal(zoneVersion, textType);
}

/** `EXTRACT(YEAR FROM x)`. */
export function bindExtract(node: Extract, context: ExpressionContext): TypedExpression {
  const operand = bindExpression(node.operand, context);
  return call('EXTRACT', [literal(node.field, textType), operand], node.span, context.binding);
}
