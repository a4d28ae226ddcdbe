/**
 * A decision's two modules: the type of its state, one function for each branch, and the pure `decide` over them; and
 * the definition, which says how a server reads the state and runs `decide` (`decision-definition.ts`).
 */
import type { DecisionBlock, DecisionBranch, DecisionEmit, EventBlock } from '../language/catalog/block.ts';
import type { TypedExpression } from '../language/catalog/expression.ts';
import { someExpression } from '../language/catalog/map-expression.ts';
import type { Column } from '../language/contract/query.ts';
import { arrayCode, callCode, negatedCode, objectCode, type Code } from './code.ts';
import { decisionDefinition, definitionNames, type DecisionState } from './decision-definition.ts';
import { blockDocumentation } from './documented.ts';
import type { BranchPrinter } from './expression-printer.ts';
import { functionParts } from './function.ts';
import { capital, createNameScope, localName, typeIdentifier, type NameScope } from './identifiers.ts';
import { createImports, type Imports } from './imports.ts';
import { propertyKey, stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import { mentions } from './mentions.ts';
import type { FunctionPart, ImportPart, ModuleStructure, Statement } from './module.ts';
import { rowInterface } from './row-interface.ts';

/** The inputs of a decision's template in addition to the block. */
export interface DecisionParts extends ModuleFacts {
  /** The path of the definition's module. */
  readonly definitionPath: string;
  /** The module of `decide` as the definition imports it. */
  readonly decideModule: string;
  /** Modules of the command and of the events, relative, ending in `.js`. */
  readonly commandModule: string;
  readonly eventModule: (event: string) => string;
  readonly event: (name: string) => EventBlock;
  readonly state: DecisionState | undefined;
  /** A new printer for one branch. */
  readonly printer: () => BranchPrinter;
}

interface Names {
  readonly command: string;
  readonly state: string | undefined;
  readonly events: ReadonlyMap<string, string>;
}

export interface DecisionModules {
  readonly decide: ModuleStructure;
  readonly definition: ModuleStructure;
}

export function decisionModules(block: DecisionBlock, parts: DecisionParts): DecisionModules {
  const types = createNameScope(['decide']);
  const names = nameTypes(block, types, parts.state !== undefined);
  const runtime = createImports();
  // The names of both modules, which are one module when loaded into a running server.
  const values = createNameScope([...inputs, ...definitionNames, 'decide', 'sql']);
  const branches = block.branches.map((branch) => branchFunction(branch, names, runtime, values, parts));
  const functions = functionParts(parts.printer().functions(block.branches), runtime);
  const state =
    names.state === undefined || parts.state === undefined ? undefined : { ...parts.state, type: names.state };
  return {
    decide: {
      path: parts.path,
      head: parts.head,
      parts: [
        ...(state === undefined
          ? []
          : [rowInterface(state.type, state.definition.columns, stateText(block), runtime, nullableState(block))]),
        decideFunction(branches, names, runtime, block.docs),
        ...branches.map(({ part }) => part),
        ...functions,
      ],
      imports: [...runtime.parts(), ...typeImports(block, branches, names, parts)],
    },
    definition: decisionDefinition(block, {
      path: parts.definitionPath,
      head: parts.head,
      decideModule: parts.decideModule,
      command: typeImport(block.command, names.command, parts.commandModule),
      commandType: names.command,
      state,
      types,
      values,
    }),
  };
}

const inputs = ['command', 'state', 'context'] as const;

/** Names in one module: those of the command and the events, unless two are the same. */
function nameTypes(block: DecisionBlock, types: NameScope, hasState: boolean): Names {
  const command = types.take(block.command, `${block.command}Command`);
  const state = hasState ? types.take(`${block.name}State`, `${block.name}DecisionState`) : undefined;
  const events = new Map<string, string>();
  for (const { event } of block.branches.flatMap(({ emits }) => emits)) {
    if (!events.has(event)) events.set(event, types.take(event, `${event}Event`));
  }
  return { command, state, events };
}

function typeImports(
  block: DecisionBlock,
  branches: readonly PrintedBranch[],
  names: Names,
  parts: DecisionParts,
): readonly ImportPart[] {
  const readsCommand = branches.some(({ inputs: read }) => read.includes('command'));
  return [
    ...(readsCommand ? [typeImport(block.command, names.command, parts.commandModule)] : []),
    ...[...names.events].map(([event, as]) => typeImport(event, as, parts.eventModule(event))),
  ];
}

function typeImport(name: string, as: string, from: string): ImportPart {
  return { from, types: true, names: [{ name: typeIdentifier(name), as }] };
}

function stateText(block: DecisionBlock): string {
  return `The state that decision ${block.name} reads.`;
}

/** A column may be NULL, as it is without a row, unless its expression provably never is. */
function nullableState(block: DecisionBlock): (column: Column) => boolean {
  const certain = new Set<string>();
  const collect = (expression: TypedExpression): void => {
    someExpression(expression, (part) => {
      if (part.kind === 'state' && !part.nullable) certain.add(part.name);
      return false;
    });
  };
  for (const { guard, emits } of block.branches) {
    if (guard !== undefined) collect(guard);
    for (const { stream, fields } of emits)
      [...(stream === undefined ? [] : [stream]), ...fields.map(({ value }) => value)].forEach(collect);
  }
  return (column) => !certain.has(column.name);
}

interface PrintedBranch {
  readonly part: FunctionPart;
  readonly inputs: readonly (typeof inputs)[number][];
}

function decideFunction(
  branches: readonly PrintedBranch[],
  names: Names,
  runtime: Imports,
  docs: DecisionBlock['docs'],
): FunctionPart {
  const read = inputs.map((input) => branches.some((branch) => branch.inputs.includes(input)));
  const types = [names.command, names.state ?? 'object', 'DecisionContext'];
  const parameters = inputs
    .slice(0, read.lastIndexOf(true) + 1)
    .map((name, index) =>
      read[index] === true ? { name, type: types[index] ?? 'object' } : { name: `_${name}`, type: 'unknown' },
    );
  const calls = branches.map((branch) => callCode(branch.part.name, branch.inputs));
  return {
    kind: 'function',
    exported: true,
    name: 'decide',
    documentation: blockDocumentation(
      'For each branch in order: the events it emits, or null when its guard is not TRUE.',
      docs,
    ),
    parameters,
    returns: runtime.type('Decided'),
    body: [{ kind: 'code', code: ['return ', arrayCode(calls), ';'] }],
  };
}

function branchFunction(
  branch: DecisionBranch,
  names: Names,
  runtime: Imports,
  outer: NameScope,
  parts: DecisionParts,
): PrintedBranch {
  const printer = parts.printer();
  const locals = createNameScope([...inputs, 'sql']);
  const guard: readonly Statement[] =
    branch.guard === undefined
      ? []
      : [
          {
            kind: 'if',
            condition: negatedCode(printer.guard(branch.guard)),
            body: [{ kind: 'code', code: 'return null;' }],
          },
        ];
  const emits = branch.emits.map((emit) => emission(emit, names, locals, printer, parts));
  const body: readonly Statement[] = [
    ...guard,
    ...emits.map(({ local }) => local),
    { kind: 'code', code: ['return ', arrayCode(emits.map(({ emitted }) => emitted)), ';'] },
  ];
  const read = inputs.filter((input) => mentions(body, input));
  if (mentions(body, 'sql')) runtime.value('sql');
  if (read.includes('context')) runtime.type('DecisionContext');
  const typeOf = { command: names.command, state: names.state ?? 'object', context: 'DecisionContext' };
  return {
    inputs: read,
    part: {
      kind: 'function',
      exported: false,
      name: outer.take(branchName(branch)),
      documentation: branchDocumentation(branch),
      parameters: read.map((name) => ({ name, type: typeOf[name] })),
      returns: `readonly ${runtime.type('Emission')}[]${branch.guard === undefined ? '' : ' | null'}`,
      body,
    },
  };
}

/** Its label, or the names of its events: `emitShippedAndBackordered`. */
function branchName({ label, emits }: DecisionBranch): string {
  if (label !== undefined) return localName(label);
  const events = [...new Set(emits.map(({ event }) => capital(event)))];
  return `emit${events.length > 3 ? `${events[0] ?? ''}AndOthers` : events.join('And')}`;
}

function branchDocumentation(branch: DecisionBranch): readonly string[] {
  const label = branch.label === undefined ? '' : `${branch.label}: `;
  const events = branch.emits.map(({ event }) => event).join(', ');
  return [`${label}${events}${branch.guardText === undefined ? '' : ` where ${branch.guardText}`}`];
}

function emission(
  emit: DecisionEmit,
  names: Names,
  locals: NameScope,
  printer: BranchPrinter,
  parts: DecisionParts,
): { readonly local: Statement; readonly emitted: Code } {
  const payload = locals.take(localName(emit.event));
  const values = new Map(emit.fields.map((field) => [field.name, field.value]));
  const fields = parts.event(emit.event).fields.map(({ name }) => {
    const value = values.get(name);
    return [propertyKey(name), value === undefined ? 'null' : printer.value(value)] as const;
  });
  return {
    local: { kind: 'local', name: payload, type: names.events.get(emit.event) ?? 'object', value: objectCode(fields) },
    emitted: objectCode([
      ['event', stringLiteral(emit.event)],
      ['aggregate', stringLiteral(emit.aggregate)],
      ...(emit.stream === undefined ? [] : [['stream', printer.streamId(emit.stream)] as const]),
      ['payload', payload],
    ]),
  };
}
