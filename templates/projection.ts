import type { ProjectionBlock } from '../language/catalog/block.ts';
import type { CompiledQuery } from '../language/contract/query.ts';
import { queryCode } from './aggregate.ts';
import { clauseParts } from './caller-claims.ts';
import { objectCode } from './code.ts';
import { dataCode } from './data.ts';
import { docsEntry } from './documented.ts';
import { typeIdentifier } from './identifiers.ts';
import { createImports } from './imports.ts';
import { stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import { constantPart, exported, type ModuleStructure } from './module.ts';
import { rowInterface } from './row-interface.ts';

/** A projection's module: the type of its rows, and its query. */
export function projectionModule(
  block: ProjectionBlock,
  parts: ModuleFacts & { readonly query: CompiledQuery },
): ModuleStructure {
  const runtime = createImports();
  const columns = block.query.columns;
  const shown = columns.filter((column) => column.hidden !== true);
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ...docsEntry(block),
    ...Object.entries(clauseParts(block)).map(([clause, parts]) => [clause, dataCode(parts)] as const),
    ['columns', 'columns'],
    ['aggregates', dataCode(block.aggregates)],
    ['query', queryCode(parts.query, 'columns')],
  ]);
  return {
    path: parts.path,
    head: parts.head,
    parts: [
      rowInterface(
        typeIdentifier(`${block.name}Row`),
        shown,
        `A row of projection ${block.name}.`,
        runtime,
        undefined,
        block.docs,
      ),
      constantPart('columns', `readonly ${runtime.type('Column')}[]`, dataCode(columns)),
      exported(constantPart('projection', runtime.type('ProjectionDefinition'), definition)),
    ],
    imports: runtime.parts(),
  };
}
