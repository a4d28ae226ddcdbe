import type { AggregateBlock } from '../language/catalog/block.ts';
import type { CompiledQuery } from '../language/contract/query.ts';
import { clauseParts } from './caller-claims.ts';
import { objectCode, type Code } from './code.ts';
import { dataCode } from './data.ts';
import { docsEntry } from './documented.ts';
import { typeIdentifier } from './identifiers.ts';
import { createImports } from './imports.ts';
import { stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import { constantPart, exported, type ModuleStructure } from './module.ts';
import { rowInterface } from './row-interface.ts';

export interface AggregateParts extends ModuleFacts {
  readonly all: CompiledQuery;
  readonly one: CompiledQuery;
}

/** An aggregate's module: the type of a row of its state, and the definition of its two relations. */
export function aggregateModule(block: AggregateBlock, parts: AggregateParts): ModuleStructure {
  const runtime = createImports();
  const columns = block.state.columns;
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ...docsEntry(block),
    ...Object.entries(clauseParts(block)).map(([clause, parts]) => [clause, dataCode(parts)] as const),
    ...(block.keyField === undefined ? [] : [['keyField', stringLiteral(block.keyField)] as const]),
    ['events', dataCode(block.events)],
    ['eventColumns', dataCode(block.eventColumns)],
    ['stateColumns', 'stateColumns'],
    ['all', queryCode(parts.all, 'stateColumns')],
    ['one', queryCode(parts.one, 'stateColumns')],
  ]);
  return {
    path: parts.path,
    head: parts.head,
    parts: [
      rowInterface(
        typeIdentifier(`${block.name}State`),
        columns,
        `A row of ${block.name}$Agg: the state of one stream.`,
        runtime,
        undefined,
        block.docs,
      ),
      constantPart('stateColumns', `readonly ${runtime.type('Column')}[]`, dataCode(columns)),
      exported(constantPart('aggregate', runtime.type('AggregateDefinition'), definition)),
    ],
    imports: runtime.parts(),
  };
}

/** A compiled query whose columns are a constant of the module. */
export function queryCode(query: CompiledQuery, columns: string): Code {
  return objectCode([
    ['parameters', dataCode(query.parameters)],
    ['columns', columns],
    ['reads', dataCode(query.reads)],
    ...(query.usesTime === true ? [['usesTime', 'true'] as const] : []),
    ...(query.draws === true ? [['draws', 'true'] as const] : []),
    ['sqlite', dataCode(query.sqlite)],
  ]);
}
