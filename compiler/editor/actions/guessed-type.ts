import type { Catalog } from '../../../language/catalog/catalog.ts';
import { typeName } from '../../../language/values/type.ts';
import type { CreateDecision, Expression } from '../../syntax/ast.ts';
import { printType } from '../../syntax/print.ts';

/** A field of a block to create: its name and type as they are written. */
export interface GuessedField {
  readonly name: string;
  readonly type: string;
}

/** The type that a value shows by itself, or by the field of the command that it names; a text when nothing shows it. */
export function typeOfValue(value: Expression, command: string, catalog: Catalog): string {
  switch (value.kind) {
    case 'BindParameter':
      return fieldType(catalog, 'command', command, value.name.text) ?? 'STRING';
    case 'Cast':
      return printType(value.type);
    case 'NumberLiteral':
      return typeOfNumber(value.text);
    case 'Unary':
      return value.operator === 'NOT' ? 'BOOLEAN' : typeOfValue(value.operand, command, catalog);
    case 'BooleanLiteral':
    case 'IsTest':
    case 'Exists':
      return 'BOOLEAN';
    case 'TypedLiteral':
      return value.type === 'DATE' ? 'DATE' : value.type === 'TIMESTAMP' ? 'TIMESTAMP' : 'STRING';
    case 'FunctionCall':
      return typeOfCall(value.name.text);
    default:
      return 'STRING';
  }
}

function typeOfNumber(text: string): string {
  const fraction = /^\d*\.(\d+)$/.exec(text)?.[1];
  if (fraction !== undefined) return `DECIMAL(18,${Math.min(fraction.length, 18)})`;
  return /^\d{1,9}$/.test(text) ? 'INT' : /^\d{10,18}$/.test(text) ? 'BIGINT' : 'DOUBLE';
}

function typeOfCall(name: string): string {
  const word = name.toUpperCase();
  if (word === 'NOW' || word === 'CURRENT_TIMESTAMP') return 'TIMESTAMP';
  if (word === 'CURRENT_DATE') return 'DATE';
  return word === 'GEN_RANDOM_UUID' || word === 'GENERATE_ID' ? 'UUID' : 'STRING';
}

export function typeOfParameter({ branches }: CreateDecision, parameter: string, catalog: Catalog): string {
  for (const { event, assignments } of branches.flatMap(({ emits }) => emits))
    for (const { field, value } of assignments)
      if (value.kind === 'BindParameter' && isSame(value.name.text, parameter)) {
        const type = fieldType(catalog, 'event', event.text, field.text);
        if (type !== undefined) return type;
      }
  return 'STRING';
}

function fieldType(catalog: Catalog, kind: 'command' | 'event', block: string, field: string): string | undefined {
  const blocks: readonly Catalog['blocks']['command' | 'event'][number][] = catalog.blocks[kind];
  const found = blocks.find(({ name }) => isSame(name, block))?.fields.find(({ name }) => isSame(name, field));
  return found === undefined ? undefined : typeName(found.type);
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
