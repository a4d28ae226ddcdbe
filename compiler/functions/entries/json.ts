import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { SqliteFunctionName } from '../../../language/sqlite/signatures.ts';
import type { StructField } from '../../../language/values/type.ts';
import { printType } from '../cast-typescript.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { quoteSqlite } from '../sqlite-text.ts';
import { quoteTypescript, sqlCall } from '../typescript-text.ts';
import { INT, JSON_TYPE, namesOf, STRING } from '../typing.ts';

/** `json -> key` and `json ->> key`: a member by name, an element by number; NULL where there is none. A STRUCT's fields are read by `->>` alone. */
function access(name: 'json_get' | 'json_get_text'): FunctionEntry {
  const symbol = name === 'json_get' ? '->' : '->>';
  return {
    name,
    usage: [`json ${symbol} 'member'`, `json ${symbol} index`],
    resolve: (given) => resolve(symbol, given),
    sqlite: (call) => {
      const [json, key] = twoOperands(call);
      const field = structField(call);
      if (field !== undefined) return sqliteCall('nestedFieldText', json.text, quoteSqlite(JSON.stringify(field)));
      return sqliteCall(functionOf(symbol, call), json.text, key.text);
    },
    typescript: (call) => {
      const [json, key] = twoOperands(call);
      const field = structField(call);
      if (field === undefined) return sqlCall(functionOf(symbol, call), json.text, key.text);
      return sqlCall(
        'structFieldText',
        json.text,
        `{ name: ${quoteTypescript(field.name)}, type: ${printType(field.type)} }`,
      );
    },
  };
}

export const jsonAccess: readonly FunctionEntry[] = [access('json_get'), access('json_get_text')];

function resolve(symbol: '->' | '->>', given: readonly GivenArgument[]): Resolution | Unresolvable {
  const [json, key] = given;
  if (json === undefined || key === undefined || given.length !== 2)
    return { problem: `'${symbol}' takes two operands` };
  const result = symbol === '->' ? JSON_TYPE : STRING;
  if (json.type.kind === 'STRUCT' && symbol === '->>') {
    const field = json.type.fields.find((known) => known.name === key.literal);
    if (field === undefined) return { problem: `'->>' on this value takes the name of one of its fields as a literal` };
    return { parameters: [json.type, STRING], result, nullable: () => true };
  }
  if (!json.untyped && json.type.kind !== 'JSON')
    return { problem: `'${symbol}' takes JSON, not ${namesOf([json])}; write CAST(… AS JSON) around a text` };
  const keyType = key.untyped || key.type.kind === 'STRING' ? STRING : key.type.kind === 'INT' ? INT : undefined;
  if (keyType === undefined)
    return { problem: `'${symbol}' takes a member's name or an element's number, not ${namesOf([key])}` };
  return { parameters: [JSON_TYPE, keyType], result, nullable: () => true };
}

function functionOf(
  symbol: '->' | '->>',
  call: PrintedCall,
): SqliteFunctionName & ('jsonField' | 'jsonItem' | 'jsonFieldText' | 'jsonItemText') {
  const byNumber = twoOperands(call)[1].type.kind === 'INT';
  if (symbol === '->') return byNumber ? 'jsonItem' : 'jsonField';
  return byNumber ? 'jsonItemText' : 'jsonFieldText';
}

/** The field that a literal key names in a struct. Field names are safe identifiers, so both engines' quotes hold them unescaped. */
function structField(call: PrintedCall): StructField | undefined {
  const [struct, key] = twoOperands(call);
  if (struct.type.kind !== 'STRUCT') return undefined;
  return struct.type.fields.find((field) => field.name === key.text.slice(1, -1));
}
