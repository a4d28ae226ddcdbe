import { printType } from '../../compiler/syntax/print.ts';
import type { Node, TypeName } from '../../compiler/syntax/ast.ts';

/**
 * A tree as a line to compare: `(Binary + a 1)`. Names and literals stand for themselves, `false` and empty lists are left out,
 * keys are named where a reader could not tell which child it is.
 */
export function showTree(node: Node): string {
  return show(node);
}

/** Keys whose values need no name: they are what the kind is about. */
const unnamed = new Set([
  ...[
    'left',
    'right',
    'operator',
    'operand',
    'path',
    'name',
    'value',
    'text',
    'type',
    'arguments',
    'query',
    'body',
    'items',
  ],
  ...[
    'expression',
    'event',
    'assignments',
    'field',
    'fields',
    'branches',
    'emits',
    'list',
    'when',
    'then',
    'rows',
    'values',
  ],
  ...[
    'options',
    'command',
    'aggregate',
    'test',
    'key',
    'pattern',
    'low',
    'high',
    'source',
    'target',
    'parameters',
    'template',
  ],
]);

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const node = value as Readonly<Record<string, unknown>>;
  switch (node['kind']) {
    case 'Name':
      return node['quoted'] === true ? `"${String(node['text'])}"` : String(node['text']);
    case 'TypeName':
      return printType(node as unknown as TypeName);
    case 'StringLiteral':
      return `'${String(node['value'])}'`;
    case 'NumberLiteral':
      return String(node['text']);
    case 'BooleanLiteral':
      return String(node['value']).toUpperCase();
    case 'NullLiteral':
      return 'NULL';
    case 'BindParameter':
      return `:${show(node['name'])}`;
    case 'ColumnReference':
      return (node['path'] as readonly unknown[]).map(show).join('.');
  }
  const parts = Object.entries(node).flatMap(([key, item]) => showPart(key, item));
  const kind = node['kind'];
  return typeof kind === 'string' ? `(${[kind, ...parts].join(' ')})` : `{${parts.join(' ')}}`;
}

function showPart(key: string, value: unknown): readonly string[] {
  if (key === 'span' || key === 'kind' || value === false || (Array.isArray(value) && value.length === 0)) return [];
  if (value === true) return [key];
  if (key === 'file') return [];
  return [unnamed.has(key) ? show(value) : `${key}=${show(value)}`];
}
