import { safeName } from '../../../language/contract/safe-name.ts';
import type { TemplateValue, TypeName } from '../ast.ts';
import { printType } from '../print/words.ts';

/** Types of parameters: those of fields, IDENTIFIER for a name, FIELDS for a list of declarations. */
export const parameterTypes: readonly string[] = [
  ...['STRING', 'TEXT', 'VARCHAR', 'UUID', 'INT', 'INTEGER', 'BIGINT', 'DECIMAL', 'NUMERIC', 'DOUBLE', 'FLOAT', 'REAL'],
  ...['BOOLEAN', 'BOOL', 'TIMESTAMP', 'DATE', 'JSON', 'IDENTIFIER', 'FIELDS'],
];

const typeWords: ReadonlySet<string> = new Set([...parameterTypes, 'INTERVAL']);

/** Whether a word, in any case, is a type of the language, not the name of an ENUM. */
export function isTypeWord(word: string): boolean {
  return typeWords.has(word.toUpperCase());
}

/**
 * The value as its parameter takes it; `undefined` when it does not fit. As everywhere, a string may be the text of a value of the required
 * type; NULL fits any type but FIELDS.
 */
export function fitValue(value: TemplateValue, type: TypeName): TemplateValue | undefined {
  const name = printType(type).replace(/\(.*$/, '');
  if (name === 'FIELDS') return value.type === 'fields' ? value : undefined;
  if (value.type === 'null') return value;
  if (value.type === 'fields') return undefined;
  if (name === 'BOOLEAN') return value.type === 'boolean' ? value : undefined;
  const number = numbers.get(name);
  if (number !== undefined)
    return 'text' in value && number(value.text) ? { type: 'number', text: value.text } : undefined;
  if (value.type !== 'string') return undefined;
  const text = texts.get(name);
  if (text !== undefined && !text.test(value.text)) return undefined;
  const limit = name === 'VARCHAR' ? type.arguments[0] : undefined;
  return limit === undefined || [...value.text].length <= limit ? value : undefined;
}

const isWhole = (least: bigint, most: bigint) => (text: string) =>
  /^-?[0-9]{1,19}$/.test(text) && BigInt(text) >= least && BigInt(text) <= most;
const isDecimal = (text: string): boolean => /^-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/.test(text);

const numbers: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['INT', isWhole(-(2n ** 31n), 2n ** 31n - 1n)],
  ['BIGINT', isWhole(-(2n ** 63n), 2n ** 63n - 1n)],
  ['DECIMAL', isDecimal],
  ['DOUBLE', (text) => /^-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)],
]);

const day = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}`;
const time = String.raw`[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?`;
const texts: ReadonlyMap<string, RegExp> = new Map([
  ['IDENTIFIER', safeName],
  ['DATE', new RegExp(`^${day}$`)],
  ['TIMESTAMP', new RegExp(`^${day}(?:[T ]${time}(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?$`)],
]);
