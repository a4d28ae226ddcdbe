/** Pieces of printed TypeScript: fixed literals, calls, and facts about a printed expression. */
import type { PrintedArgument } from './entry.ts';

/** A text literal, safe inside any script. For fixed texts and names; text of users goes through templates/literal.ts. */
export function quoteTypescript(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[^ -~]|[`$<*]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return `'${escaped}'`;
}

/** `sql.name(a, b)`; trailing undefined arguments are left out. */
export function sqlCall(name: string, ...given: readonly (string | undefined)[]): string {
  return `sql.${name}(${given.filter((argument) => argument !== undefined).join(', ')})`;
}

export function isNumberLiteral(text: string): boolean {
  return /^\(?-?\d[\w.]*\)?$/.test(text);
}
/** A literal, or an expression whose type may be one, such as a conditional of literals. */
export function mayBeLiteral(argument: PrintedArgument): boolean {
  return !argument.simple || isNumberLiteral(argument.text) || /^(?:'|true$|false$|null$)/.test(argument.text);
}

/** `x` scaled up by a power of ten; bigint literals are multiplied here. Not for nullable arguments. */
export function timesPowerOfTenTs(text: string, digits: number): string {
  if (digits === 0) return text;
  const literal = /^\(?(-?\d+)n\)?$/.exec(text);
  if (literal?.[1] === undefined) return `(${text} * ${10n ** BigInt(digits)}n)`;
  return bigintLiteral(BigInt(literal[1]) * 10n ** BigInt(digits));
}
export function bigintLiteral(value: bigint): string {
  return value < 0n ? `(${value}n)` : `${value}n`;
}

const equalityWithLiteral = /([A-Za-z_$][\w$.]*(?:\['(?:[^'\\]|\\.)*'\])?) ([!=])== (?:'|\(?-?\d)/g;

/**
 * Whether TypeScript would refuse `left && right` (or `left || right`) because both compare one reference with literals: the left side
 * narrows the reference, so that the right side looks pointless (`a === 1 && a === 2`), though the schema may contain it.
 */
export function narrowsForRight(connective: 'and' | 'or', left: string, right: string): boolean {
  const narrowing = connective === 'and' ? '=' : '!';
  const negated = left.includes('!(') || left.includes('(!');
  const narrowed = Array.from(left.matchAll(equalityWithLiteral))
    .filter(([, , operator]) => negated || operator === narrowing)
    .map(([, reference]) => reference);
  return Array.from(right.matchAll(equalityWithLiteral)).some(([, reference]) => narrowed.includes(reference));
}
