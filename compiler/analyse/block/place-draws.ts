/**
 * Gives each random draw of a decision its place, by which it is drawn from the seed of a recorded command (docs/language.md#recorded-commands):
 * a draw that a later definition adds or removes elsewhere leaves it as it is.
 */
import type { DecisionBranch } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';

type Branch = Omit<DecisionBranch, 'id'>;

/** The branches with places: label or number, event, field, occurrence. */
export function placeDrawsOfBranches<B extends Branch>(branches: readonly B[]): readonly B[] {
  return branches.map((branch, index) => {
    const { guard, emits, label } = branch;
    const name = label ?? String(index + 1);
    const seen = new Map<string, number>();
    return {
      ...branch,
      ...(guard === undefined ? {} : { guard: placed(guard, `${name}/WHERE`) }),
      emits: emits.map((emit) => {
        const number = (seen.get(emit.event) ?? 0) + 1;
        seen.set(emit.event, number);
        const at = `${name}/${emit.event}${number === 1 ? '' : `/${number}`}`;
        return {
          ...emit,
          ...(emit.stream === undefined ? {} : { stream: placed(emit.stream, `${at}/TO`) }),
          fields: emit.fields.map((field) => ({ ...field, value: placed(field.value, `${at}/${field.name}`) })),
        };
      }),
    };
  });
}

/** The query with places: column and occurrence for draws in a column of its result, else the occurrence alone. */
export function placeDrawsOfState(query: BoundQuery): BoundQuery {
  const { body, columns } = query;
  if (body.kind !== 'select') return placed(query, 'STATE');
  const items = body.items.map((item, index) => placed(item, `STATE/${columns[index]?.name ?? ''}`));
  const around = placed({ ...query, body: { ...body, items: [] } }, 'STATE');
  return { ...around, body: { ...around.body, items } };
}

/** A copy whose draws are numbered at the place. Bound trees are plain data. */
function placed<T>(tree: T, place: string): T {
  let occurrence = 0;
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(copy);
    const made = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copy(part)]));
    if (!isDraw(value)) return made;
    occurrence += 1;
    return { ...made, place: `${place}/${occurrence}` };
  };
  return holdsDraw(tree) ? (copy(tree) as T) : tree; // a copy of the same shape
}

function holdsDraw(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isDraw(value) || Object.values(value).some(holdsDraw);
}

/** Only expressions have both `kind` and `nullable`. */
function isDraw(value: object): boolean {
  return 'kind' in value && 'nullable' in value && isVolatileCall(value as TypedExpression);
}
