import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { FoldSlot } from '../../language/plan/fold.ts';

/** The slot that counts the events behind a row: an existing slot, or a new one. */
export function countRows(slots: readonly FoldSlot[]): { readonly slots: readonly FoldSlot[]; readonly at: number } {
  const known = slots.findIndex(
    (slot) => slot.function === 'COUNT' && slot.argument === undefined && slot.filter === undefined,
  );
  if (known >= 0) return { slots, at: known };
  return { slots: [...slots, { function: 'COUNT', type: { kind: 'BIGINT' } }], at: slots.length };
}

/** Whether a lookup's row has events, by the slot that counts them. */
export function hasRows(lookup: number, slot: number): TypedExpression {
  const facts = { nullable: false, sensitive: false } as const;
  const type = { kind: 'BIGINT' } as const;
  const count: TypedExpression = { ...facts, kind: 'column', relation: lookup, column: `s${slot}`, type };
  const none: TypedExpression = { ...facts, kind: 'literal', value: '0', type };
  return { ...facts, kind: 'call', function: 'greater', arguments: [count, none], type: { kind: 'BOOLEAN' } };
}

export function truth(value: boolean): TypedExpression {
  return { kind: 'literal', value, type: { kind: 'BOOLEAN' }, nullable: false, sensitive: false };
}

/** `CASE WHEN condition THEN then ELSE otherwise END` */
export function when(condition: TypedExpression, then: TypedExpression, otherwise?: TypedExpression): TypedExpression {
  return {
    kind: 'case',
    branches: [{ when: condition, then }],
    ...(otherwise === undefined ? {} : { otherwise }),
    type: then.type,
    nullable: then.nullable || otherwise === undefined,
    sensitive: then.sensitive,
  };
}

/** Whether a LIMIT has no effect on a query of at most one row. */
export function leavesFirstRow(limit: TypedExpression | undefined): boolean {
  return limit === undefined || (limit.kind === 'literal' && limit.value !== null && Number(limit.value) >= 1);
}
