import type { Name, TypeName } from '../ast.ts';
import { isReservedWord } from '../../../language/source/reserved-words.ts';
import { keywordType } from '../tokens/vocabulary.ts';

const plainWord = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A name in a place that accepts any word: fields, and names after a dot. */
export function printWord(text: string): string {
  return plainWord.test(text) ? text : quoteName(text);
}

/** A name in a place where reserved words must be quoted. */
export function printName({ text }: Pick<Name, 'text'>): string {
  return isReservedWord(text) ? quoteName(text) : printWord(text);
}

/** A name in a place that some keyword may take, as that of a window among its clauses: no keyword at all. */
export function printNameAmongWords({ text }: Pick<Name, 'text'>): string {
  return keywordType(text) === undefined ? printName({ text }) : quoteName(text);
}

export function quoteName(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The names of types that have several (docs/language.md#types). */
const canonicalTypes: ReadonlyMap<string, string> = new Map([
  ['TEXT', 'STRING'],
  ['INTEGER', 'INT'],
  ['NUMERIC', 'DECIMAL'],
  ['FLOAT', 'DOUBLE'],
  ['REAL', 'DOUBLE'],
  ['BOOL', 'BOOLEAN'],
]);

export function printType({
  name,
  arguments: numbers,
  isList,
}: Pick<TypeName, 'name' | 'arguments' | 'isList'>): string {
  const list = isList === true ? '[]' : '';
  if (name === 'VARCHAR' && numbers.length === 0) return `STRING${list}`;
  const canonical = canonicalTypes.get(name) ?? printName({ text: name });
  return numbers.length === 0 ? `${canonical}${list}` : `${canonical}(${numbers.join(',')})${list}`;
}
