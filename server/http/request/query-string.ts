import { Problem } from '../wire/problem.ts';

/** A parameter of a query string. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
  /** The value was sent with a `+`, which is a blank. */
  readonly plus: boolean;
}

/**
 * The parameters of a query string in order, decoded as forms are (`+` is a space). Unlike the platform's own parser it refuses undecodable
 * text instead of inserting replacement characters into data.
 */
export function parseQueryString(text: string): readonly QueryParameter[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const name = equals === -1 ? part : part.slice(0, equals);
      const value = equals === -1 ? '' : part.slice(equals + 1);
      return { name: decode(name), value: decode(value), plus: value.includes('+') };
    });
}

function decode(text: string): string {
  const decoded = decodeText(text.replaceAll('+', ' '));
  if (decoded === undefined)
    throw new Problem('H4003', 'the query string is not percent-encoded UTF-8 text without NUL');
  return decoded;
}

/** Percent-encoded UTF-8, or undefined if it is invalid or contains a NUL. */
export function decodeText(text: string): string | undefined {
  try {
    const decoded = text.includes('%') ? decodeURIComponent(text) : text;
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
