/** The definitions of a server as its export says, compiled here: types of what it answers, and names for completion. */
import type { BindScope, Registry } from '../../compiler/index.ts';
import { metaRelations } from '../../language/contract/meta-relations.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { commandColumns } from '../../server/registry/recorded-commands.ts';
import type { Known } from '../../server/session/known.ts';
import { Refusal, type RemoteServer } from './server.ts';

/** Gives the registry as it is now. Undefined to a caller who may not read it, or if it is of another version. */
export type ReadRegistry = () => Promise<Registry | undefined>;

export async function registryReader(server: RemoteServer): Promise<ReadRegistry> {
  const { compileFiles } = await import('../../compiler/index.ts');
  let kept: { readonly text: string; readonly registry: Registry | undefined } | undefined;
  return async () => {
    try {
      const text = await server.text('/api/lang/export');
      if (kept?.text === text) return kept.registry;
      const { registry, diagnostics } = compileFiles([{ name: 'registry', text }]);
      kept = { text, registry: hasErrors(diagnostics) ? undefined : registry };
      return kept.registry;
    } catch (error) {
      if (error instanceof Refusal && (error.status === 401 || error.status === 403)) return undefined;
      throw error;
    }
  };
}

/** The names of a caller's statement. The server decides what is masked and refused. */
export function remoteScope({ catalog }: Registry): BindScope {
  return {
    tables: [],
    cleared: true,
    lenientPayload: true,
    commandColumns: (aggregate) => commandColumns(catalog, aggregate),
  };
}

export function knownTo(registry: Registry | undefined): Known {
  if (registry === undefined) return { blocks: [], commands: [], relations: [], payload: [], columns: [] };
  const { aggregate, command, event, projection, ...others } = registry.catalog.blocks;
  const blocks = Object.values({ aggregate, command, event, projection, ...others }).flat();
  return {
    blocks: blocks.map(({ kind, name }) => ({ kind, name })),
    commands: command.map(({ name, fields }) => ({ name, fields })),
    relations: [
      ...aggregate.flatMap(({ name }) => [`"${name}$Events"`, `"${name}$Agg"`]),
      ...projection.map(({ name }) => `"${name}"`),
      ...metaRelations.map(({ name }) => name),
    ],
    payload: event.flatMap(({ fields }) => fields.map(({ name }) => name)),
    columns: [...aggregate.map(({ state }) => state), ...projection.map(({ query }) => query)].flatMap(({ columns }) =>
      columns.map(({ name }) => name),
    ),
  };
}
