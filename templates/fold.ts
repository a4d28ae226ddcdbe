/**
 * Folds in the module of a decision's definition: for each the accumulator's type, the row condition and key, the
 * initial state and `evolve`; for each lookup its key; and `compose`, which combines them into the state's row. Takes
 * the plan and names, gives parts; decides nothing.
 */
import type { TypedExpression } from '../language/catalog/expression.ts';
import type { FoldStatePlan } from '../language/plan/fold.ts';
import type { CompiledQuery } from '../language/contract/query.ts';
import { arrayCode, callCode, layoutCode, negatedCode, objectCode, type Code, type CodeGroup } from './code.ts';
import { dataCode } from './data.ts';
import type { RowPrinter, RowSource } from './expression-printer.ts';
import { isStreamId, slotLocals, type NamedFold, type NamedLookup } from './fold-names.ts';
import { keptSlot, slotValue, type SlotArgument } from './fold-slot.ts';
import { memberKey, stringLiteral } from './literal.ts';
import {
  constantPart,
  interfacePart,
  type ConstantPart,
  type FunctionPart,
  type InterfacePart,
  type Part,
  type Statement,
} from './module.ts';
import { readParameters } from './parameters.ts';
import { trickComment } from './tricks.ts';
import { valueType } from './value-type.ts';

export interface FoldStateParts {
  readonly plan: FoldStatePlan;
  /** The query behind each lookup's fold, by lookup. */
  readonly loads: readonly CompiledQuery[];
  /** The columns of an event row that each lookup's fold reads. */
  readonly columns: readonly (readonly ColumnExpression[])[];
  readonly printer: RowPrinter;
  readonly commandType: string;
  readonly lookups: readonly NamedLookup[];
}
type ColumnExpression = TypedExpression & { readonly kind: 'column' };

export interface FoldStateModule {
  readonly parts: readonly Part[];
  /** Properties of the state's definition. */
  readonly entries: readonly (readonly [key: string, value: Code])[];
}

export function foldState(given: FoldStateParts): FoldStateModule {
  const { lookups } = given;
  const isFirst = ({ fold }: NamedLookup, index: number): boolean =>
    lookups.findIndex((other) => other.fold === fold) === index;
  return {
    parts: [
      ...lookups.flatMap((lookup, index) => (isFirst(lookup, index) ? foldParts(given, lookup.fold, index) : [])),
      ...lookups.map((lookup, index) => commandKey(given, lookup, index)),
      composeFunction(given),
    ],
    entries: [
      ['folds', arrayCode(lookups.map(lookupCode))],
      ['compose', 'compose'],
    ],
  };
}

function lookupCode({ lookup, fold, key }: NamedLookup): Code {
  return objectCode([
    ['fold', fold.definition],
    ['key', key],
    ['mustExist', String(lookup.mustExist)],
  ]);
}

/** `index` is that of the first lookup of this fold. */
function foldParts(given: FoldStateParts, named: NamedFold, index: number): readonly Part[] {
  return [
    accumulator(named),
    eventRow(named, given.columns[index] ?? []),
    eventKey(given, named),
    initial(named),
    evolve(given, named),
    definition(named, given.loads[index]),
  ];
}

function accumulator({ fold, stateType, slots }: NamedFold): InterfacePart {
  return interfacePart(
    stateType,
    [`The state of this fold over the events of ${keptOf(fold)}.`],
    fold.slots.flatMap((slot, index) => keptSlot(slot, slots[index] ?? { name: 'value' }).members),
  );
}

function keptOf({ aggregate, key }: NamedFold['fold']): string {
  if (key.length === 0) return `all ${aggregate} streams`;
  if (key.length === 1 && isStreamId(key[0])) return `one ${aggregate} stream`;
  const columns = key.map((part) => (part.kind === 'column' ? part.column : 'key'));
  return `all ${aggregate} streams that have the same ${columns.join(' and ')}`;
}

