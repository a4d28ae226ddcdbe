import type { Domain } from '../../../../language/contract/domain.ts';
import type { AggregateTable, UpcastTable } from '../../../../language/contract/read-model.ts';
import type { Type } from '../../../../language/values/type.ts';

/** The events of an aggregate as a table for programs of others, as far as the stored payloads can be read without computing. */
export interface EventView {
  readonly aggregate: string;
  /** Stored events that read as another type, or in another shape, than they were stored. */
  readonly shapes: readonly ReadShape[];
  readonly fields: readonly ViewField[];
}

export interface ReadShape {
  readonly stored: string;
  readonly versions: readonly number[];
  /** The type that they read as. */
  readonly event: string;
  /** A field of them is computed by an UPCAST clause, and is NULL in the view. */
  readonly isComputed: boolean;
}

export interface ViewField {
  readonly name: string;
  readonly type: Type;
  /** NULL in every row. */
  readonly sensitive: boolean;
  readonly sources: readonly FieldSource[];
}

/** Where a field is in the payloads of one type of stored events. */
export interface FieldSource {
  readonly stored: string;
  /** Lists the only versions, or the versions that are left out. */
  readonly versions: { readonly only: readonly number[] } | { readonly except: readonly number[] };
  readonly key: string;
  /** Earlier versions may spell it with other cases. */
  readonly isRespelled: boolean;
}

type Event = AggregateTable['events'][number];

/**
 * The views of all aggregates: fields of the present definitions, read from the stored ones. A field that an UPCAST clause only renames is
 * found under its old name; a computed one is left out, since a second evaluator would have to agree with the first forever.
 */
export function eventViewsOf({ readModel, aggregates, events }: Domain): readonly EventView[] {
  const versions = new Map(events.map(({ name, version }) => [name, version]));
  return readModel.aggregates.map((table) => {
    const sensitive = sensitiveFields(aggregates.find(({ name }) => name === table.aggregate));
    return {
      aggregate: table.aggregate,
      shapes: table.events.flatMap(shapesOf),
      fields: table.payload.map((column): ViewField => {
        const name = column.name.toLowerCase();
        return {
          ...column,
          sensitive: sensitive.has(name) || table.events.some((event) => readsSensitive(event, name)),
          sources: table.events.flatMap((event) => sourcesOf(event, name, (versions.get(event.name) ?? 1) > 1)),
        };
      }),
    };
  });
}

function sensitiveFields(aggregate: Domain['aggregates'][number] | undefined): ReadonlySet<string> {
  const payload = aggregate?.eventColumns.find(({ name }) => name === 'data')?.type;
  const fields = payload?.kind === 'STRUCT' ? payload.fields : [];
  return new Set(fields.filter(({ sensitive }) => sensitive === true).map(({ name }) => name.toLowerCase()));
}

/** Clauses for shapes that the log has. */
function clausesOf({ upcasts = [] }: Event): readonly UpcastTable[] {
  return upcasts.filter(({ versions }) => versions.length > 0);
}

function shapesOf(event: Event): readonly ReadShape[] {
  return clausesOf(event).map((clause) => ({
    stored: clause.event,
    versions: clause.versions,
    event: event.name,
    isComputed: clause.sqlite.some((text) => text !== 'NULL' && renamed(clause, text) === undefined),
  }));
}

/** The field of the shape that an expression of a clause takes as it is. */
function renamed({ fields }: UpcastTable, text: string | undefined): UpcastTable['fields'][number] | undefined {
  const place = /^r0\.s(\d+)$/.exec(text ?? '')?.[1];
  return place === undefined ? undefined : fields[Number(place)];
}

/** The expression of a clause for the field of that lower-cased name. */
function expressionOf(event: Event, clause: UpcastTable, name: string): string | undefined {
  const stored = event.fields.filter(({ volatile }) => !volatile);
  const place = stored.findIndex((field) => field.name.toLowerCase() === name);
  return place === -1 ? undefined : clause.sqlite[place];
}

function readsSensitive(event: Event, name: string): boolean {
  return clausesOf(event).some((clause) => renamed(clause, expressionOf(event, clause, name))?.sensitive === true);
}

function sourcesOf(event: Event, name: string, isRespelled: boolean): readonly FieldSource[] {
  const field = event.fields.find((one) => one.name.toLowerCase() === name);
  if (field === undefined || field.volatile) return [];
  const clauses = clausesOf(event);
  const except = clauses.filter((clause) => clause.event === event.name).flatMap(({ versions }) => versions);
  return [
    { stored: event.name, versions: { except }, key: field.name, isRespelled },
    ...clauses.flatMap((clause): readonly FieldSource[] => {
      const old = renamed(clause, expressionOf(event, clause, name));
      if (old === undefined) return [];
      return [{ stored: clause.event, versions: { only: clause.versions }, key: old.name, isRespelled: true }];
    }),
  ];
}
