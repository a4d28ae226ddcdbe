/**
 * Unicode's simple case mapping: one code point becomes one, whatever surrounds it, so 'ß' stays 'ß' (docs/language.md#text-1). JavaScript
 * has only the full mapping; where that gives several code points, the simple mapping is the character itself except for the exceptions
 * below.
 */

const ascii = /^[\0-\x7f]*$/;

export function upper(text: string): string {
  return ascii.test(text) ? text.toUpperCase() : mapped(text, upperCharacter);
}
export function lower(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : mapped(text, lowerCharacter);
}

/** Each word's first letter or digit in upper case, its others in lower case. */
export function initcap(text: string): string {
  let inside = false;
  return mapped(text, (character) => {
    const first = !inside;
    inside = wordCharacter.test(character);
    return first ? upperCharacter(character) : lowerCharacter(character);
  });
}

const wordCharacter = /[\p{L}\p{N}]/u;

/** Greek letters with iota subscript: their simple upper case is the title-case letter, eight code points on. */
const upperEights: readonly (readonly [number, number])[] = [
  [0x1f80, 0x1f87],
  [0x1f90, 0x1f97],
  [0x1fa0, 0x1fa7],
];
const upperNines = 'ᾳῃῳ';

function upperCharacter(character: string): string {
  const full = character.toUpperCase();
  if (isOne(full)) return full;
  const code = character.codePointAt(0) ?? 0;
  if (upperEights.some(([from, to]) => code >= from && code <= to)) return String.fromCodePoint(code + 8);
  return upperNines.includes(character) ? String.fromCodePoint(code + 9) : character;
}

function lowerCharacter(character: string): string {
  const full = character.toLowerCase();
  if (isOne(full)) return full;
  return character === 'İ' ? 'i' : character;
}

function isOne(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

function mapped(text: string, map: (character: string) => string): string {
  let out = '';
  for (const character of text) out += map(character);
  return out;
}
