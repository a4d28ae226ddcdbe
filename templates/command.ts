import type { CommandBlock, CommandCheck } from '../language/catalog/block.ts';
import type { TypedExpression } from '../language/catalog/expression.ts';
import type { EnumType, Type } from '../language/values/type.ts';
import { callerClaims } from './caller-claims.ts';
import { arrayCode, callCode, objectCode, type Code } from './code.ts';
import { dataCode } from './data.ts';
import { blockDocumentation, docsEntry, memberDocumentation } from './documented.ts';
import type { BranchPrinter } from './expression-printer.ts';
import { functionParts } from './function.ts';
import { capital, createNameScope, typeIdentifier } from './identifiers.ts';
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
import { valueLiteral } from './value-literal.ts';
import { valueType } from './value-type.ts';

type Field = CommandBlock['fields'][number];

export interface CommandParts extends ModuleFacts {
  /** A new printer, for one CHECK. */
  readonly printer: () => BranchPrinter;
}

/** A command's module: its argument type, the decoder of arguments, and the definition of both. */
export function commandModule(block: CommandBlock, facts: CommandParts): ModuleStructure {
  const name = typeIdentifier(block.name);
  const runtime = createImports();
  runtime.value('read');
  const names = createNameScope(['sql', 'read', 'command', 'context', 'decode', 'streamId']);
  const conditions = { commandType: name, printer: facts.printer, runtime };
  const checks = (block.checks ?? []).map(({ text, field, condition }) =>
    conditionFunction(negation(condition), {
      ...conditions,
      name: names.take(field === undefined ? 'failsCheck' : `failsCheckOf${capital(field)}`),
      documentation: `Whether CHECK (${text}) refuses the command.`,
    }),
  );
  const allows = (block.allow === undefined ? [] : [block.allow]).map(({ text, condition }) =>
    conditionFunction(condition, {
      ...conditions,
      name: names.take('allows'),
      documentation: `Whether ALLOW WHERE ${text} lets the caller send the command.`,
    }),
  );
  const claims = callerClaims([block.allow?.condition, ...block.fields.map(({ callerDefault }) => callerDefault)]);
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ...docsEntry(block),
    ['fields', arrayCode(block.fields.map(fieldCode))],
    ['streamField', stringLiteral(block.streamField)],
    ['decode', 'decode'],
    ['streamId', 'streamId'],
    ...(block.checks === undefined ? [] : [['checks', checksCode(block.checks, checks)] as const]),
    ...(block.allow === undefined ? [] : [['allow', allowCode(block.allow, allows[0])] as const]),
    ...(claims === undefined ? [] : [['callerClaims', dataCode(claims)] as const]),
  ]);
  return {
    ...facts,
    parts: [
      exported(
        interfacePart(
          name,
          blockDocumentation(`Arguments of command ${block.name}.`, block.docs),
          block.fields.map((field) => ({
            key: memberKey(field.name),
            type: valueType(field.type, field.nullable),
            ...memberDocumentation(block.docs, field.name),
          })),
        ),
      ),
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
      ...checks,
      ...allows,
      ...functionParts(facts.printer().functions([block.checks, block.allow]), runtime),
      exported(constantPart('command', `${runtime.type('CommandDefinition')}<${name}>`, definition)),
    ],
    imports: runtime.parts(),
  };
}

interface ConditionFunction {
  readonly name: string;
  readonly documentation: string;
  readonly commandType: string;
  readonly printer: CommandParts['printer'];
  readonly runtime: Imports;
}

/** A function that is true exactly when the condition is TRUE. */
function conditionFunction(
  condition: TypedExpression,
  { name, documentation, commandType, printer, runtime }: ConditionFunction,
): FunctionPart {
  const typeOf = { command: commandType, context: 'DecisionContext' } as const;
  const body: readonly Statement[] = [{ kind: 'code', code: ['return ', printer().guard(condition), ';'] }];
  const read = (['command', 'context'] as const).filter((input) => mentions(body, input));
  if (mentions(body, 'sql')) runtime.value('sql');
  if (read.includes('context')) runtime.type('DecisionContext');
  return {
    kind: 'function',
    exported: false,
    name,
    documentation: [documentation],
    parameters: read.map((input) => ({ name: input, type: typeOf[input] })),
    returns: 'boolean',
    body,
  };
}

function negation(condition: TypedExpression): TypedExpression {
  const { nullable, sensitive } = condition;
  return { kind: 'call', function: 'not', arguments: [condition], type: { kind: 'BOOLEAN' }, nullable, sensitive };
}

function checksCode(checks: readonly CommandCheck[], functions: readonly FunctionPart[]): Code {
  return arrayCode(
    checks.map(({ text, message, field, limits }, index) =>
      objectCode([
        ['text', stringLiteral(text)],
        ...(message === undefined ? [] : [['message', stringLiteral(message)] as const]),
        ...(field === undefined ? [] : [['field', stringLiteral(field)] as const]),
        ['limits', arrayCode(limits.map(dataCode))],
        ['fails', functionArguments(functions[index])],
      ]),
    ),
  );
}

function allowCode({ text, message }: NonNullable<CommandBlock['allow']>, passes: FunctionPart | undefined): Code {
  return objectCode([
    ['text', stringLiteral(text)],
    ...(message === undefined ? [] : [['message', stringLiteral(message)] as const]),
    ['passes', functionArguments(passes)],
  ]);
}

/** A function that does not read the command has other parameters. */
function functionArguments(part: FunctionPart | undefined): string {
  if (part === undefined) throw new Error('a CHECK has no function');
  const given = part.parameters.map(({ name }) => name);
  return given[0] === 'context' ? `(_, context) => ${part.name}(context)` : part.name;
}

function fieldCode(field: Field): Code {
  const { name, type, key, sensitive, required, nullable, callerDefault } = field;
  const plain = { name, type, key, sensitive, required, nullable };
  return dataCode(callerDefault === undefined ? plain : { ...plain, callerDefault });
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
      : callCode(
          field.required || field.callerDefault !== undefined ? `read.required${ends}` : `read.optional${ends}`,
          start,
        );
  if (field.name !== block.streamField || !isText(field.type) || field.nullable) return read;
  return callCode('read.streamKey', [stringLiteral(block.name), stringLiteral(field.name), read]);
}

function readerText(type: Type): string {
  switch (type.kind) {
    case 'STRING':
      if (type.enum !== undefined) return enumReader(type.enum);
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

function enumReader({ name, values }: EnumType): string {
  return `read.enumeration(${stringLiteral(name)}, ${stringLiteral(JSON.stringify(values))})`;
}

function isText(type: Type): boolean {
  return type.kind === 'STRING' || type.kind === 'UUID';
}

function streamIdText(block: CommandBlock): string {
  const field = block.fields.find((candidate) => candidate.name === block.streamField);
  const access = propertyAccess('command', block.streamField);
  return field !== undefined && isText(field.type) && !field.nullable ? access : `String(${access})`;
}
