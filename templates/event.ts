import type { EventBlock } from '../language/catalog/block.ts';
import { arrayCode, callCode, objectCode, type Code } from './code.ts';
import { dataCode } from './data.ts';
import { typeIdentifier } from './identifiers.ts';
import { createRuntimeImports } from './imports.ts';
import { memberKey, propertyAccess, stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { ModuleStructure } from './module.ts';
import { valueType } from './value-type.ts';

type Field = EventBlock['fields'][number];

/** An event's module: its payload type, the encoder of its stored form, and the definition of both. */
export function eventModule(block: EventBlock, facts: ModuleFacts): ModuleStructure {
  const name = typeIdentifier(block.name);
  const runtime = createRuntimeImports();
  const stored = block.fields.filter((field) => !field.volatile);
  runtime.value('write');
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ['version', String(block.version)],
    ['fields', arrayCode(block.fields.map(fieldCode))],
    ['encode', 'encode'],
  ]);
  return {
    ...facts,
    parts: [
      {
        kind: 'interface',
        exported: true,
        name,
        documentation: [`Payload of event ${block.name}.`],
        members: block.fields.map((field) => ({
          key: memberKey(field.name),
          type: valueType(field.type, true),
          ...(field.volatile ? { documentation: ['Never stored.'] } : {}),
        })),
      },
      {
        kind: 'function',
        exported: true,
        name: 'encode',
        documentation: ['The payload as it is stored: one JSON object, NULLs left out.'],
        parameters: stored.length === 0 ? [] : [{ name: 'payload', type: name }],
        returns: 'string',
        body: [{ kind: 'code', code: ['return ', callCode('write.object', stored.map(writeCode)), ';'] }],
      },
      {
        kind: 'constant',
        exported: true,
        name: 'event',
        type: `${runtime.type('EventDefinition')}<${name}>`,
        value: definition,
      },
    ],
    imports: runtime.parts(),
  };
}

function fieldCode({ name, type, sensitive, volatile, tag }: Field): Code {
  return dataCode({ name, type, sensitive, volatile, tag });
}

/** Code such as `write.decimal('amount', payload.amount, 2)`. */
function writeCode(field: Field): Code {
  const items = [stringLiteral(field.name), propertyAccess('payload', field.name)];
  switch (field.type.kind) {
    case 'STRING':
    case 'UUID':
    case 'JSON':
      return callCode('write.text', items);
    case 'INT':
    case 'DOUBLE':
      return callCode('write.number', items);
    case 'DECIMAL':
      return callCode('write.decimal', [...items, String(field.type.scale)]);
    case 'LIST':
    case 'STRUCT':
    case 'NULL':
      throw new Error(`no event field has the type ${field.type.kind}`);
    default:
      return callCode(`write.${field.type.kind.toLowerCase()}`, items);
  }
}
