import type { Expression, Query, QueryBody } from '../../syntax/ast.ts';

/** The name of a result column without an alias, chosen as PostgreSQL chooses it. */
export function outputName(node: Expression): string {
  return nameOf(node) ?? fallbackName(node);
}

/** A name derived from the value; a CAST passes it on. */
function nameOf(node: Expression): string | undefined {
  switch (node.kind) {
    case 'ColumnReference':
      return node.path.at(-1)?.text;
    case 'FunctionCall':
      return node.name.text.toLowerCase();
    case 'Extract':
      return 'extract';
    case 'Cast':
      return nameOf(node.operand);
    case 'JsonGet':
      return node.operator === '->>' && node.key.kind === 'StringLiteral' ? node.key.value : undefined;
    case 'Case':
      return node.otherwise === undefined ? undefined : nameOf(node.otherwise);
    case 'ScalarSubquery':
      return firstName(node.query);
    case 'Exists':
      return 'exists';
    default:
      return undefined;
  }
}

function fallbackName(node: Expression): string {
  if (node.kind === 'Cast') return node.type.name.toLowerCase();
  if (node.kind === 'Case') return 'case';
  return '?column?';
}

function firstName(query: Query): string | undefined {
  let body: QueryBody = query.body;
  while (body.kind === 'SetOperation' || body.kind === 'Query') body = body.kind === 'Query' ? body.body : body.left;
  if (body.kind === 'Values') return 'column1';
  const [first] = body.items;
  if (first === undefined || first.kind === 'SelectStar') return undefined;
  return first.alias?.text ?? outputName(first.expression);
}
