import type { BindScope, Registry } from '../../compiler/index.ts';
import { commandColumns } from '../registry/recorded-commands.ts';
import type { StatementContext } from './context.ts';

/**
 * The names that a session's statements see in addition to the registry. A local session never holds `sensitive:read`
 * (docs/language.md#sensitive-values).
 */
export function bindScope({ tables, lenientPayload, otherStores, others, reg, spans }: StatementContext): BindScope {
  const { catalog } = reg.registry();
  const scope = {
    tables: tables.all(),
    cleared: false,
    lenientPayload,
    spans,
    commandColumns: (aggregate: string) => commandColumns(catalog, aggregate),
  };
  return otherStores === undefined ? scope : { ...scope, storeRegistry: (store) => registryOf(others, store) };
}

function registryOf(others: StatementContext['others'], store: string): Registry {
  const place = others.get(store);
  if (place === undefined) throw new Error(`event store ${store} was not opened before it was read`);
  return place.registry();
}
