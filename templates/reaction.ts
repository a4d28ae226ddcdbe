/**
 * A reaction's module: the types of its event and its state, for each branch when it is due and with which arguments its
 * command is executed, and the definition that connects them for a server. Decides nothing.
 */
import type { CommandBlock, ReactionBlock, ReactionBranch } from '../language/catalog/block.ts';
import { arrayCode, negatedCode, objectCode, type Code } from './code.ts';
import { dataCode, textCode } from './data.ts';
import { definitionNames, stateParts, type DecisionState } from './decision-definition.ts';
import { blockDocumentation } from './documented.ts';
import type { BranchPrinter } from './expression-printer.ts';
import { functionParts } from './function.ts';
import { capital, createNameScope, localName, typeIdentifier, type NameScope } from './identifiers.ts';
import { createImports, type Imports } from './imports.ts';
import { propertyKey, stringLiteral } from './literal.ts';
import { mentions } from './mentions.ts';
import type { ModuleFacts } from './module-facts.ts';
import { constantPart, exported, type FunctionPart, type ModuleStructure, type Statement } from './module.ts';
import { rowInterface } from './row-interface.ts';

/** The inputs of a reaction's template in addition to the block. */
export interface ReactionParts extends ModuleFacts {
  /** Module of a command, relative, ending in `.js`. */
  readonly commandModule: (command: string) => string;
  readonly state: DecisionState | undefined;
  /** A new printer for one branch; `:field` is a property of `event`. */
  readonly printer: () => BranchPrinter;
}

interface Names {
  readonly event: string;
  readonly state: string;
  readonly commands: ReadonlyMap<CommandBlock['name'], string>;
}

const inputs = ['event', 'state', 'context'] as const;

export function reactionModule(block: ReactionBlock, parts: ReactionParts): ModuleStructure {
  const runtime = createImports();
  const types = createNameScope();
  const names: Names = {
    event: types.take(`${block.name}Event`, `${block.name}Input`),
    state: types.take(`${block.name}State`, `${block.name}ReactionState`),
    commands: new Map(
      [...new Set(block.branches.map(({ command }) => command))].map((command) => [
        command,
        types.take(command, `${command}Command`),
      ]),
    ),
  };
  const values = createNameScope([...inputs, ...definitionNames, 'reaction', 'sql']);
  const branches = block.branches.map((branch) => printBranch(branch, names, runtime, values, parts));
  const state =
    parts.state === undefined
      ? undefined
      : stateParts(parts.state, { commandType: names.event, types, values }, runtime);
  const columns = parts.state?.definition.columns;
  return {
    path: parts.path,
    head: parts.head,
    parts: [
      rowInterface(names.event, block.inputs, `What reaction ${block.name} reads of an event.`, runtime),
      ...(columns === undefined
        ? []
        : [rowInterface(names.state, columns, `The state that reaction ${block.name} reads.`, runtime, () => true)]),
      ...branches.flatMap(({ functions }) => functions),
      ...functionParts(parts.printer().functions(block.branches), runtime),
      ...(state?.parts ?? []),
      exported(
        constantPart(
          'reaction',
          `${runtime.type('ReactionDefinition')}<${names.event}, ${columns === undefined ? 'object' : names.state}>`,
          objectCode([
            ['name', stringLiteral(block.name)],
            ['start', dataCode(block.start)],
            ['events', dataCode(block.events)],
            ...(block.aggregate === undefined ? [] : [['aggregate', stringLiteral(block.aggregate)] as const]),
            ['inputs', dataCode(block.inputs)],
            ...(state === undefined ? [] : [['state', state.code] as const]),
            ['branches', arrayCode(branches.map(({ code }) => code))],
          ]),
          blockDocumentation(`The definition of reaction ${block.name} for a server.`, block.docs),
        ),
      ),
    ],
    imports: [
      ...runtime.parts(),
      ...[...names.commands].map(([command, as]) => ({
        from: parts.commandModule(command),
        types: true,
        names: [{ name: typeIdentifier(command), as }],
      })),
    ],
  };
}

interface PrintedBranch {
  readonly functions: readonly FunctionPart[];
  readonly code: Code;
}

