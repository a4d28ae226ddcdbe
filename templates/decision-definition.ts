/**
 * The second module of a decision: the read of its state, from folds or by a query, and the definition that connects the state with
 * `decide`. Takes the block and the names in use, gives the module; decides nothing.
 */
import type { DecisionBlock, DecisionBranch } from '../language/catalog/block.ts';
import type { TypedExpression } from '../language/catalog/expression.ts';
import type { StateDefinition } from '../language/contract/decision.ts';
import { queryCode } from './aggregate.ts';
import { callerClaims } from './caller-claims.ts';
import { arrayCode, callCode, objectCode, type Code } from './code.ts';
import { dataCode, textCode } from './data.ts';
import type { RowPrinter } from './expression-printer.ts';
import { functionParts } from './function.ts';
import { foldState, type FoldStateParts } from './fold.ts';
import { nameLookups } from './fold-names.ts';
import type { NameScope } from './identifiers.ts';
import { createImports, type Imports } from './imports.ts';
import { stringLiteral } from './literal.ts';
import { mentions } from './mentions.ts';
import type { ModuleFacts } from './module-facts.ts';
import {
  constantPart,
  exported,
  type FunctionPart,
  type ImportPart,
  type ModuleStructure,
  type Part,
  type Statement,
} from './module.ts';
import { readParameters } from './parameters.ts';
import { trickComment } from './tricks.ts';

export interface DecisionState {
  readonly definition: StateDefinition;
  /** Set when the state is folds looked up by key. */
  readonly folds?: Omit<FoldStateParts, 'commandType' | 'printer' | 'lookups'>;
  /** The columns that contain the requested id, and that id, when an empty stream gives its DEFAULTs. */
  readonly emptyKey?: { readonly columns: readonly number[]; readonly id: TypedExpression };
  readonly printer: RowPrinter;
}

export interface DefinitionParts extends ModuleFacts {
  /** The module of `decide`, and the name of the state's type in it. */
  readonly decideModule: string;
  readonly state: (DecisionState & { readonly type: string }) | undefined;
  readonly command: ImportPart;
  readonly commandType: string;
  /** Names in use, to which those of folds are added. */
  readonly types: NameScope;
  readonly values: NameScope;
}

/** Names at the top of any definition, and those of its functions' parameters. */
export const definitionNames = [
  'compose',
  'decision',
  'defineFold',
  'defineState',
  'emptyKey',
  'event',
  'fold',
  'folds',
  'stateColumns',
  'stateQuery',
] as const;

export function decisionDefinition(block: DecisionBlock, parts: DefinitionParts): ModuleStructure {
  const runtime = createImports();
  const { state, commandType } = parts;
  const found = state === undefined ? undefined : stateParts(state, parts, runtime);
  const claims = callerClaims([block.state, block.stateDefaults, block.branches]);
  const definition = objectCode([
    ['name', stringLiteral(block.name)],
    ['aggregate', stringLiteral(block.aggregate)],
    ['command', stringLiteral(block.command)],
    ['branches', arrayCode(block.branches.map(branchCode))],
    ...(found === undefined ? [] : [['state', found.code] as const]),
    ...(claims === undefined ? [] : [['callerClaims', dataCode(claims)] as const]),
    ['decide', 'decide'],
  ]);
  return {
    path: parts.path,
    head: parts.head,
    parts: [
      ...(found?.parts ?? []),
      exported(
        constantPart(
          'decision',
          `${runtime.type('DecisionDefinition')}<${commandType}, ${state?.type ?? 'object'}>`,
          definition,
          [`The definition of decision ${block.name} for a server.`],
        ),
      ),
    ],
    imports: [
      ...runtime.parts(),
      parts.command,
      ...(state === undefined ? [] : [{ from: parts.decideModule, types: true, names: [{ name: state.type }] }]),
      { from: parts.decideModule, types: false, names: [{ name: 'decide' }] },
    ],
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

export interface StateParts {
  readonly parts: readonly Part[];
  readonly code: Code;
}

/** The state's definition, and the functions and constants that it uses. */
export function stateParts(
  { definition, emptyKey, folds: planned, printer }: DecisionState,
  { commandType, types, values }: Pick<DefinitionParts, 'commandType' | 'types' | 'values'>,
  runtime: Imports,
): StateParts {
  const folds =
    planned === undefined
      ? undefined
      : foldState({ ...planned, printer, commandType, lookups: nameLookups(planned.plan.lookups, types, values) });
  const functions = [
    ...(folds?.parts ?? []),
    ...(emptyKey === undefined ? [] : [emptyKeyFunction(emptyKey.id, printer, commandType)]),
    ...functionParts(printer.functions([planned?.plan, emptyKey?.id]), runtime),
  ];
  if (folds !== undefined) runtime.value('defineFold');
  for (const part of functions) addImports(part, runtime);
  const columns: Part = constantPart(
    'stateColumns',
    `readonly ${runtime.type('Column')}[]`,
    dataCode(definition.columns),
  );
  const query: Part = constantPart(
    'stateQuery',
    runtime.type('CompiledQuery'),
    queryCode(definition.query, 'stateColumns'),
    [
      folds === undefined
        ? 'The state as a query, which is asked for each command.'
        : 'The same state as a query: `EXPLAIN` shows it, and tests compare the folds with it.',
      ...trickComment(definition.query),
    ],
  );
  const code = objectCode([
    ['columns', 'stateColumns'],
    ['query', 'stateQuery'],
    ...(folds?.entries ?? []),
    ['empty', arrayCode(definition.empty.map((value) => (typeof value === 'bigint' ? `${value}n` : dataCode(value))))],
    ...(emptyKey === undefined ? [] : ([['emptyKey', emptyKeyCode(emptyKey)]] as const)),
  ]);
  return {
    parts: [...functions, columns, query],
    code: functions.length === 0 ? code : callCode(runtime.value('defineState'), [code]),
  };
}

function emptyKeyFunction(id: TypedExpression, printer: RowPrinter, commandType: string): FunctionPart {
  const noSlots = (): string => {
    throw new Error('the id that a command asks for is over its fields alone');
  };
  const body: readonly Statement[] = [{ kind: 'code', code: ['return ', printer.value(id, noSlots), ';'] }];
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

function addImports(part: Part, runtime: Imports): void {
  if (part.kind !== 'function') return;
  if (mentions(part.body, 'sql')) runtime.value('sql');
  for (const type of [part.returns, ...part.parameters.map((parameter) => parameter.type)]) {
    if (/\bValue\b/.test(type)) runtime.type('Value');
    if (type === 'DecisionContext') runtime.type('DecisionContext');
  }
}
