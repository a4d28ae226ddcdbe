/**
 * Strict JSON text to JsonValue, numbers kept exactly as written. Refuses input that RFC 8259 leaves open: duplicate keys, NUL, lone
 * surrogates. Never throws and never recurses deeper than `limits.depth`.
 */
import { ExactNumber, type JsonObject, type JsonValue } from './json.ts';

export interface JsonLimits {
  /** Maximum nesting of arrays and objects. */
  readonly depth: number;
  readonly keysPerObject: number;
  /** Maximum number of values, keys not counted. */
  readonly nodes: number;
  /** Of one string, in UTF-8. */
  readonly stringBytes: number;
}

export const defaultJsonLimits: JsonLimits = { depth: 32, keysPerObject: 256, nodes: 10_000, stringBytes: 1_048_576 };

/** For JSON text inside values, whose length is bounded on input. */
export const storedJsonLimits: JsonLimits = {
  depth: 200,
  keysPerObject: Infinity,
  nodes: Infinity,
  stringBytes: Infinity,
};

export type ParsedJson =
  | { readonly value: JsonValue; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string; readonly offset: number };

/** Thrown inside this file only. */
class Problem extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export function parseJson(text: string, limits: JsonLimits = defaultJsonLimits): ParsedJson {
  try {
    return { value: read(text, limits) };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message, offset: error.offset };
    throw error;
  }
}

const numberSyntax = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const plainText = /[^"\\\0-\x1f]*/y;
const unpaired = /[\ud800-\udfff]/u;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function read(text: string, limits: JsonLimits): JsonValue {
  let at = 0;
  let nodes = 0;

  function refuse(problem: string, offset = at): never {
    throw new Problem(problem, offset);
  }
  function refuseLength(start: number): never {
    refuse(`a string longer than ${limits.stringBytes} bytes`, start);
  }
  function space(): void {
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      at++;
    }
  }
  function value(depth: number): JsonValue {
    if (++nodes > limits.nodes) refuse(`more than ${limits.nodes} values`);
    space();
    switch (text[at]) {
      case '{':
        return object(depth + 1);
      case '[':
        return array(depth + 1);
      case '"':
        return string();
      case 't':
        return word('true', true);
      case 'f':
        return word('false', false);
      case 'n':
        return word('null', null);
      default:
        return number();
    }
  }
  function word<T extends JsonValue>(spelled: string, meant: T): T {
    if (!text.startsWith(spelled, at)) refuse('this is no JSON value');
    at += spelled.length;
    return meant;
  }
  function number(): ExactNumber {
    numberSyntax.lastIndex = at;
    const match = numberSyntax.exec(text);
    if (match === null) refuse(at >= text.length ? 'the text ends too early' : 'this is no JSON value');
    at += match[0].length;
    if (/[\d.eE+-]/.test(text[at] ?? '')) refuse('this is no JSON number');
    return new ExactNumber(match[0]);
  }
  function string(): string {
    const start = at;
    // Most texts have nothing to look at twice: a loop over their units takes a fraction of the time of a pattern.
    let end = at + 1;
    for (; ; end++) {
      const unit = text.charCodeAt(end);
      if (unit === 0x22) break;
      if (!(unit >= 0x20 && unit !== 0x5c && (unit < 0xd800 || unit > 0xdfff))) return unusual();
    }
    const plain = text.slice(start + 1, end);
    at = end + 1;
    if (plain.length * 3 > limits.stringBytes && Buffer.byteLength(plain) > limits.stringBytes) refuseLength(start);
    return plain;
  }
  /** With escapes or surrogates, or with something that is not allowed. */
  function unusual(): string {
    const start = at++;
    let out = '';
    for (;;) {
      plainText.lastIndex = at;
      out += plainText.exec(text)?.[0] ?? '';
      at = plainText.lastIndex;
      if (out.length > limits.stringBytes) refuseLength(start);
      const unit = text[at++];
      if (unit === '"') break;
      if (unit === '\\') out += escape();
      else refuse(unit === undefined ? 'a string that is not closed' : 'a control character in a string', at - 1);
    }
    // A unit of UTF-16 takes three bytes at most.
    if (out.length * 3 > limits.stringBytes && Buffer.byteLength(out) > limits.stringBytes) refuseLength(start);
    if (unpaired.test(out)) refuse('a lone surrogate in a string', start);
    return out;
  }
  function escape(): string {
    const letter = text[at++] ?? '';
    if (letter !== 'u')
      return (Object.hasOwn(escapes, letter) ? escapes[letter] : undefined) ?? refuse('an unknown escape', at - 1);
    const digits = text.slice(at, at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) refuse('\\u without four hexadecimal digits');
    if (digits === '0000') refuse('a NUL character in a string');
    at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }
  function array(depth: number): readonly JsonValue[] {
    if (depth > limits.depth) refuse(`nested deeper than ${limits.depth} levels`);
    at++;
    const items: JsonValue[] = [];
    space();
    if (text[at] === ']') {
      at++;
      return items;
    }
    for (;;) {
      items.push(value(depth));
      space();
      const next = text[at++];
      if (next === ']') return items;
      if (next !== ',') refuse("',' or ']' must follow", at - 1);
    }
  }
  function object(depth: number): JsonObject {
    if (depth > limits.depth) refuse(`nested deeper than ${limits.depth} levels`);
    at++;
    const members = new Map<string, JsonValue>();
    space();
    if (text[at] === '}') {
      at++;
      return members;
    }
    for (;;) {
      space();
      const start = at;
      if (text[at] !== '"') refuse('a key in double quotes must follow');
      const key = string();
      if (members.has(key)) refuse('a repeated key in one object', start);
      if (members.size >= limits.keysPerObject) refuse(`more than ${limits.keysPerObject} keys in one object`, start);
      space();
      if (text[at++] !== ':') refuse("':' must follow", at - 1);
      members.set(key, value(depth));
      space();
      const next = text[at++];
      if (next === '}') return members;
      if (next !== ',') refuse("',' or '}' must follow", at - 1);
    }
  }

  const out = value(0);
  space();
  if (at < text.length) refuse('nothing may follow the value');
  return out;
}
