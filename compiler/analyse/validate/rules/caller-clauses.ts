/** Clauses about callers that are missing, or have no effect (docs/callers.md). */
import type { AggregateBlock, CallerCondition, ProjectionBlock } from '../../../../language/catalog/block.ts';
import type { Catalog } from '../../../../language/catalog/catalog.ts';
import { hasMarkedLeaf } from '../../sensitive/mark.ts';
import { alwaysHolds, neverHolds } from '../constant-condition.ts';
import { finding, type Finding, type Rule } from '../finding.ts';

/** Where some commands say who may send them, the others are open to all callers with their right. */
export const commandsWithoutAllow: Rule = ({ blocks }) => {
  const open = blocks.command.filter(({ allow }) => allow === undefined);
  if (open.length === blocks.command.length) return [];
  return open.map(({ name }) => finding('E1013', `command ${name}`, { command: name }));
};

/** Conditions with the same outcome for all callers. `ALLOW WHERE FALSE` says that only reactions send a command. */
export const constantClauses: Rule = (catalog) => [
  ...catalog.blocks.command.flatMap(({ name, allow }) =>
    allow?.text === 'FALSE' ? [] : constant(`command ${name}`, 'ALLOW', allow),
  ),
  ...relationsOf(catalog).flatMap(({ kind, name, visible, clear }) => [
    ...(visible === 'all' ? [] : constant(`${kind} ${name}`, 'VISIBLE', visible)),
    ...constant(`${kind} ${name}`, 'CLEAR', clear),
  ]),
];

function constant(block: string, clause: string, condition: CallerCondition | undefined): readonly Finding[] {
  if (condition === undefined) return [];
  if (neverHolds(condition.condition)) return [finding('E1014', block, { block, clause, outcome: 'never true' })];
  return alwaysHolds(condition.condition) ? [finding('E1014', block, { block, clause, outcome: 'always true' })] : [];
}

/** CLEAR of relations that have nothing to show in the clear. */
export const clearWithoutSecrets: Rule = (catalog) =>
  relationsOf(catalog)
    .filter((block) => block.clear !== undefined && !hasSecrets(block))
    .map(({ kind, name }) => finding('E1015', `${kind} ${name}`, { block: `${kind} ${name}` }));

function hasSecrets(block: AggregateBlock | ProjectionBlock): boolean {
  const columns = block.kind === 'aggregate' ? [...block.state.columns, ...block.payload] : block.query.columns;
  return columns.some(({ sensitive, type }) => sensitive || hasMarkedLeaf(type));
}

function relationsOf({ blocks }: Catalog): readonly (AggregateBlock | ProjectionBlock)[] {
  return [...blocks.aggregate, ...blocks.projection];
}
