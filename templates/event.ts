import type { EventBlock, EventUpcast } from '../language/catalog/block.ts';
import { typeName } from '../language/values/type.ts';
import { arrayCode, callCode, objectCode, type Code } from './code.ts';
import { dataCode } from './data.ts';
import { blockDocumentation, docsEntry, memberDocumentation } from './documented.ts';
import { typeIdentifier } from './identifiers.ts';
import type { UpcastPrinter } from './expression-printer.ts';
import { functionParts } from './function.ts';
import { createImports, type Imports } from './imports.ts';
import { memberKey, propertyAccess, propertyKey, stringLiteral } from './literal.ts';
import { mentions } from './mentions.ts';
import type { ModuleFacts } from './module-facts.ts';
import {
  constantPart,
  exported,
  interfacePart,
  type FunctionPart,
  type ModuleStructure,
  type Statement,
} from './module.ts';
import { readParameters } from './parameters.ts';
import { valueType } from './value-type.ts';

type Field = EventBlock['fields'][number];

/** The inputs of an event's template in addition to the block. */
export interface EventParts extends ModuleFacts {
  readonly printer: UpcastPrinter;
}

/** An event's module: its payload type, the encoder of its stored form, its UPCAST clauses, and the definition of all. */
export function eventModule(block: EventBlock, { printer, ...facts }: EventParts): ModuleStructure {
  const name = typeIdentifier(block.name);
  const runtime = createImports();
  const stored = block.fields.filter((field) => !field.volatile);
  runtime.value('write');
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ...docsEntry(block),
    ['version', String(block.version)],
    ['fields', arrayCode(block.fields.map(fieldCode))],
    ['encode', 'encode'],
    ...(block.upcasts === undefined ? [] : [['upcasts', arrayCode(block.upcasts.map(upcastCode))] as const]),
  ]);
  const upcasts = (block.upcasts ?? []).map((clause, index) => upcastFunction(clause, index, name, printer, runtime));
  return {
    ...facts,
    parts: [
      exported(
        interfacePart(
          name,
          blockDocumentation(`Payload of event ${block.name}.`, block.docs),
          block.fields.map((field) => ({
            key: memberKey(field.name),
            type: valueType(field.type, true),
            ...memberDocumentation(block.docs, field.name, field.volatile ? 'Never stored.' : undefined),
          })),
        ),
      ),
      {
        kind: 'function',
        exported: true,
        name: 'encode',
        documentation: ['The payload as it is stored: one JSON object, NULLs left out.'],
        parameters: stored.length === 0 ? [] : [{ name: 'payload', type: name }],
        returns: 'string',
        body: [{ kind: 'code', code: ['return ', callCode('write.object', stored.map(writeCode)), ';'] }],
      },
      ...upcasts,
      ...functionParts(printer.functions(block.upcasts), runtime),
      exported(constantPart('event', `${runtime.type('EventDefinition')}<${name}>`, definition)),
    ],
    imports: runtime.parts(),
  };
}

function upcastName(index: number): string {
  return `upcast${index + 1}`;
}

function upcastCode({ event, versions, fields }: EventUpcast, index: number): Code {
  return objectCode([
    ['event', stringLiteral(event)],
    ['versions', dataCode(versions)],
    ['fields', arrayCode(fields.map((field) => dataCode(field)))],
    ['apply', upcastName(index)],
  ]);
}

/** The present payload from the fields of a stored one. */
function upcastFunction(
  { event, fields, values }: EventUpcast,
  index: number,
  name: string,
  printer: UpcastPrinter,
  runtime: Imports,
): FunctionPart {
  const payload = objectCode(values.map(({ name: field, value }) => [propertyKey(field), printer.value(value)]));
  const body: readonly Statement[] = [{ kind: 'code', code: ['return ', payload, ';'] }];
  if (mentions(body, 'sql')) runtime.value('sql');
  const members = fields.map((field) => `readonly ${memberKey(field.name)}: ${valueType(field.type, true)}`);
  const offered = [
    { name: 'stored', type: members.length === 0 ? 'object' : `{ ${members.join('; ')} }` },
    { name: 'event', type: 'StoredEventFacts' },
  ];
  const parameters = readParameters(offered, body);
  if (parameters.some(({ type }) => type === 'StoredEventFacts')) runtime.type('StoredEventFacts');
  const shape = fields.map((field) => `${field.name} ${typeName(field.type)}`).join(', ');
  return {
    kind: 'function',
    exported: true,
    name: upcastName(index),
    documentation: [`How ${event} (${shape}) reads now.`],
    parameters,
    returns: name,
    body,
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
