import type { DecisionBlock, DecisionBranch, DecisionEmit, EventBlock } from '../language/catalog/block.ts';
import type { TypedExpression } from '../language/catalog/expression.ts';
import { someExpression } from '../language/catalog/map-expression.ts';
import type { Column } from '../language/contract/query.ts';
import type { StateDefinition } from '../language/contract/decision.ts';
import { queryCode } from './aggregate.ts';
import { arrayCode, callCode, negatedCode, objectCode, type Code } from './code.ts';
import { dataCode, textCode } from './data.ts';
import type { BranchPrinter, RowPrinter } from './expression-printer.ts';
import { foldState, type FoldStateParts } from './fold.ts';
import { createNameScope, localName, typeIdentifier, type NameScope } from './identifiers.ts';
import { createRuntimeImports, type RuntimeImports } from './imports.ts';
import { propertyKey, stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import { mentions } from './mentions.ts';
import type { FunctionPart, ImportPart, ModuleStructure, Part, Statement } from './module.ts';
import { readParameters } from './parameters.ts';
import { rowInterface } from './row-interface.ts';

/** What a decision's template is given besides the block. */
export interface DecisionParts extends ModuleFacts {
  /** Modules of the command and of the events, relative, ending in `.js`. */
  readonly commandModule: string;
  readonly eventModule: (event: string) => string;
  readonly event: (name: string) => EventBlock;
  readonly state: DecisionState | undefined;
  /** A fresh printer for one branch. */
  readonly printer: () => BranchPrinter;
}

/** How the state is found. */
export interface DecisionState {
  readonly definition: StateDefinition;
  /** Set when the state is folds looked up by key. */
  readonly folds?: Omit<FoldStateParts, 'commandType' | 'printer'>;
  /** The columns that are the id asked for, and that id, where an empty stream answers with DEFAULTs. */
  readonly emptyKey?: { readonly columns: readonly number[]; readonly id: TypedExpression };
  readonly printer: RowPrinter;
}

interface Names {
  readonly command: string;
  readonly state: string | undefined;
  readonly events: ReadonlyMap<string, string>;
}

/** A decision's module: the type of its state, one function a branch, and the pure `decide` over them. */
export function decisionModule(block: DecisionBlock, parts: DecisionParts): ModuleStructure {
  const types = createNameScope(reservedTypes(parts.state?.folds?.plan.lookups.length ?? 0));
  const names = nameTypes(block, types, parts.state !== undefined);
  const runtime = createRuntimeImports();
  const locals = createNameScope([
    'command',
    'state',
    'context',
    'decide',
    'decision',
    'compose',
    'emptyKey',
    'defineState',
  ]);
  const branches = block.branches.map((branch, index) =>
    branchFunction(block, branch, index, names, runtime, locals, parts),
  );
  const commandType = names.command;
  const state = parts.state === undefined ? undefined : stateModule(parts.state, commandType, runtime);
  const stateType = names.state ?? 'object';
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ['aggregate', stringLiteral(block.aggregate)],
    ['command', stringLiteral(block.command)],
    ['branches', arrayCode(block.branches.map(branchCode))],
    ...(state === undefined ? [] : [['state', state.code] as const]),
    ['decide', 'decide'],
  ]);
  const path = parts.path;
  const head = parts.head;
  return {
    path,
    head,
    parts: [
      ...(names.state === undefined || parts.state === undefined
        ? []
        : [rowInterface(names.state, parts.state.definition.columns, stateText(block), runtime, nullableState(block))]),
      decideFunction(branches, names, runtime),
      ...branches.map(({ part }) => part),
      ...(state?.parts ?? []),
      {
        kind: 'constant',
        exported: true,
        name: 'decision',
        type: `${runtime.type('DecisionDefinition')}<${commandType}, ${stateType}>`,
        value: definition,
      },
    ],
    imports: [...runtime.parts(), ...typeImports(block, names, parts)],
  };
}

/** Types that folds have of their own in the module. */
function reservedTypes(lookups: number): readonly string[] {
  return Array.from({ length: lookups }, (_, index) => [`Fold${index + 1}`, `EventRow${index + 1}`]).flat();
}

/** Names in one module: the command's and the events' own, unless two are the same. */
function nameTypes(block: DecisionBlock, types: NameScope, hasState: boolean): Names {
  const command = types.take(block.command, `${block.command}Command`);
  const state = hasState ? types.take(`${block.name}State`, `${block.name}DecisionState`) : undefined;
  const events = new Map<string, string>();
  for (const { event } of block.branches.flatMap(({ emits }) => emits)) {
    if (!events.has(event)) events.set(event, types.take(event, `${event}Event`));
  }
  return { command, state, events };
}

function typeImports(block: DecisionBlock, names: Names, parts: DecisionParts): readonly ImportPart[] {
  const imported = (name: string, as: string, from: string): ImportPart => ({
    from,
    types: true,
    names: [{ name: typeIdentifier(name), as }],
  });
  return [
    imported(block.command, names.command, parts.commandModule),
    ...[...names.events].map(([event, as]) => imported(event, as, parts.eventModule(event))),
  ];
}

function stateText(block: DecisionBlock): string {
  return `What decision ${block.name} looks at.`;
}

/** A column may be NULL, as it is without a row, unless an expression over it has been proved never to be. */
function nullableState(block: DecisionBlock): (column: Column) => boolean {
  const certain = new Set<string>();
  const note = (expression: TypedExpression): void => {
    someExpression(expression, (part) => {
      if (part.kind === 'state' && !part.nullable) certain.add(part.name);
      return false;
    });
  };
  for (const { guard, emits } of block.branches) {
    if (guard !== undefined) note(guard);
    for (const { stream, fields } of emits)
      [...(stream === undefined ? [] : [stream]), ...fields.map(({ value }) => value)].forEach(note);
  }
  return (column) => !certain.has(column.name);
}

