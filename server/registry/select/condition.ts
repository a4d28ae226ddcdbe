import type { TypedExpression } from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Filter, Selection } from '../../../language/contract/selection.ts';
import type { Type, Value } from '../../../language/values/type.ts';

/** The id of the selected relation in its query. */
export const ROW = 1;

const facts = { type: { kind: 'BOOLEAN' }, nullable: true, sensitive: false } as const;
const position: Type = { kind: 'BIGINT' };

/** The WHERE of a selection, if it has one, and the values of its parameters by name. No value is part of the query's text. */
export function conditionOf(
  { filters, after, until }: Selection,
  columnOf: (name: string) => Column,
): { readonly where?: TypedExpression; readonly parameters: ReadonlyMap<string, Value> } {
  const parameters = new Map<string, Value>();
  const given = (value: Value, type: Type): TypedExpression => {
    const name = `p${parameters.size}`;
    parameters.set(name, value);
    return { kind: 'argument', name, type, nullable: false, sensitive: false };
  };
  const conditions = filters.map((filter) => filterCondition(filter, reference(columnOf(filter.column)), given));
  const bound = (test: string, value: bigint): TypedExpression =>
    call(test, reference(columnOf('global_position')), given(value, position));
  if (after !== undefined) conditions.push(bound('greater', after));
  if (until !== undefined) conditions.push(bound('less_equal', until));
  const [first, ...rest] = conditions;
  if (first === undefined) return { parameters };
  return { where: rest.reduce((left, right) => call('and', left, right), first), parameters };
}

export function reference({ name, type, nullable, sensitive }: Column): TypedExpression {
  return { kind: 'column', relation: ROW, column: name, type, nullable, sensitive };
}

function filterCondition(
  filter: Filter,
  operand: TypedExpression,
  given: (value: Value, type: Type) => TypedExpression,
): TypedExpression {
  switch (filter.test) {
    case 'is_null': {
      const isNull = call('is_null', operand);
      return filter.holds ? isNull : call('not', isNull);
    }
    case 'in': {
      const list = filter.values.map((value) => given(value, operand.type));
      return { ...facts, kind: 'in-list', operand, list, negated: false };
    }
    case 'has':
      return call('any_equal', given(filter.value, { kind: 'STRING' }), operand);
    default:
      return call(
        filter.test,
        operand,
        given(filter.value, filter.test === 'like' ? { kind: 'STRING' } : operand.type),
      );
  }
}

function call(name: string, ...operands: readonly TypedExpression[]): TypedExpression {
  return { ...facts, kind: 'call', function: name, arguments: operands };
}