function printBranch(
  branch: ReactionBranch,
  names: Names,
  runtime: Imports,
  values: NameScope,
  parts: ReactionParts,
): PrintedBranch {
  const named = /^\d+$/.test(branch.label) ? `${branch.command}${branch.label}` : branch.label;
  const execute = executeFunction(branch, names, runtime, values.take(localName(`execute${capital(named)}`)), parts);
  const due =
    branch.due === undefined
      ? undefined
      : inputFunction(
          {
            name: values.take(localName(`due${capital(named)}`)),
            documentation: [`When ${branch.command} is due: ${branch.dueText ?? ''}.`],
            returns: 'bigint | null',
            body: [{ kind: 'code', code: ['return ', parts.printer().value(branch.due), ';'] }],
          },
          names,
          parts,
          runtime,
        );
  const known = due === undefined ? undefined : knownFunction(branch, named, names, runtime, values, parts);
  return {
    functions: [...(due === undefined ? [] : [due]), ...(known === undefined ? [] : [known]), execute],
    code: objectCode([
      ['label', stringLiteral(branch.label)],
      ['command', stringLiteral(branch.command)],
      ...(branch.guardText === undefined ? [] : [['guard', textCode(branch.guardText)] as const]),
      ['unless', dataCode(branch.unless)],
      ...(due === undefined ? [] : [['due', due.name] as const]),
      ...(known === undefined ? [] : [['known', known.name] as const]),
      ['execute', execute.name],
    ]),
  };
}

function executeFunction(
  { command, guard, guardText, fields }: ReactionBranch,
  names: Names,
  runtime: Imports,
  name: string,
  parts: ReactionParts,
): FunctionPart {
  const printer = parts.printer();
  const refusal: readonly Statement[] =
    guard === undefined
      ? []
      : [
          {
            kind: 'if',
            condition: negatedCode(printer.guard(guard)),
            body: [{ kind: 'code', code: 'return null;' }],
          },
        ];
  const given = objectCode(fields.map((field) => [propertyKey(field.name), printer.value(field.value)] as const));
  const type = names.commands.get(command) ?? 'object';
  return inputFunction(
    {
      name,
      documentation: [`The arguments of ${command}${guardText === undefined ? '' : `, or null unless ${guardText}`}.`],
      returns: `{ readonly [F in keyof ${type}]?: ${type}[F] | null }${guard === undefined ? '' : ' | null'}`,
      body: [...refusal, { kind: 'code', code: ['return ', given, ';'] }],
    },
    names,
    parts,
    runtime,
  );
}

/** The arguments of a branch that waits, as far as they depend on the event alone; absent if none does. */
function knownFunction(
  { command, fields }: ReactionBranch,
  named: string,
  names: Names,
  runtime: Imports,
  values: NameScope,
  parts: ReactionParts,
): FunctionPart | undefined {
  const printer = parts.printer();
  const given = fields.flatMap((field): (readonly [string, Code])[] => {
    const code = printer.value(field.value);
    const body: readonly Statement[] = [{ kind: 'code', code: ['return ', code, ';'] }];
    return mentions(body, 'state') || mentions(body, 'context') ? [] : [[propertyKey(field.name), code]];
  });
  if (given.length === 0) return undefined;
  return inputFunction(
    {
      name: values.take(localName(`known${capital(named)}`)),
      documentation: [`The arguments of ${command} that the event alone gives.`],
      returns: 'object',
      body: [{ kind: 'code', code: ['return ', objectCode(given), ';'] }],
    },
    names,
    parts,
    runtime,
  );
}

/** A function of the inputs that its body reads; all before the last of these, so that every branch is called alike. */
function inputFunction(
  part: Pick<FunctionPart, 'name' | 'documentation' | 'returns' | 'body'>,
  names: Names,
  parts: ReactionParts,
  runtime: Imports,
): FunctionPart {
  const isDue = part.returns === 'bigint | null';
  const offered = inputs.filter((input) => !isDue || input !== 'state');
  const types = {
    event: names.event,
    state: parts.state === undefined ? 'object' : names.state,
    context: 'DecisionContext',
  };
  const read = offered.map((input) => mentions(part.body, input));
  if (mentions(part.body, 'sql')) runtime.value('sql');
  if (read.at(-1) === true) runtime.type('DecisionContext');
  return {
    kind: 'function',
    exported: false,
    ...part,
    parameters: offered
      .slice(0, read.lastIndexOf(true) + 1)
      .map((name, index) =>
        read[index] === true ? { name, type: types[name] } : { name: `_${name}`, type: 'unknown' },
      ),
  };
}
