/**
 * The guards of a decision, term by term: the tree of the guard, together with its bound form, gives the parts, and the printer of guards
 * their code.
 */
import type { DecisionBlock } from '../../language/catalog/block.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { TermOperand } from '../../language/contract/terms.ts';
import { termsModule, type PlannedTerm } from '../../templates/terms.ts';
import { walkExpression } from '../analyse/typed/walk.ts';
import { isMarked } from '../analyse/sensitive/mark.ts';
import { isVolatileCall } from '../functions/properties-of-call.ts';
import type { Binary, Expression, Unary } from '../syntax/ast.ts';
import { parseScript } from '../syntax/parse.ts';
import { printExpression } from '../syntax/print.ts';
import type { GeneratedFile } from './project/generated-file.ts';
import { printLoadable } from './print/print-javascript.ts';
import { sha256 } from './structures.ts';
import { createBranchPrinter } from './typescript/branch-printer.ts';

/** The loadable module with the `GuardTerms` of a decision. */
export function emitTerms(block: DecisionBlock): GeneratedFile {
  const path = `terms/${block.name}`;
  const guards = guardsOf(block);
  const branches = block.branches.map(({ guard }, index) => {
    const tree = guards[index];
    return guard === undefined || tree === undefined ? undefined : conjuncts(tree, guard);
  });
  const head = [`The guards of decision ${block.name}, term by term.`];
  const text = printLoadable(
    termsModule(branches, { path, head, printer: () => createBranchPrinter(block.name) }),
    'terms',
  );
  return { path: `${path}-${sha256(text).slice(0, 16)}.cjs`, text };
}

/** The trees of the guards, from the definition's own text. */
function guardsOf({ name, text }: DecisionBlock): readonly (Expression | undefined)[] {
  const [parsed] = parseScript({ name, text }).statements;
  return parsed?.statement?.kind === 'CreateDecision' ? parsed.statement.branches.map(({ guard }) => guard) : [];
}

function conjuncts(tree: Expression, bound: TypedExpression): readonly PlannedTerm[] {
  const parts = partsOf(tree, bound, 'AND', 'and');
  return parts === undefined ? [termOf(tree, bound)] : parts.flatMap(([part, typed]) => conjuncts(part, typed));
}

function termOf(tree: Expression, bound: TypedExpression): PlannedTerm {
  const own = { text: printExpression(tree), expression: bound, ...withoutValue(bound) };
  const inner = partsOf(tree, bound, 'AND', 'and');
  if (inner !== undefined) return { ...own, terms: conjuncts(tree, bound) };
  const sides = partsOf(tree, bound, 'OR', 'or');
  if (sides !== undefined) return { ...own, terms: disjuncts(tree, bound) };
  const negated = tree.kind === 'Unary' && tree.operator === 'NOT' ? callOf(bound, 'not', 1) : undefined;
  if (negated !== undefined) return { ...own, terms: [termOf((tree as Unary).operand, negated[0] ?? bound)] };
  return own.without === 'sensitive' ? own : { ...own, operands: operandsOf(bound) };
}

function disjuncts(tree: Expression, bound: TypedExpression): readonly PlannedTerm[] {
  const parts = partsOf(tree, bound, 'OR', 'or');
  return parts === undefined ? [termOf(tree, bound)] : parts.flatMap(([part, typed]) => disjuncts(part, typed));
}

/** Both sides of a connective, each as tree and bound form; undefined if the binder made something else of it. */
function partsOf(
  tree: Expression,
  bound: TypedExpression,
  operator: Binary['operator'],
  name: string,
): readonly (readonly [Expression, TypedExpression])[] | undefined {
  if (tree.kind !== 'Binary' || tree.operator !== operator) return undefined;
  const [left, right] = callOf(bound, name, 2) ?? [];
  return left === undefined || right === undefined
    ? undefined
    : [
        [tree.left, left],
        [tree.right, right],
      ];
}

function callOf(bound: TypedExpression, name: string, count: number): readonly TypedExpression[] | undefined {
  const isCall = bound.kind === 'call' && bound.function === name && bound.arguments.length === count;
  return isCall ? bound.arguments : undefined;
}

function withoutValue(bound: TypedExpression): Pick<PlannedTerm, 'without'> {
  let [marked, drawn] = [false, false];
  walkExpression(bound, (part) => {
    marked ||= isMarked(part);
    drawn ||= isVolatileCall(part);
    return true;
  });
  return marked ? { without: 'sensitive' } : drawn ? { without: 'chance' } : {};
}

/** Each argument and each column of the state once, in the order of the text. */
function operandsOf(bound: TypedExpression): readonly TermOperand[] {
  const found = new Map<string, TermOperand>();
  walkExpression(bound, (part) => {
    if (part.kind !== 'argument' && part.kind !== 'state') return true;
    const from = part.kind === 'argument' ? 'command' : 'state';
    found.set(`${from} ${part.name}`, { name: part.name, from, type: part.type });
    return true;
  });
  return [...found.values()];
}
