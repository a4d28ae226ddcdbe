import type { Domain } from '../../language/contract/domain.ts';

/** Known names, for completion, `\d` and the history filter. */
export interface Known {
  readonly blocks: readonly { readonly kind: string; readonly name: string }[];
  readonly commands: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly sensitive: boolean }[];
  }[];
  /** As written after `Reg.`: `"Bike$Events"`, `meta_events`. */
  readonly relations: readonly string[];
  /** As written after `data.`. */
  readonly payload: readonly string[];
  readonly columns: readonly string[];
}

export function knownOf(domain: Domain): Known {
  const tables = [
    ...domain.aggregates.map((aggregate) => aggregate.stateColumns),
    ...domain.projections.map((each) => each.columns),
  ];
  return {
    blocks: domain.blocks,
    commands: domain.commands,
    relations: [
      ...domain.aggregates.flatMap(({ name }) => [`"${name}$Events"`, `"${name}$Agg"`]),
      ...domain.projections.map(({ name }) => `"${name}"`),
      ...domain.readModel.meta.map(({ name }) => (name.startsWith('meta_') ? name : `meta_${name}`)),
    ],
    payload: domain.events.flatMap((event) => event.fields.map((field) => field.name)),
    columns: tables.flatMap((table) => table.map((column) => column.name)),
  };
}
