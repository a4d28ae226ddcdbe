import { Problem } from '../answers/problem.ts';

/**
 * The parameters of a query string in order, decoded as forms are (`+` is a space). Unlike the platform's own parser it refuses undecodable
 * text instead of inserting replacement characters into data.
 */
export function parseQueryString(text: string): readonly (readonly [name: string, value: string])[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const name = equals === -1 ? part : part.slice(0, equals);
      return [decode(name), equals === -1 ? '' : decode(part.slice(equals + 1))] as const;
    });
}

function decode(text: string): string {
  const decoded = decodeText(text.replaceAll('+', ' '));
  if (decoded === undefined) throw new Problem(400, 'the query string is not percent-encoded UTF-8 text without NUL');
  return decoded;
}

/** Percent-encoded UTF-8, or undefined if it is invalid or contains a NUL. */
export function decodeText(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
