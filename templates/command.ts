import type { CommandBlock } from '../language/catalog/block.ts';
import type { Type } from '../language/values/type.ts';
import { arrayCode, callCode, objectCode, type Code } from './code.ts';
import { dataCode } from './data.ts';
import { typeIdentifier } from './identifiers.ts';
import { createRuntimeImports } from './imports.ts';
import { memberKey, propertyAccess, propertyKey, stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { ModuleStructure } from './module.ts';
import { valueLiteral } from './value-literal.ts';
import { valueType } from './value-type.ts';

type Field = CommandBlock['fields'][number];

/** A command's module: its argument type, the decoder of arguments, and the definition of both. */
export function commandModule(block: CommandBlock, facts: ModuleFacts): ModuleStructure {
  const name = typeIdentifier(block.name);
  const runtime = createRuntimeImports();
  runtime.value('read');
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ['fields', arrayCode(block.fields.map(fieldCode))],
    ['streamField', stringLiteral(block.streamField)],
    ['decode', 'decode'],
    ['streamId', 'streamId'],
  ]);
  return {
    ...facts,
    parts: [
      {
        kind: 'interface',
        exported: true,
        name,
        documentation: [`Arguments of command ${block.name}.`],
        members: block.fields.map((field) => ({
          key: memberKey(field.name),
          type: valueType(field.type, field.nullable),
        })),
      },
      {
        kind: 'function',
        exported: true,
        name: 'decode',
        documentation: ['Checks and converts arguments as sent; a failure names the field.'],
        parameters: [{ name: 'sent', type: runtime.type('JsonObject') }],
        returns: name,
        body: [
          { kind: 'code', code: onlyKnown(block) },
          {
            kind: 'code',
            code: [
              'return ',
              objectCode(block.fields.map((field) => [propertyKey(field.name), readCode(block, field)])),
              ';',
            ],
          },
        ],
      },
      {
        kind: 'function',
        exported: true,
        name: 'streamId',
        documentation: ['The stream that the command is for.'],
        parameters: [{ name: 'command', type: name }],
        returns: 'string',
        body: [{ kind: 'code', code: `return ${streamIdText(block)};` }],
      },
      {
        kind: 'constant',
        exported: true,
        name: 'command',
        type: `${runtime.type('CommandDefinition')}<${name}>`,
        value: definition,
      },
    ],
    imports: runtime.parts(),
  };
}

function fieldCode(field: Field): Code {
  const { name, type, key, sensitive, required, nullable } = field;
  return dataCode({ name, type, key, sensitive, required, nullable });
}

function onlyKnown(block: CommandBlock): Code {
  const fields = arrayCode(block.fields.map((field) => stringLiteral(field.name)));
  return [callCode('read.onlyKnown', [stringLiteral(block.name), 'sent', fields]), ';'];
}

/** Code such as `read.required('Charge', 'amount', sent, read.decimal(14, 2))`. */
function readCode(block: CommandBlock, field: Field): Code {
  const ends = field.sensitive ? 'Secret' : '';
  const start = [stringLiteral(block.name), stringLiteral(field.name), 'sent', readerText(field.type)];
  const read =
    field.default !== undefined
      ? callCode(`read.defaulted${ends}`, [...start, valueLiteral(field.default, field.type)])
      : callCode(field.required ? `read.required${ends}` : `read.optional${ends}`, start);
  if (field.name !== block.streamField || !isText(field.type) || field.nullable) return read;
  return callCode('read.streamKey', [stringLiteral(block.name), stringLiteral(field.name), read]);
}

function readerText(type: Type): string {
  switch (type.kind) {
    case 'STRING':
      return type.length === undefined ? 'read.text' : `read.varchar(${type.length})`;
    case 'DECIMAL':
      return `read.decimal(${type.precision}, ${type.scale})`;
    case 'LIST':
    case 'STRUCT':
    case 'NULL':
      throw new Error(`no command field has the type ${type.kind}`);
    default:
      return `read.${type.kind.toLowerCase()}`;
  }
}

function isText(type: Type): boolean {
  return type.kind === 'STRING' || type.kind === 'UUID';
}

function streamIdText(block: CommandBlock): string {
  const field = block.fields.find((candidate) => candidate.name === block.streamField);
  const access = propertyAccess('command', block.streamField);
  return field !== undefined && isText(field.type) && !field.nullable ? access : `String(${access})`;
}