function eventRow({ eventType }: NamedFold, columns: readonly ColumnExpression[]): InterfacePart {
  return interfacePart(
    eventType,
    ['The columns of an event that this fold reads.'],
    columns.map(({ column, type, nullable }) => ({
      key: memberKey(column),
      type: valueType(type, nullable),
    })),
  );
}

function eventKey(given: FoldStateParts, { fold, keyOfEvent, eventType }: NamedFold): FunctionPart {
  const condition = fold.where === undefined ? [] : [returnNullUnless(given.printer.condition(fold.where, 'event'))];
  const body = [...condition, ...keyStatements(given, fold.key, 'event')];
  return {
    kind: 'function',
    exported: false,
    name: keyOfEvent,
    documentation: ['The key of an event in this fold, or null when the fold ignores the event.'],
    parameters: readParameters([{ name: 'event', type: eventType }], body),
    returns: 'readonly Value[] | null',
    body,
  };
}

function commandKey(given: FoldStateParts, { lookup, key }: NamedLookup, index: number): FunctionPart {
  const local = slotLocals(given.lookups, given.printer.slots(lookup.key));
  const body = [...foundLocals(given, lookup.key, local), ...keyStatements(given, lookup.key, local)];
  const offered = [
    { name: 'command', type: given.commandType },
    { name: 'folds', type: foldTypes(given.lookups.slice(0, index)) },
    { name: 'context', type: 'DecisionContext' },
  ];
  return {
    kind: 'function',
    exported: false,
    name: key,
    documentation: ['The key that the command requests.'],
    parameters: readParameters(offered, body),
    returns: 'readonly Value[] | null',
    body,
  };
}

/** A part that may be NULL is a local, so that NULL is found when it is computed. */
function keyStatements(
  given: FoldStateParts,
  key: readonly TypedExpression[],
  source: RowSource,
): readonly Statement[] {
  const name = (index: number): string => (key.length === 1 ? 'key' : `key${index + 1}`);
  const nullable = key.map((part, index) => (part.nullable ? name(index) : undefined));
  const texts = key.map((part, index) => nullable[index] ?? given.printer.value(part, source));
  const locals = key.flatMap((part, index): readonly Statement[] => {
    const local = nullable[index];
    if (local === undefined) return [];
    return [{ kind: 'local', name: local, type: valueType(part.type, true), value: given.printer.value(part, source) }];
  });
  const tests = nullable.filter((local) => local !== undefined).map((local) => `${local} === null`);
  const leave: Statement = {
    kind: 'if',
    condition: tests.join(' || '),
    body: [{ kind: 'code', code: 'return null;' }],
  };
  return [
    ...locals,
    ...(tests.length === 0 ? [] : [leave]),
    { kind: 'code', code: ['return ', arrayCode(texts), ';'] },
  ];
}

function returnNullUnless(condition: Code): Statement {
  return {
    kind: 'if',
    condition: negatedCode(condition),
    body: [{ kind: 'code', code: 'return null;' }],
  };
}

function initial({ fold, stateType, initial: name, slots }: NamedFold): FunctionPart {
  const entries = fold.slots.flatMap((slot, index) => keptSlot(slot, slots[index] ?? { name: 'value' }).initial);
  return {
    kind: 'function',
    exported: false,
    name,
    documentation: ['The state before the first event.'],
    parameters: [],
    returns: stateType,
    body: [{ kind: 'code', code: ['return ', objectCode(entries), ';'] }],
  };
}

function evolve(given: FoldStateParts, named: NamedFold): FunctionPart {
  const body = named.fold.slots.flatMap((_, index) => slotStatements(given, named, index));
  const offered = [
    { name: 'fold', type: named.stateType },
    { name: 'event', type: named.eventType },
  ];
  return {
    kind: 'function',
    exported: false,
    name: named.evolve,
    documentation: ['Adds one event to the state.'],
    parameters: readParameters(offered, body),
    returns: 'void',
    body,
  };
}

