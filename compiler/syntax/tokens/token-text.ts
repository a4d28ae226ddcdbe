import type { Token } from './token.ts';
import { Word } from './vocabulary.ts';

/** True for keywords and names. */
export function isWord(token: Token): boolean {
  return token.tokenType.CATEGORIES?.includes(Word) ?? false;
}

/** At most 40 units of the first line of a text, for a message. */
export function shortened(text: string): string {
  const line = text.slice(0, 41).split('\n', 1)[0] ?? '';
  return line.length === text.length && line.length <= 40 ? line : `${line.slice(0, 40)}…`;
}

export function stringValue({ text, image }: Pick<Token, 'text' | 'image'>): string {
  return text ?? image.slice(1, -1).replaceAll("''", "'");
}

/** The digits of a number token. */
export function numberText({ image }: Pick<Token, 'image'>): string {
  return image.replaceAll('_', '');
}
