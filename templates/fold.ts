/**
 * Folds in a decision's module: for each lookup of its STATE the accumulator's type, the row condition and key, the initial
 * state and `evolve`; and `compose`, which makes the state's row of them. Takes the plan, gives parts; decides nothing.
 */
import type { TypedExpression } from '../language/catalog/expression.ts';
import type { Fold, FoldLookup, FoldSlot, FoldStatePlan } from '../language/plan/fold.ts';
import type { CompiledQuery } from '../language/contract/query.ts';
import { arrayCode, negatedCode, objectCode, type Code } from './code.ts';
import { dataCode } from './data.ts';
import type { RowPrinter, RowSource } from './expression-printer.ts';
import { memberKey, stringLiteral } from './literal.ts';
import type { FunctionPart, InterfacePart, Part, Statement } from './module.ts';
import { keptSlot, slotValue, type SlotArgument } from './fold-slot.ts';
import { readParameters } from './parameters.ts';
import { valueType } from './value-type.ts';

export interface FoldStateParts {
  readonly plan: FoldStatePlan;
  /** The query behind each lookup's fold, by lookup. */
  readonly loads: readonly CompiledQuery[];
  /** The columns of an event row that each lookup's fold reads. */
  readonly columns: readonly (readonly (TypedExpression & { readonly kind: 'column' })[])[];
  readonly printer: RowPrinter;
  readonly commandType: string;
}

export interface FoldStateModule {
  readonly parts: readonly Part[];
  /** Properties of the state's definition. */
  readonly entries: readonly (readonly [key: string, value: Code])[];
}

export function foldState(given: FoldStateParts): FoldStateModule {
  const lookups = given.plan.lookups.map((lookup, index) => lookupParts(given, lookup, index));
  return {
    parts: [...lookups.flatMap(({ parts }) => parts), composeFunction(given)],
    entries: [
      ['folds', arrayCode(lookups.map(({ definition }) => definition))],
      ['compose', 'compose'],
    ],
  };
}

interface LookupParts {
  readonly parts: readonly Part[];
  readonly definition: Code;
}

function lookupParts(given: FoldStateParts, lookup: FoldLookup, index: number): LookupParts {
  const { fold } = lookup;
  const load = given.loads[index];
  if (load === undefined) throw new Error(`fold ${fold.id} has no query`);
  const number = index + 1;
  const foldCode = objectCode([
    ['id', stringLiteral(fold.id)],
    ['aggregate', stringLiteral(fold.aggregate)],
    ['byStream', String(isByStream(fold))],
    ['key', `eventKey${number}`],
    ['initial', `initial${number}`],
    ['evolve', `evolve${number}`],
    ['load', dataCode(load)],
  ]);
  return {
    parts: [
      accumulator(fold, number),
      eventRow(given, index),
      eventKey(given, fold, number),
      initial(fold, number),
      evolve(given, fold, number),
      commandKey(given, lookup, number),
    ],
    definition: objectCode([
      ['fold', foldCode],
      ['key', `key${number}`],
      ['mustExist', String(lookup.mustExist)],
    ]),
  };
}

function isByStream(fold: Fold): boolean {
  const [part] = fold.key;
  return (
    fold.key.length === 1 && part?.kind === 'column' && (part.column === 'stream_id' || part.column === 'aggregate_id')
  );
}

function accumulator(fold: Fold, number: number): InterfacePart {
  return {
    kind: 'interface',
    exported: false,
    name: `Fold${number}`,
    documentation: [`What is kept of ${fold.aggregate}$Events under one key.`],
    members: fold.slots.flatMap((slot, index) => keptSlot(slot, index).members),
  };
}

function eventRow(given: FoldStateParts, index: number): InterfacePart {
  return {
    kind: 'interface',
    exported: false,
    name: `EventRow${index + 1}`,
    members: (given.columns[index] ?? []).map(({ column, type, nullable }) => ({
      key: memberKey(column),
      type: valueType(type, nullable),
    })),
  };
}

function eventKey(given: FoldStateParts, fold: Fold, number: number): FunctionPart {
  const condition = fold.where === undefined ? [] : [returnNullUnless(given.printer.condition(fold.where, 'event'))];
  const body = [...condition, ...keyStatements(given, fold.key, 'event')];
  return {
    kind: 'function',
    exported: false,
    name: `eventKey${number}`,
    documentation: ['The key of an event, or null when it does not take part.'],
    parameters: readParameters([{ name: 'event', type: `EventRow${number}` }], body),
    returns: 'readonly Value[] | null',
    body,
  };
}

