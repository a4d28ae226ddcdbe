import { printType } from '../../compiler/syntax/print.ts';
import type { TypeName } from '../../compiler/syntax/ast.ts';

/**
 * A tree without what printing does not keep: places, whether a name was quoted, which of its names a type was called by, and
 * the range of a template's body (its text is kept).
 */
export function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise);
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Readonly<Record<string, unknown>>;
  if (node['kind'] === 'TypeName') return { type: printType(node as unknown as TypeName) };
  if (node['file'] !== undefined) {
    const body = node as unknown as { file: { text: string }; start: number; end: number };
    return body.file.text.slice(body.start, body.end).trim();
  }
  const kept = Object.entries(node).filter(([key]) => key !== 'span' && key !== 'quoted' && key !== 'stamp');
  return Object.fromEntries(kept.map(([key, item]) => [key, normalise(item)]));
}
