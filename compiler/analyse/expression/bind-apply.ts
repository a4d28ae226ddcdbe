/** Calls of functions of the schema (docs/language.md#function). */
import type { FunctionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { typeName } from '../../../language/values/type.ts';
import type { FunctionCall } from '../../syntax/ast.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import type { Binding, ExpressionContext } from '../query/binding.ts';
import { isMarked } from '../sensitive/mark.ts';
import { bindExpression } from './bind-expression.ts';
import { assign } from './convert.ts';
import { functionSize, mostParts } from './function-size.ts';
import { faulty, isFaulty } from '../typed/typed.ts';

/** The function of that name; undefined if there is none. Its errors are reported at its definition, a circle of functions here. */
export function findFunction(
  { name }: FunctionCall,
  { environment, report }: Binding,
): FunctionBlock | 'faulty' | undefined {
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

/** The arguments become values of the parameters' types, as in an assignment. */
export function bindApply(node: FunctionCall, block: FunctionBlock, context: ExpressionContext): TypedExpression {
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
