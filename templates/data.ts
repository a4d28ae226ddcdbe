import { arrayCode, joinedCode, objectCode, type Code } from './code.ts';
import { propertyKey, quotedText } from './literal.ts';

const itemCodes = new WeakMap<object, Code>();

/**
 * A literal that evaluates to equal data: plain objects, lists, texts, numbers, booleans, null. Undefined properties
 * are omitted. The code of an object in a list is remembered, since objects are never modified.
 */
export function dataCode(data: unknown): Code {
  if (typeof data === 'string') return textCode(data);
  if (data === null || typeof data === 'number' || typeof data === 'boolean') return String(data);
  if (Array.isArray(data)) return arrayCode(data.map(itemCode));
  if (typeof data !== 'object') throw new Error(`a ${typeof data} is no plain data`);
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return objectCode(entries.map(([key, value]) => [propertyKey(key), dataCode(value)]));
}

function itemCode(item: unknown): Code {
  if (typeof item !== 'object' || item === null) return dataCode(item);
  const code = itemCodes.get(item) ?? dataCode(item);
  itemCodes.set(item, code);
  return code;
}

const PIECE = 96;
const SUMMANDS = 40;

/** A string literal, in pieces joined by `+` when it is long: a piece ends after a line end or a space. */
export function textCode(text: string): Code {
  const literal = quotedText(text);
  if (literal.length <= PIECE) return literal;
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = pieceEnd(text, from);
    pieces.push(quotedText(text.slice(from, to)));
    from = to;
  }
  // A sum of very many pieces would be too deep for a parser.
  return pieces.length <= SUMMANDS ? joinedCode('+', pieces) : [arrayCode(pieces), ".join('')"];
}

function pieceEnd(text: string, from: number): number {
  const limit = Math.min(from + PIECE, text.length);
  const line = text.indexOf('\n', from);
  if (line >= from && line < limit) return line + 1;
  if (limit === text.length) return limit;
  const space = text.lastIndexOf(' ', limit - 1);
  if (space > from) return space + 1;
  return isHighSurrogate(text.charCodeAt(limit - 1)) && limit > from + 1 ? limit - 1 : limit;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
