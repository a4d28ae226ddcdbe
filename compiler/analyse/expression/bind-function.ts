import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { zoneVersion } from '../../../language/values/zones/zone-table.ts';
import { findAggregate, findWindowOnly } from '../../functions/aggregates.ts';
import { findCallable, nearestFunctions } from '../../functions/catalogue.ts';
import type { AtTimeZone, Extract, FunctionCall } from '../../syntax/ast.ts';
import { foreignFunctions, insteadOf } from '../../syntax/habits/names.ts';
import type { ExpressionContext, Binding } from '../query/binding.ts';
import { bindCallerCall } from './bind-caller.ts';
import { bindAggregate } from './bind-aggregate.ts';
import { bindExpression } from './bind-expression.ts';
import { bindWindow } from './bind-window.ts';
import { call, callEntry } from './call.ts';
import { faulty, literal, textType, isFaulty } from '../typed/typed.ts';
import type { FunctionBlock } from '../../../language/catalog/block.ts';
import { typeName } from '../../../language/values/type.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { isMarked } from '../sensitive/mark.ts';
import { assign } from './convert.ts';
import { functionSize, mostParts } from './function-size.ts';

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

/** The function of that name; undefined if there is none. Its errors are reported at its definition, a circle of functions here. */
function findFunction({ name }: FunctionCall, { environment, report }: Binding): FunctionBlock | 'faulty' | undefined {
  const found = environment.find('function', name.text);
  recordBlockUse('function', name, found, environment);
  switch (found.status) {
    case 'found':
      return found.block;
    case 'unknown':
      return undefined;
    case 'cycle':
      report(diagnose('E0430', name.span, { path: found.path }));
      return 'faulty';
    case 'faulty':
      return 'faulty';
  }
}

/** Binds a call of a function of the schema (docs/language.md#function). The arguments become values of the parameters' types, as in an assignment. */
function bindApply(node: FunctionCall, block: FunctionBlock, context: ExpressionContext): TypedExpression {
  const { binding } = context;
  const { name, parameters, body } = block;
  const problem = problemOf(node, block);
  if (problem !== undefined) {
    binding.report(diagnose('E0429', node.span, { name, problem }));
    return faulty;
  }
  const given = node.arguments.map((argument, index) => {
    const bound = bindExpression(argument, context);
    const parameter = parameters[index];
    if (parameter === undefined) return faulty; // their number is right
    return assign(bound, parameter.type, `${parameter.name} of ${name}`, argument.span, binding);
  });
  if (given.some(isFaulty)) return faulty;
  const applied: TypedExpression = {
    kind: 'apply',
    function: name,
    parameters,
    arguments: given,
    body,
    type: body.type,
    nullable: body.nullable,
    sensitive: given.some((argument, index) => isMarked(argument) && carriesMark(block, index, binding)),
  };
  if (functionSize(applied) > mostParts) {
    binding.report(diagnose('E0431', node.span, { name, limit: mostParts }));
    return faulty;
  }
  binding.spans.set(applied, node.span);
  return applied;
}

/** In a caller's query every function keeps the mark, so that the whole expression becomes the mask. */
function carriesMark({ marking, parameters }: FunctionBlock, index: number, { sensitivity }: Binding): boolean {
  return sensitivity === 'masks' || marking.includes(parameters[index]?.name ?? '');
}

function problemOf(node: FunctionCall, { parameters }: FunctionBlock): string | undefined {
  if (node.star || node.distinct || node.orderBy.length > 0 || node.filter !== undefined || node.over !== undefined)
    return 'takes values only: no *, DISTINCT, ORDER BY, FILTER or OVER';
  if (node.arguments.length === parameters.length) return undefined;
  const list = parameters.map((parameter) => `${parameter.name} ${typeName(parameter.type)}`).join(', ');
  return `takes ${parameters.length === 0 ? 'no arguments' : `(${list})`}, not ${count(node.arguments.length)}`;
}

function count(given: number): string {
  return given === 0 ? 'none' : given === 1 ? '1 argument' : `${given} arguments`;
}
