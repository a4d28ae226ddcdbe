import type { Catalog } from '../../../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../../language/catalog/query.ts';
import { enumOf } from '../../../functions/typing.ts';
import { walkExpression, walkQuery } from '../../typed/walk.ts';
import { finding, type Rule } from '../finding.ts';

/** Comparisons by `<` and the like between values of an ENUM, which go by their text and not by the order of their declaration. */
export const orderedEnums: Rule = (catalog) =>
  catalog.blocks.enum.length === 0
    ? []
    : places(catalog).flatMap(({ block, words, queries, expressions }) => {
        const found = new Set<string>();
        const visit = (part: TypedExpression): boolean => {
          const name = comparedEnum(part);
          if (name !== undefined) found.add(name);
          return true;
        };
        for (const query of queries) walkQuery(query, visit);
        for (const expression of expressions) walkExpression(expression, visit);
        return [...found].sort().map((name) => finding('E1012', block, { place: words, enum: name }));
      });

interface Place {
  readonly block: string;
  readonly words: string;
  readonly queries: readonly BoundQuery[];
  readonly expressions: readonly TypedExpression[];
}

function places({ blocks }: Catalog): readonly Place[] {
  return [
    ...blocks.aggregate.map(({ name, state }) => place('aggregate', name, `the state of '${name}'`, [state], [])),
    ...blocks.command.map(({ name, checks = [] }) =>
      place(
        'command',
        name,
        `command '${name}'`,
        [],
        checks.map(({ condition }) => condition),
      ),
    ),
    ...blocks.decision.map(({ name, state, branches }) =>
      place(
        'decision',
        name,
        `decision '${name}'`,
        state === undefined ? [] : [state],
        branches.flatMap(({ guard, emits }) => [
          ...(guard === undefined ? [] : [guard]),
          ...emits.flatMap(({ fields }) => fields.map(({ value }) => value)),
        ]),
      ),
    ),
    ...blocks.projection.map(({ name, query }) => place('projection', name, `projection '${name}'`, [query], [])),
    ...blocks.function.map(({ name, body }) => place('function', name, `function '${name}'`, [], [body])),
  ];
}

function place(
  kind: string,
  name: string,
  words: string,
  queries: readonly BoundQuery[],
  expressions: readonly TypedExpression[],
): Place {
  return { block: `${kind} ${name}`, words, queries, expressions };
}

const orders: ReadonlySet<string> = new Set(['less', 'less_equal', 'greater', 'greater_equal']);

/** The ENUM whose values a comparison orders; a CAST to STRING says that the text is meant. */
function comparedEnum(part: TypedExpression): string | undefined {
  if (part.kind !== 'call' || !orders.has(part.function)) return undefined;
  const operands = part.arguments.map(asWritten);
  const names = operands.flatMap(({ type }) => enumOf(type)?.name ?? []);
  return operands.every((operand) => operand.kind === 'literal' || enumOf(operand.type) !== undefined)
    ? names[0]
    : undefined;
}

/** Without the conversions that the compiler adds. */
function asWritten(expression: TypedExpression): TypedExpression {
  return expression.kind === 'cast' && expression.mode === 'implicit' ? asWritten(expression.operand) : expression;
}
