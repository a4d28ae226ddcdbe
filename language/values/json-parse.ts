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
  /** Bytes of a single string, in UTF-8. */
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
    return { value: new Reading(text, limits).whole() };
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

/** A text that is being read: a class, because a dozen closures for each text take as much memory as its values. */
class Reading {
  private readonly text: string;
  private readonly limits: JsonLimits;
  private at = 0;
  private nodes = 0;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  whole(): JsonValue {
    const out = this.value(0);
    this.space();
    if (this.at < this.text.length) this.refuse('nothing may follow the value');
    return out;
  }

  private refuse(problem: string, offset = this.at): never {
    throw new Problem(problem, offset);
  }
  private refuseLength(start: number): never {
    this.refuse(`a string longer than ${this.limits.stringBytes} bytes`, start);
  }
  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }
  private value(depth: number): JsonValue {
    if (++this.nodes > this.limits.nodes) this.refuse(`more than ${this.limits.nodes} values`);
    this.space();
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth + 1);
      case '[':
        return this.array(depth + 1);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }
  private word<T extends JsonValue>(spelled: string, meant: T): T {
    if (!this.text.startsWith(spelled, this.at)) this.refuse('this is no JSON value');
    this.at += spelled.length;
    return meant;
  }
  private number(): ExactNumber {
    numberSyntax.lastIndex = this.at;
    const match = numberSyntax.exec(this.text);
    if (match === null) this.refuse(this.at >= this.text.length ? 'the text ends too early' : 'this is no JSON value');
    this.at += match[0].length;
    if (/[\d.eE+-]/.test(this.text[this.at] ?? '')) this.refuse('this is no JSON number');
    return new ExactNumber(match[0]);
  }
  private string(): string {
    const start = this.at;
    // Most texts have nothing to look at twice: a loop over their units takes a fraction of the time of a pattern.
    let end = this.at + 1;
    for (; ; end++) {
      const unit = this.text.charCodeAt(end);
      if (unit === 0x22) break;
      if (!(unit >= 0x20 && unit !== 0x5c && (unit < 0xd800 || unit > 0xdfff))) return this.unusual();
    }
    const plain = this.text.slice(start + 1, end);
    this.at = end + 1;
    if (plain.length * 3 > this.limits.stringBytes && Buffer.byteLength(plain) > this.limits.stringBytes)
      this.refuseLength(start);
    return plain;
  }
  /** With escapes or surrogates, or with something that is not allowed. */
  private unusual(): string {
    const start = this.at++;
    let out = '';
    for (;;) {
      plainText.lastIndex = this.at;
      out += plainText.exec(this.text)?.[0] ?? '';
      this.at = plainText.lastIndex;
      if (out.length > this.limits.stringBytes) this.refuseLength(start);
      const unit = this.text[this.at++];
      if (unit === '"') break;
      if (unit === '\\') out += this.escape();
      else
        this.refuse(
          unit === undefined ? 'a string that is not closed' : 'a control character in a string',
          this.at - 1,
        );
    }
    // A unit of UTF-16 takes three bytes at most.
    if (out.length * 3 > this.limits.stringBytes && Buffer.byteLength(out) > this.limits.stringBytes)
      this.refuseLength(start);
    if (unpaired.test(out)) this.refuse('a lone surrogate in a string', start);
    return out;
  }
  private escape(): string {
    const letter = this.text[this.at++] ?? '';
    if (letter !== 'u')
      return (
        (Object.hasOwn(escapes, letter) ? escapes[letter] : undefined) ?? this.refuse('an unknown escape', this.at - 1)
      );
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.refuse('\\u without four hexadecimal digits');
    if (digits === '0000') this.refuse('a NUL character in a string');
    this.at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }
  private array(depth: number): readonly JsonValue[] {
    if (depth > this.limits.depth) this.refuse(`nested deeper than ${this.limits.depth} levels`);
    this.at++;
    const items: JsonValue[] = [];
    this.space();
    if (this.text[this.at] === ']') {
      this.at++;
      return items;
    }
    for (;;) {
      items.push(this.value(depth));
      this.space();
      const next = this.text[this.at++];
      if (next === ']') return items;
      if (next !== ',') this.refuse("',' or ']' must follow", this.at - 1);
    }
  }
  private object(depth: number): JsonObject {
    if (depth > this.limits.depth) this.refuse(`nested deeper than ${this.limits.depth} levels`);
    this.at++;
    const members = new Map<string, JsonValue>();
    this.space();
    if (this.text[this.at] === '}') {
      this.at++;
      return members;
    }
    for (;;) {
      this.space();
      const start = this.at;
      if (this.text[this.at] !== '"') this.refuse('a key in double quotes must follow');
      const key = this.string();
      if (members.has(key)) this.refuse('a repeated key in one object', start);
      if (members.size >= this.limits.keysPerObject)
        this.refuse(`more than ${this.limits.keysPerObject} keys in one object`, start);
      this.space();
      if (this.text[this.at++] !== ':') this.refuse("':' must follow", this.at - 1);
      members.set(key, this.value(depth));
      this.space();
      const next = this.text[this.at++];
      if (next === '}') return members;
      if (next !== ',') this.refuse("',' or '}' must follow", this.at - 1);
    }
  }
}

/** JSON with exact numbers. Throws with a sentence if the text is not JSON. */
export function readExactJson(text: string): JsonValue {
  const parsed = parseJson(text, { depth: 200, keysPerObject: 100_000, nodes: 10_000_000, stringBytes: 100_000_000 });
  if (parsed.problem !== undefined)
    throw new SyntaxError(`not JSON at character ${parsed.offset + 1}: ${parsed.problem}`);
  return parsed.value;
}