function slotStatements({ printer }: FoldStateParts, { fold, slots }: NamedFold, index: number): readonly Statement[] {
  const slot = fold.slots[index];
  if (slot === undefined) return [];
  const argument: SlotArgument =
    slot.argument === undefined
      ? { value: 'true', operand: 'true' }
      : { value: printer.value(slot.argument, 'event'), operand: printer.operand(slot.argument, 'event') };
  const change = keptSlot(slot, slots[index] ?? { name: 'value' }).change(argument);
  if (slot.filter === undefined) return change;
  return [{ kind: 'if', condition: printer.condition(slot.filter, 'event'), body: change }];
}

function definition(named: NamedFold, load: CompiledQuery | undefined): ConstantPart {
  const { fold } = named;
  if (load === undefined) throw new Error(`fold ${fold.id} has no query`);
  return constantPart(
    named.definition,
    undefined,
    callCode('defineFold', [
      objectCode([
        ['id', stringLiteral(fold.id)],
        ['aggregate', stringLiteral(fold.aggregate)],
        ['byStream', String(fold.key.length === 1 && isStreamId(fold.key[0]))],
        ['key', named.keyOfEvent],
        ['initial', named.initial],
        ['evolve', named.evolve],
        ['load', dataCode(load)],
      ]),
    ]),
    [
      `How a server keeps ${named.stateType} up to date; \`load\` reads the events of one key from the start.`,
      ...trickComment(load),
    ],
  );
}

function composeFunction(given: FoldStateParts): FunctionPart {
  const { plan, printer, lookups } = given;
  const read = [...plan.items, ...(plan.present === undefined ? [] : [plan.present])];
  const local = slotLocals(lookups, printer.slots(read));
  const present: readonly Statement[] =
    plan.present === undefined ? [] : [returnNullUnless(printer.condition(plan.present, local))];
  const body: readonly Statement[] = [
    ...foundLocals(given, read, local),
    ...present,
    { kind: 'code', code: ['return ', arrayCode(plan.items.map((item) => printer.value(item, local))), ';'] },
  ];
  const offered = [
    { name: 'command', type: given.commandType },
    { name: 'folds', type: foldTypes(lookups) },
    { name: 'context', type: 'DecisionContext' },
  ];
  return {
    kind: 'function',
    exported: false,
    name: 'compose',
    documentation: ['The row of the state.'],
    parameters: readParameters(offered, body),
    returns: 'readonly Value[] | null',
    body,
  };
}

/** `const [plan, subscription] = folds;`, then each slot that expressions read. */
function foundLocals(
  { lookups, printer }: FoldStateParts,
  expressions: readonly TypedExpression[],
  local: (lookup: number, slot: number) => string,
): readonly Statement[] {
  const slots = printer.slots(expressions);
  if (slots.length === 0) return [];
  const used = lookups.map((_, index) => slots.some(({ lookup }) => lookup === index));
  const found = lookups
    .slice(0, used.lastIndexOf(true) + 1)
    .map((named, index) => (used[index] === true ? named.found : ''));
  const values = slots.flatMap(({ lookup, slot }): readonly Statement[] => {
    const named = lookups[lookup];
    const kept = named?.fold.fold.slots[slot];
    const names = named?.fold.slots[slot];
    if (named === undefined || kept === undefined || names === undefined) return [];
    const { text, type } = slotValue(kept, names, named.found);
    return [{ kind: 'local', name: local(lookup, slot), type, value: text }];
  });
  const start: CodeGroup = { ...listOf(found), open: 'const [', close: '] = folds;' };
  return [{ kind: 'code', code: start }, ...values];
}

function listOf(items: readonly string[]): CodeGroup {
  return { open: '[', items, close: ']', separator: ',', padding: '', trailing: ',' };
}

/** The states of these lookups, as the type of a parameter, on a separate line when it is long. */
function foldTypes(lookups: readonly NamedLookup[]): string {
  return layoutCode(
    { ...listOf(lookups.map(({ fold }) => fold.stateType)), open: 'readonly [' },
    2,
    2 + 'folds: '.length,
  );
}
