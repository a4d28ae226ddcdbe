import { findBlock } from '../../../language/catalog/catalog.ts';
import { isInspect, type Statement } from '../../syntax/ast.ts';
import { findAll } from '../../syntax/walk.ts';
import { isRegistrySchema } from '../name/name-rules.ts';
import type { Registry } from '../environment/registry.ts';

/**
 * The event stores that a statement reads (docs/language.md#inspections): those before the dot of a relation, and the one of USING
 * EVENTSTORE. The binder reports names without such a block.
 */
export function storesNamed(
  registry: Registry,
  statement: Statement,
): { readonly using: string | undefined; readonly all: readonly string[] } {
  const known = (name: string): string | undefined => {
    const folded = registry.catalog.blocks.eventstore.filter(
      (block) => block.name.toLowerCase() === name.toLowerCase(),
    );
    return findBlock(registry.catalog, 'eventstore', name)?.name ?? (folded.length === 1 ? folded[0]?.name : undefined);
  };
  const relations = [...findAll(statement, 'NamedRelation'), ...findAll(statement, 'RelationName')];
  const before = relations.flatMap(({ schema }) =>
    schema === undefined || isRegistrySchema(schema.text) ? [] : [known(schema.text)],
  );
  const using = isInspect(statement) && statement.store !== undefined ? known(statement.store.text) : undefined;
  const all = [using, ...before].filter((name) => name !== undefined);
  return { using, all: [...new Set(all)] };
}
