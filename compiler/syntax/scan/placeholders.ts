import type { TokenPart } from '../tokens/token.ts';

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The text cut at its `{{Parameter}}`s, in order; `undefined` when it has none. */
export function splitAtPlaceholders(text: string): readonly TokenPart[] | undefined {
  if (!text.includes('{{')) return undefined;
  const parts: TokenPart[] = [];
  let at = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index) });
    parts.push({ parameter: match[1] ?? '' });
    at = match.index + match[0].length;
  }
  if (parts.length === 0) return undefined;
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}
