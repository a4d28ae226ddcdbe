import type { Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundBody } from '../../../language/catalog/query.ts';
import { convert } from '../expression/convert.ts';
import { isUntyped } from '../typed/typed.ts';
import type { Binding } from './binding.ts';

/** The body with every output column converted to the given types. */
export function castBody(body: BoundBody, types: readonly Type[], binding: Binding): BoundBody {
  const castAll = (row: readonly TypedExpression[]): readonly TypedExpression[] =>
    row.map((value, index) => {
      const type = types[index];
      return type === undefined ? value : convert(value, type, binding);
    });
  switch (body.kind) {
    case 'select':
      return { ...body, items: castAll(body.items) };
    case 'values':
      return { ...body, rows: body.rows.map(castAll) };
    case 'set':
      return { ...body, left: castBody(body.left, types, binding), right: castBody(body.right, types, binding) };
    case 'query': {
      const columns = body.query.columns.map((column, index) => ({ ...column, type: types[index] ?? column.type }));
      return { ...body, query: { ...body.query, columns, body: castBody(body.query.body, types, binding) } };
    }
  }
}

/** By the index of a column in which every row has a string literal or NULL: its longest literal. */
export type UntypedColumns = ReadonlyMap<number, string | null>;

/** By the bodies of set operations: each link of a long chain asks for all links before it. */
const untypedBefore = new WeakMap<BoundBody, UntypedColumns>();

/** Columns that take the type of the other side. */
export function untypedColumns(body: BoundBody): UntypedColumns {
  const known = untypedBefore.get(body);
  if (known !== undefined) return known;
  const columns = untypedIn(body);
  if (body.kind === 'set') untypedBefore.set(body, columns);
  return columns;
}

function untypedIn(body: BoundBody): UntypedColumns {
  switch (body.kind) {
    case 'select':
      return untypedOf([body.items]);
    case 'values':
      return untypedOf(body.rows);
    case 'set': {
      const right = untypedColumns(body.right);
      const both = Array.from(untypedColumns(body.left)).flatMap(([index, left]): [number, string | null][] => {
        const other = right.get(index);
        return other === undefined ? [] : [[index, longer(left, other)]];
      });
      return new Map(both);
    }
    case 'query':
      return untypedColumns(body.query.body);
  }
}

/** Facts about a column that decide the common type in addition to its own type. */
export function untypedLiteral(
  columns: UntypedColumns,
  index: number,
): { readonly untyped: boolean; readonly literal?: string | null } {
  const literal = columns.get(index);
  return literal === undefined ? { untyped: false } : { untyped: true, literal };
}

function untypedOf(rows: readonly (readonly TypedExpression[])[]): UntypedColumns {
  const found = (rows[0] ?? []).flatMap((_, index): [number, string | null][] => {
    const values = rows.map((row) => row[index]);
    const literals = values.flatMap((value) => (value?.kind === 'literal' && isUntyped(value) ? [value.value] : []));
    if (literals.length < rows.length) return [];
    return [[index, literals.map((value) => (typeof value === 'string' ? value : null)).reduce(longer)]];
  });
  return new Map(found);
}

function longer(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return b.length > a.length ? b : a;
}
