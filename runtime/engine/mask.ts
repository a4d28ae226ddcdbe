import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../store/store.ts';
import { maskValue } from '../../language/values/mask.ts';
import type { StructField, Value } from '../../language/values/type.ts';
import type { NamedValue, Outcome, Table } from './outcome.ts';

/** A value without `sensitive:read`: in a struct each sensitive leaf is masked. */
export function masked(named: NamedValue): Value {
  const mask = columnMask(named);
  return mask === undefined ? named.value : mask(named.value);
}

function maskNamed(named: NamedValue): NamedValue {
  return { ...named, value: masked(named) };
}

const isSensitive = ({ sensitive }: NamedValue): boolean => sensitive;

/** An outcome without `sensitive:read`; the outcome itself when no value is sensitive. */
export function maskOutcome(outcome: Outcome): Outcome {
  if (outcome.rejection === undefined && !outcome.events.some(({ fields }) => fields.some(isSensitive))) return outcome;
  return {
    ...outcome,
    events: outcome.events.map((event) => ({ ...event, fields: event.fields.map(maskNamed) })),
    ...(outcome.rejection === undefined
      ? {}
      : {
          rejection: {
            ...outcome.rejection,
            ...(outcome.rejection.state && { state: outcome.rejection.state.map(maskNamed) }),
            command: outcome.rejection.command.map(maskNamed),
          },
        }),
  };
}

/** Rows without `sensitive:read`; the rows themselves when no column is sensitive. */
export function maskTable(table: Table): Table {
  const masks = table.columns.map(columnMask);
  if (masks.every((mask) => mask === undefined)) return table;
  const rows = table.rows.map((row): Row =>
    row.map((value, index) => masks[index]?.(value) ?? (masks[index] ? null : value)),
  );
  return { columns: table.columns, rows };
}

function columnMask(column: Pick<Column, 'type' | 'sensitive'>): ((value: Value) => Value) | undefined {
  if (column.type.kind === 'STRUCT') return structMask(column.type.fields, column.sensitive);
  return column.sensitive ? (value) => maskValue(value, column.type) : undefined;
}

/** A struct is masked leaf by leaf: only the fields that are sensitive themselves. */
function structMask(fields: readonly StructField[], all: boolean): ((value: Value) => Value) | undefined {
  const masked = fields.filter((field) => all || field.sensitive === true);
  if (masked.length === 0) return undefined;
  return (value) => {
    if (!(value instanceof Map)) return value;
    const copy = new Map(value as ReadonlyMap<string, Value>);
    for (const field of masked) {
      const leaf = copy.get(field.name);
      if (leaf !== undefined) copy.set(field.name, maskValue(leaf, field.type));
    }
    return copy;
  };
}
