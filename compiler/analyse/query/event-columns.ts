/** Columns of event relations as queries name them (docs/language.md#aggregate). */
import type { Column } from '../../../language/contract/query.ts';
import type { Type } from '../../../language/values/type.ts';
import type { AggregateBlock } from '../../../language/catalog/block.ts';
import type { ScopeColumn } from './scope.ts';

const text: Type = { kind: 'STRING' };
const number: Type = { kind: 'BIGINT' };
const instant: Type = { kind: 'TIMESTAMP' };

function column(name: string, type: Type, more: Partial<Column> = {}): Column {
  return { name, type, nullable: false, sensitive: false, ...more };
}

/** All columns of `X$Events` in order, the hidden ones last; `data` is a STRUCT of the payload, which carries its marks leaf by leaf. */
export function eventColumns(payload: readonly Column[]): readonly Column[] {
  const fields = payload.map(({ name, type, sensitive }) => ({
    name,
    type,
    ...(sensitive ? { sensitive: true as const } : {}),
  }));
  const hidden = { hidden: true } as const;
  return [
    column('event_id', text),
    column('stream_type', text),
    column('stream_id', text),
    column('seq', number),
    column('event_type', text),
    column('occurred_at', instant),
    column('data', { kind: 'STRUCT', fields }, { nullable: true }),
    column('timestamp', instant, hidden),
    column('global_position', number, hidden),
    column('event_version', { kind: 'INT' }, hidden),
    column('tags', { kind: 'LIST', of: text }, hidden),
    column('command_id', text, { nullable: true, ...hidden }),
    column('correlation_id', text, { nullable: true, ...hidden }),
    column('causation_id', text, { nullable: true, ...hidden }),
    column('aggregate_id', text, hidden),
    column('stored_type', text, hidden),
  ];
}

/** The columns of an event relation with its payload fields, hidden, as `data.<field>`. */
export function eventScopeColumns(block: AggregateBlock): readonly ScopeColumn[] {
  return [
    ...block.eventColumns,
    ...block.payload.map((field) => ({ ...field, name: `data.${field.name}`, hidden: true as const })),
  ];
}

/** A session's table; the fields of a recorded inspection's `data` can be named like those of events. */
export function tableScopeColumns(columns: readonly Column[]): readonly ScopeColumn[] {
  return columns.flatMap((outer): readonly ScopeColumn[] => {
    if (outer.type.kind !== 'STRUCT') return [outer];
    const leaves = outer.type.fields.map((field) => ({
      ...column(`${outer.name}.${field.name}`, field.type, { nullable: true, hidden: true }),
      sensitive: outer.sensitive || field.sensitive === true,
    }));
    return [outer, ...leaves];
  });
}

/** Whether the rows of a table are events: then it can replace an event relation, and its rows are in their order. */
export function isEventTable(columns: readonly Column[]): boolean {
  const has = (name: string): boolean => columns.some((candidate) => candidate.name === name);
  return (
    has('event_type') &&
    has('stream_id') &&
    columns.some((candidate) => candidate.name === 'data' && candidate.type.kind === 'STRUCT')
  );
}
