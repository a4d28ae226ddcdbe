import type { SubscriptionBlock } from '../language/catalog/block.ts';
import type { CompiledQuery } from '../language/contract/query.ts';
import { queryCode } from './aggregate.ts';
import { objectCode } from './code.ts';
import { dataCode } from './data.ts';
import { docsEntry } from './documented.ts';
import { typeIdentifier } from './identifiers.ts';
import { createImports } from './imports.ts';
import { stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import { constantPart, exported, type ModuleStructure } from './module.ts';
import { rowInterface } from './row-interface.ts';

/** A subscription's module: the type of its rows, where it begins, how it is delivered, its query, and the number of rows. */
export function subscriptionModule(
  block: SubscriptionBlock,
  parts: ModuleFacts & { readonly query: CompiledQuery; readonly count: CompiledQuery },
): ModuleStructure {
  const runtime = createImports();
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ...docsEntry(block),
    ['columns', 'columns'],
    ['aggregates', dataCode(block.aggregates)],
    ['start', dataCode(block.start)],
    ['options', dataCode(block.options)],
    ...(block.delivery === undefined ? [] : [['webhook', dataCode(block.delivery)] as const]),
    ['query', queryCode(parts.query, 'delivered')],
    ['count', queryCode(parts.count, 'counted')],
  ]);
  return {
    path: parts.path,
    head: parts.head,
    parts: [
      rowInterface(
        typeIdentifier(`${block.name}Row`),
        block.columns,
        `A row of subscription ${block.name}.`,
        runtime,
        undefined,
        block.docs,
      ),
      constantPart('columns', `readonly ${runtime.type('Column')}[]`, dataCode(block.columns)),
      constantPart('delivered', `readonly ${runtime.type('Column')}[]`, dataCode(parts.query.columns)),
      constantPart('counted', `readonly ${runtime.type('Column')}[]`, dataCode(parts.count.columns)),
      exported(constantPart('subscription', runtime.type('SubscriptionDefinition'), definition)),
    ],
    imports: runtime.parts(),
  };
}
