import type { Catalog } from '../../../language/catalog/catalog.ts';
import { metaRelations } from '../../../language/contract/meta-relations.ts';
import type { Token } from '../../syntax/tokens/token.ts';
import { Comma, Dot, keyword, QueryParen } from '../../syntax/tokens/vocabulary.ts';
import { isBehindRegistry } from '../scope.ts';
import type { Choice } from './choice.ts';
import { documented } from './names.ts';

/** The relations that may be named at a place; undefined where none is. */
export function relationChoices(
  tokens: readonly Token[],
  index: number,
  catalog: Catalog,
  isNamed: boolean,
): readonly Choice[] | undefined {
  if (isBehindRegistry(tokens, index) && (isNamed || namesRelation(tokens, index - 3))) return ofRegistry(catalog, '');
  if (!isNamed || tokens[index - 1]?.tokenType === Dot) return undefined;
  return [...commonTables(tokens), ...ofRegistry(catalog, 'Reg.')];
}

function namesRelation(tokens: readonly Token[], before: number): boolean {
  const type = tokens[before]?.tokenType;
  return type === keyword.FROM || type === keyword.JOIN || type === Comma || type === keyword.INTO;
}

function ofRegistry(catalog: Catalog, prefix: 'Reg.' | ''): readonly Choice[] {
  const relation = (name: string, detail: string, doc?: string): Choice => {
    const quoted = name.includes('$') ? `"${name}"` : name;
    return { label: prefix + quoted, kind: 'relation', insert: prefix + quoted, detail, ...documented(doc) };
  };
  const { aggregate, projection } = catalog.blocks;
  return [
    ...aggregate.flatMap(({ name }) => [
      relation(`${name}$Events`, 'one row for each event'),
      relation(`${name}$Agg`, 'one row for each stream, with its state'),
    ]),
    ...projection.map(({ name, docs }) => relation(name, 'projection', docs?.block)),
    ...metaRelations.map(({ name }) => relation(name, 'about the registry')),
  ];
}

function commonTables(tokens: readonly Token[]): readonly Choice[] {
  return tokens.flatMap((token, at): readonly Choice[] => {
    const isTable = tokens[at + 1]?.tokenType === keyword.AS && tokens[at + 2]?.tokenType === QueryParen;
    return isTable ? [{ label: token.image, kind: 'relation', insert: token.image, detail: 'of WITH' }] : [];
  });
}
