import type { TypedExpression } from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Filter, Selection } from '../../../language/contract/selection.ts';
import type { Type, Value } from '../../../language/values/type.ts';

/** The id of the selected relation in its query. */
export const ROW = 1;

const facts = { type: { kind: 'BOOLEAN' }, nullable: true, sensitive: false } as const;
const position: Type = { kind: 'BIGINT' };

/** What its condition restricts. */
export type Restriction = Pick<Selection, 'filters' | 'after' | 'until'>;

/** The values of a condition, in the order in which `conditionOf` names its parameters. */
export function valuesOf({ filters, after, until }: Restriction): readonly Value[] {
  const values: Value[] = [];
  for (const filter of filters)
    if (filter.test === 'in') values.push(...filter.values);
    else if (filter.test !== 'is_null') values.push(filter.value);
  if (after !== undefined) values.push(after);
  if (until !== undefined) values.push(until);
  return values;
}

/** The WHERE of a selection, if it has one. Its values are the parameters `p0`, `p1` …; none is part of the query's text. */
export function conditionOf(
  { filters, after, until }: Restriction,
  columnOf: (name: string) => Column,
): TypedExpression | undefined {
  let parameters = 0;
  const given = (type: Type): TypedExpression => {
    const name = `p${parameters}`;
    parameters += 1;
    return { kind: 'argument', name, type, nullable: false, sensitive: false };
  };
  const conditions = filters.map((filter) => filterCondition(filter, reference(columnOf(filter.column)), given));
  const bound = (test: string): TypedExpression => call(test, reference(columnOf('global_position')), given(position));
  if (after !== undefined) conditions.push(bound('greater'));
  if (until !== undefined) conditions.push(bound('less_equal'));
  const [first, ...rest] = conditions;
  return first && rest.reduce((left, right) => call('and', left, right), first);
}

export function reference({ name, type, nullable, sensitive }: Column): TypedExpression {
  return { kind: 'column', relation: ROW, column: name, type, nullable, sensitive };
}

function filterCondition(
  filter: Filter,
  operand: TypedExpression,
  given: (type: Type) => TypedExpression,
): TypedExpression {
  switch (filter.test) {
    case 'is_null': {
      const isNull = call('is_null', operand);
      return filter.holds ? isNull : call('not', isNull);
    }
    case 'in': {
      const list = filter.values.map(() => given(operand.type));
      return { ...facts, kind: 'in-list', operand, list, negated: false };
    }
    case 'has':
      return call('any_equal', given({ kind: 'STRING' }), operand);
    default:
      return call(filter.test, operand, given(filter.test === 'like' ? { kind: 'STRING' } : operand.type));
  }
}

function call(name: string, ...operands: readonly TypedExpression[]): TypedExpression {
  return { ...facts, kind: 'call', function: name, arguments: operands };
}