interface PrintedBranch {
  readonly part: FunctionPart;
  readonly inputs: readonly ('command' | 'state' | 'context')[];
}

function decideFunction(branches: readonly PrintedBranch[], names: Names, runtime: RuntimeImports): FunctionPart {
  const read = (['command', 'state', 'context'] as const).map((input) =>
    branches.some(({ inputs }) => inputs.includes(input)),
  );
  const types = [names.command, names.state ?? 'object', 'DecisionContext'];
  const parameters = ['command', 'state', 'context']
    .slice(0, read.lastIndexOf(true) + 1)
    .map((name, index) =>
      read[index] === true ? { name, type: types[index] ?? 'object' } : { name: `_${name}`, type: 'unknown' },
    );
  const calls = branches.map(({ part, inputs }) => callCode(part.name, inputs));
  return {
    kind: 'function',
    exported: true,
    name: 'decide',
    documentation: ['For each branch in order: the events it emits, or null where its guard did not hold.'],
    parameters,
    returns: runtime.type('Decided'),
    body: [{ kind: 'code', code: ['return ', arrayCode(calls), ';'] }],
  };
}

function branchFunction(
  block: DecisionBlock,
  branch: DecisionBranch,
  index: number,
  names: Names,
  runtime: RuntimeImports,
  outer: NameScope,
  parts: DecisionParts,
): PrintedBranch {
  const printer = parts.printer();
  const locals = createNameScope(['command', 'state', 'context', 'sql']);
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
  const inputs = (['command', 'state', 'context'] as const).filter((input) => mentions(body, input));
  if (mentions(body, 'sql')) runtime.value('sql');
  if (inputs.includes('context')) runtime.type('DecisionContext');
  const typeOf = { command: names.command, state: names.state ?? 'object', context: 'DecisionContext' };
  const label =
    branch.label === undefined ? `branch${block.branches.length === 1 ? '' : index + 1}` : localName(branch.label);
  return {
    inputs,
    part: {
      kind: 'function',
      exported: false,
      name: outer.take(label),
      documentation: branchDocumentation(branch),
      parameters: inputs.map((name) => ({ name, type: typeOf[name] })),
      returns: `readonly ${runtime.type('Emission')}[]${branch.guard === undefined ? '' : ' | null'}`,
      body,
    },
  };
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
      ['stream', emit.stream === undefined ? 'undefined' : printer.streamId(emit.stream)],
      ['payload', payload],
    ]),
  };
}

function branchCode(branch: DecisionBranch): Code {
  return objectCode([
    ['id', stringLiteral(branch.id)],
    ...(branch.label === undefined ? [] : [['label', stringLiteral(branch.label)] as const]),
    ...(branch.guardText === undefined ? [] : [['guard', textCode(branch.guardText)] as const]),
    ['events', arrayCode(branch.emits.map(({ event }) => stringLiteral(event)))],
  ]);
}

interface StateModule {
  readonly parts: readonly Part[];
  readonly code: Code;
}

/** The state's definition, and the functions that it names. */
function stateModule(state: DecisionState, commandType: string, runtime: RuntimeImports): StateModule {
  const { definition, emptyKey } = state;
  const folds =
    state.folds === undefined ? undefined : foldState({ ...state.folds, printer: state.printer, commandType });
  const parts = [
    ...(folds?.parts ?? []),
    ...(emptyKey === undefined ? [] : [emptyKeyFunction(emptyKey.id, state.printer, commandType)]),
  ];
  const columns: Part = {
    kind: 'constant',
    exported: false,
    name: 'stateColumns',
    type: `readonly ${runtime.type('Column')}[]`,
    value: dataCode(definition.columns),
  };
  const code = objectCode([
    ['columns', 'stateColumns'],
    ['query', queryCode(definition.query, 'stateColumns')],
    ...(folds?.entries ?? []),
    ['empty', arrayCode(definition.empty.map((value) => (typeof value === 'bigint' ? `${value}n` : dataCode(value))))],
    ...(emptyKey === undefined ? [] : ([['emptyKey', emptyKeyCode(emptyKey)]] as const)),
  ]);
  if (parts.length === 0) return { parts: [columns], code };
  for (const part of parts) noteImports(part, runtime);
  return { parts: [...parts, columns], code: callCode(runtime.value('defineState'), [code]) };
}

function emptyKeyFunction(id: TypedExpression, printer: RowPrinter, commandType: string): FunctionPart {
  const body: readonly Statement[] = [{ kind: 'code', code: ['return ', printer.value(id, 'slots'), ';'] }];
  return {
    kind: 'function',
    exported: false,
    name: 'emptyKey',
    documentation: ['The id that a stream without events was asked for by.'],
    parameters: readParameters(
      [
        { name: 'command', type: commandType },
        { name: 'context', type: 'DecisionContext' },
      ],
      body,
    ),
    returns: 'Value',
    body,
  };
}

function emptyKeyCode({ columns, id }: NonNullable<DecisionState['emptyKey']>): Code {
  return objectCode([
    ['columns', dataCode(columns)],
    ['type', dataCode(id.type)],
    ['id', 'emptyKey'],
  ]);
}

function noteImports(part: Part, runtime: RuntimeImports): void {
  if (part.kind !== 'function') return;
  if (mentions(part.body, 'sql')) runtime.value('sql');
  for (const type of [part.returns, ...part.parameters.map((parameter) => parameter.type)]) {
    if (/\bValue\b/.test(type)) runtime.type('Value');
    if (type === 'DecisionContext') runtime.type('DecisionContext');
  }
}
