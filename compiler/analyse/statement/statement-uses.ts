import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { Name, Statement } from '../../syntax/ast.ts';
import type { BindScope, Registry } from '../environment/registry.ts';
import { registryEnvironment } from '../incremental/registry-environment.ts';
import type { SymbolUse } from '../environment/symbol-use.ts';
import { bindCaller } from './bind-caller.ts';
import { bindExecute } from './bind-execute.ts';
import { bindInspectDecision } from './bind-inspect-decision.ts';
import { bindInspectProjection } from './bind-inspect-projection.ts';
import { bindInspectReaction } from './bind-inspect-reaction.ts';
import { bindQuery } from './bind-query.ts';
import { bindTable } from './bind-table.ts';

/**
 * Targets of the names in a statement that creates no block, as far as they can be read: tables of the session are
 * unknown here, and errors are ignored.
 */
export function statementUses(registry: Registry, statement: Statement): readonly SymbolUse[] {
  const uses: SymbolUse[] = [];
  const scope: BindScope = {
    tables: [],
    cleared: true,
    lenientPayload: true,
    storeRegistry: () => registry,
    recordUse: (span, target) => uses.push({ span, target }),
  };
  for (const [kind, name] of blocksNamed(statement)) {
    const found = registryEnvironment(registry).find(kind, name.text);
    if (found.status === 'found') uses.push({ span: name.span, target: { kind, name: found.block.name } });
  }
  switch (statement.kind) {
    case 'Execute':
      bindExecute(registry, statement, scope);
      break;
    case 'QueryStatement':
      bindQuery(registry, statement.query, scope);
      break;
    case 'CreateTable':
      bindTable(registry, statement, scope);
      break;
    case 'InspectDecision':
      bindInspectDecision(registry, statement, scope);
      break;
    case 'InspectProjection':
      bindInspectProjection(registry, statement, scope);
      break;
    case 'InspectReaction':
      bindInspectReaction(registry, statement, scope);
      break;
    case 'SetCaller':
      if (statement.caller !== undefined) bindCaller(registry, statement.caller, scope);
      break;
    case 'Explain':
      if (statement.target.type === 'query') bindQuery(registry, statement.target.query, scope);
      else if (statement.target.type === 'access' && statement.target.caller !== undefined)
        bindCaller(registry, statement.target.caller, scope);
      break;
    default:
  }
  return uses;
}

/** The blocks that a statement names itself, not within a query. */
function blocksNamed(statement: Statement): readonly (readonly [kind: BlockKind, name: Name])[] {
  switch (statement.kind) {
    case 'Execute':
      return [['command', statement.command]];
    case 'InspectDecision':
      return [['decision', statement.decision], ...storeOf(statement)];
    case 'InspectProjection':
      return [['projection', statement.projection], ...storeOf(statement)];
    case 'InspectReaction':
      return [['reaction', statement.reaction], ...storeOf(statement)];
    case 'DropBlock':
      return [[statement.block, statement.name]];
    case 'Describe':
      return statement.what === undefined || statement.what === 'inspection' ? [] : [[statement.what, statement.name]];
    case 'Explain':
      return 'name' in statement.target ? [[statement.target.type, statement.target.name]] : [];
    default:
      return [];
  }
}

function storeOf({ store }: { readonly store?: Name }): readonly (readonly [kind: BlockKind, name: Name])[] {
  return store === undefined ? [] : [['eventstore', store]];
}
