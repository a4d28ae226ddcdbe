import type { ClaimBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { typeName, type Type } from '../../../language/values/type.ts';
import { isSoundText } from '../../../language/values/text.ts';
import type { CreateClaim } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { resolveType } from '../type/resolve-type.ts';

const claimTypes: ReadonlySet<Type['kind']> = new Set([
  ...(['STRING', 'UUID', 'INT', 'BIGINT', 'DECIMAL', 'BOOLEAN', 'DATE', 'TIMESTAMP'] as const),
]);

/** CLAIM (docs/callers.md#claims): the place of a member of the caller's token, and its type. */
export function checkClaim(tree: CreateClaim, context: BlockContext): ClaimBlock | undefined {
  const { report, text } = context;
  const name = tree.name.text;
  const { isList = false, ...written } = tree.type;
  const type = resolveType(written, context, tree.name);
  for (const { value, span } of tree.path)
    if (value === '' || !isSoundText(value)) report(diagnose('E0715', span, { name }));
  if (type === undefined) return undefined;
  if (!(isList ? isPlainText(type) : claimTypes.has(type.kind))) {
    report(diagnose('E0713', tree.type.span, { type: `${typeName(type)}${isList ? '[]' : ''}` }));
    return undefined;
  }
  return {
    kind: 'claim',
    name,
    text,
    references: context.references(),
    type: isList ? { kind: 'LIST', of: type } : type,
    sensitive: tree.sensitive,
    path: tree.path.length === 0 ? [name] : tree.path.map(({ value }) => value),
  };
}

function isPlainText(type: Type): boolean {
  return type.kind === 'STRING' && type.length === undefined && type.enum === undefined;
}
