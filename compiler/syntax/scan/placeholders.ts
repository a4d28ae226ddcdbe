import type { TokenPart } from '../tokens/token.ts';

/** `{{Parameter}}` as the text of a regular expression, without groups. */
export const placeholderSource = String.raw`\{\{\s*[A-Za-z_][A-Za-z0-9_]*\s*\}\}`;

/** Finds each `{{Parameter}}`. */
export const placeholders = new RegExp(placeholderSource, 'g');

/** The name in a whole `{{Parameter}}`. */
export function parameterIn(placeholder: string): string {
  return placeholder.slice(2, -2).trim();
}

/** The text cut at its `{{Parameter}}`s, in order; `undefined` when it has none. */
export function splitAtPlaceholders(text: string): readonly TokenPart[] | undefined {
  if (!text.includes('{{')) return undefined;
  const parts: TokenPart[] = [];
  let at = 0;
  for (const match of text.matchAll(placeholders)) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index) });
    parts.push({ parameter: parameterIn(match[0]) });
    at = match.index + match[0].length;
  }
  if (parts.length === 0) return undefined;
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}
