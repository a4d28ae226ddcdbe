import type { FunctionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Type } from '../../../language/values/type.ts';
import { findAggregate, findWindowOnly } from '../../functions/aggregates.ts';
import { findCallable } from '../../functions/catalogue.ts';
import { isStableCall } from '../../functions/properties-of-call.ts';
import type { CreateFunction } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import { callWords } from '../../syntax/tokens/keywords.ts';
import { isCallerWord } from '../expression/bind-caller.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { assign } from '../expression/convert.ts';
import { functionSize } from '../expression/function-size.ts';
import { isFaulty } from '../typed/typed.ts';
import type { BlockContext } from '../environment/environment.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';
import type { Site } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope, type Scope } from '../query/scope.ts';
import { walkExpression } from '../typed/walk.ts';
import { resolveType } from '../type/resolve-type.ts';

type Parameter = FunctionBlock['parameters'][number];

const site: Site = { where: 'a function', aggregates: 'refused', windows: false, queries: false, sensitive: 'masked' };
const mostParameters = 100;

/** FUNCTION (docs/language.md#function): an expression over its parameters alone, which depends on nothing else. */
export function checkFunction(tree: CreateFunction, context: BlockContext): FunctionBlock | undefined {
  const { report, environment } = context;
  const name = tree.name.text;
  const { accepted } = environment;
  // A function may be older than one of the language of the same name; the words of the caller never mean a function.
  if (isCallerWord(name) || (!accepted && isTaken(name))) report(diagnose('E0432', tree.name.span, { name, accepted }));
  const parameters = parametersOf(tree, context);
  const returns = resolveType(tree.returns, context);
  const open = parameters.length < tree.parameters.length;
  if (tree.parameters.length > mostParameters)
    report(diagnose('E0429', tree.name.span, { name, problem: `has more than ${mostParameters} parameters` }));
  const body = bindBody(tree, parameters, returns, { open }, context);
  if (open || returns === undefined || isFaulty(body)) return undefined;
  checkNoTime(body, tree, report);
  const marks = (marked: string): boolean =>
    bindBody(tree, parameters, returns, { open, marked }, { ...context, report: () => undefined }).sensitive;
  return {
    kind: 'function',
    name,
    text: context.text,
    references: context.references(),
    parameters,
    returns,
    body,
    bodyText: printExpression(tree.body),
    marking: parameters.map((parameter) => parameter.name).filter(marks),
    expansion: functionSize(body),
  };
}

/** Names that mean something else before a parenthesis. */
function isTaken(name: string): boolean {
  const upper = name.toUpperCase();
  const found = [findCallable(name), findAggregate(name), findWindowOnly(name)];
  return found.some((entry) => entry !== undefined) || callWords.some((word) => word === upper);
}

function parametersOf(tree: CreateFunction, context: BlockContext): readonly Parameter[] {
  const { report } = context;
  const names = tree.parameters.map((parameter) => parameter.name);
  const kept = checkDuplicates(names, `function '${tree.name.text}'`, report);
  return tree.parameters.flatMap((node, index) => {
    checkSafeName(node.name, 'a parameter', report);
    const type = resolveType(node.type, context, node.name);
    return type === undefined || !kept.has(index) ? [] : [{ name: node.name.text, type }];
  });
}

/** `marked`: a parameter whose argument is SENSITIVE. */
function bindBody(
  tree: CreateFunction,
  parameters: readonly Parameter[],
  returns: Type | undefined,
  { open, marked }: { readonly open: boolean; readonly marked?: string },
  { environment, report }: BlockContext,
): TypedExpression {
  const binding = createBinding(environment, report, { fixed: 'a function' });
  const inputs = parameters.map(
    ({ name, type }) => ({ kind: 'parameter', name, type, nullable: true, sensitive: name === marked }) as const,
  );
  const scope: Scope = { ...emptyScope, inputs: { kind: 'function', name: tree.name.text, inputs, open } };
  const bound = bindExpression(tree.body, { binding, scope, site });
  return returns === undefined
    ? bound
    : assign(bound, returns, `the result of ${tree.name.text}`, tree.body.span, binding);
}

/** With the current time a fold over events would change while no event arrives. */
function checkNoTime(body: TypedExpression, tree: CreateFunction, report: Report): void {
  let reported = false;
  walkExpression(body, (part) => {
    if (!reported && part.kind === 'call' && isStableCall(part)) {
      reported = true;
      report(diagnose('E0433', tree.body.span, { name: tree.name.text, function: part.function }));
    }
    return !reported;
  });
}
