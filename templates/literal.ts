/**
 * The one place where text written by a person becomes part of generated source: as a string literal, a property key or
 * a comment. No text can end the literal, key or comment that contains it.
 */

/** Invisible, direction-changing and line-ending characters, and lone surrogates: never written unescaped. */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}\ud800-\udfff]/gu;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function unicodeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Nothing to escape, in any quotes. */
function isHarmless(text: string): boolean {
  return /^[A-Za-z0-9 _.,:;()[\]{}=+?%|&^~#@!>-]*$/.test(text) && !text.includes('ource');
}

/** A string literal, valid and equal in TypeScript and JavaScript, harmless in HTML and in a template literal. */
export function stringLiteral(text: string, quote: "'" | '"' = "'"): string {
  if (isHarmless(text)) return `${quote}${text}${quote}`;
  const escaped = text
    .replace(quote === "'" ? /[\\'`]/g : /[\\"`]/g, '\\$&')
    .replace(/\$\{/g, '$\\{')
    .replace(/\*\//g, '*\\/')
    .replace(/<(?=[/!])/g, '\\x3c')
    .replace(/source(?=(Mapping)?URL)/gi, (word) => `\\x${word.charCodeAt(0).toString(16)}${word.slice(1)}`)
    .replace(hidden, (character) => short.get(character) ?? unicodeEscape(character));
  return `${quote}${escaped}${quote}`;
}

/** A literal in the quotes that need fewer escapes. */
export function quotedText(text: string): string {
  return stringLiteral(text, text.includes("'") && text.split("'").length > text.split('"').length ? '"' : "'");
}

const safeName = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * A key in an object literal: `name`, `'two words'`, `['__proto__']` (as a plain key that one would set the prototype).
 */
export function propertyKey(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return safeName.test(name) ? name : stringLiteral(name);
}

/** A key in an interface. */
export function memberKey(name: string): string {
  return safeName.test(name) ? name : stringLiteral(name);
}

/** `command.km`, `state['two words']`. */
export function propertyAccess(object: string, name: string): string {
  return safeName.test(name) && name !== '__proto__' ? `${object}.${name}` : `${object}[${stringLiteral(name)}]`;
}

/**
 * Lines for inside a comment: nothing in them can end it, start a directive or be invisible; long ones are broken
 * between words.
 */
export function commentLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) =>
    wrapped(
      line
        .replace(/\*\//g, '*\\/')
        .replace(/([#@])(?=\s*source)/gi, '$1\\')
        .replace(/@(?=ts-|jsx)/gi, '@\\')
        .replace(hidden, (character) => (character === '\t' ? ' ' : unicodeEscape(character)))
        .trimEnd(),
    ),
  );
}

const COMMENT_COLUMNS = 110;

function wrapped(line: string): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > COMMENT_COLUMNS) {
    const space = rest.lastIndexOf(' ', COMMENT_COLUMNS);
    const end = space > 0 ? space : COMMENT_COLUMNS;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
