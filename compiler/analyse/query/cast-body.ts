import type { Type } from '../../../runtime/values/type.ts';
import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundBody } from '../../catalog/query.ts';
import { convert } from '../expression/convert.ts';
import { isUntyped } from '../expression/typed.ts';
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

/** Columns in which every row has a string literal or NULL, and which therefore take the type of the other side. */
export function untypedColumns(body: BoundBody): ReadonlySet<number> {
  switch (body.kind) {
    case 'select':
      return new Set(body.items.flatMap((item, index) => (isUntyped(item) ? [index] : [])));
    case 'values':
      return new Set(
        (body.rows[0] ?? []).flatMap((_, index) =>
          body.rows.every((row) => {
            const value = row[index];
            return value !== undefined && isUntyped(value);
          })
            ? [index]
            : [],
        ),
      );
    case 'set': {
      const right = untypedColumns(body.right);
      return new Set(Array.from(untypedColumns(body.left)).filter((index) => right.has(index)));
    }
    case 'query':
      return untypedColumns(body.query.body);
  }
}