function commandKey(given: FoldStateParts, lookup: FoldLookup, number: number): FunctionPart {
  const body = [...slotLocals(given, lookup.key), ...keyStatements(given, lookup.key, 'slots')];
  const offered = [
    { name: 'command', type: given.commandType },
    { name: 'folds', type: foldTypes(number - 1) },
  ];
  return {
    kind: 'function',
    exported: false,
    name: `key${number}`,
    documentation: ['The key that the command asks for.'],
    parameters: readParameters(offered, body),
    returns: 'readonly Value[] | null',
    body,
  };
}

/** A part that may be NULL as a local, so that NULL is seen once it is computed. */
function keyStatements(
  given: FoldStateParts,
  key: readonly TypedExpression[],
  source: RowSource,
): readonly Statement[] {
  const nullable = key.map((part, index) => (part.nullable ? `part${index + 1}` : undefined));
  const texts = key.map((part, index) => nullable[index] ?? given.printer.value(part, source));
  const locals = key.flatMap((part, index): readonly Statement[] => {
    const name = nullable[index];
    if (name === undefined) return [];
    return [{ kind: 'local', name, type: valueType(part.type, true), value: given.printer.value(part, source) }];
  });
  const tests = nullable.filter((name) => name !== undefined).map((name) => `${name} === null`);
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

function initial(fold: Fold, number: number): FunctionPart {
  const entries = fold.slots.flatMap((slot, index) => keptSlot(slot, index).initial);
  return {
    kind: 'function',
    exported: false,
    name: `initial${number}`,
    parameters: [],
    returns: `Fold${number}`,
    body: [{ kind: 'code', code: ['return ', objectCode(entries), ';'] }],
  };
}

function evolve(given: FoldStateParts, fold: Fold, number: number): FunctionPart {
  const body = fold.slots.flatMap((slot, index) => slotStatements(given, slot, index));
  const offered = [
    { name: 'fold', type: `Fold${number}` },
    { name: 'event', type: `EventRow${number}` },
  ];
  return {
    kind: 'function',
    exported: false,
    name: `evolve${number}`,
    documentation: ['Takes one more event into account.'],
    parameters: readParameters(offered, body),
    returns: 'void',
    body,
  };
}

function slotStatements(given: FoldStateParts, slot: FoldSlot, index: number): readonly Statement[] {
  const argument: SlotArgument =
    slot.argument === undefined
      ? { value: 'true', operand: 'true' }
      : { value: given.printer.value(slot.argument, 'event'), operand: given.printer.operand(slot.argument, 'event') };
  const change = keptSlot(slot, index).change(argument);
  if (slot.filter === undefined) return change;
  return [{ kind: 'if', condition: given.printer.condition(slot.filter, 'event'), body: change }];
}

function composeFunction(given: FoldStateParts): FunctionPart {
  const { plan, printer } = given;
  const locals = slotLocals(given, [...plan.items, ...(plan.present === undefined ? [] : [plan.present])]);
  const present: readonly Statement[] =
    plan.present === undefined ? [] : [returnNullUnless(printer.condition(plan.present, 'slots'))];
  const body: readonly Statement[] = [
    ...locals,
    ...present,
    { kind: 'code', code: ['return ', arrayCode(plan.items.map((item) => printer.value(item, 'slots'))), ';'] },
  ];
  const offered = [
    { name: 'command', type: given.commandType },
    { name: 'folds', type: foldTypes(plan.lookups.length) },
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

/** Each slot that expressions read, as a local. */
function slotLocals({ plan, printer }: FoldStateParts, expressions: readonly TypedExpression[]): readonly Statement[] {
  return printer.slots(expressions).flatMap(({ lookup, slot }): readonly Statement[] => {
    const definition = plan.lookups[lookup]?.fold.slots[slot];
    if (definition === undefined) return [];
    const { text, type } = slotValue(definition, slot, `folds[${lookup}]`);
    return [{ kind: 'local', name: slotLocal(lookup, slot), type, value: text }];
  });
}

/** The states of so many lookups. */
function foldTypes(lookups: number): string {
  return `readonly [${Array.from({ length: lookups }, (_, index) => `Fold${index + 1}`).join(', ')}]`;
}

/** The local that holds a slot's value. */
export function slotLocal(lookup: number, slot: number): string {
  return `fold${lookup + 1}Slot${slot + 1}`;
}
