import { callerValue } from '../../language/contract/caller.ts';
import type { Decided, DecisionContext, StateDefinition } from '../../language/contract/decision.ts';
import type { FoldDefinition, FoldLookup } from '../../language/contract/fold.ts';
import type { Column } from '../../language/contract/query.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { andThen, type Soon } from '../../language/failure/soon.ts';
import { namingCell } from '../store/query-failure.ts';
import type { Row, Turn } from '../store/store.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import { castValue } from '../../language/values/cast.ts';
import { withinTextBudget } from '../../language/values/text-budget.ts';
import type { Type, Value } from '../../language/values/type.ts';
import type { Handler } from './handlers.ts';
import type { HotFolds } from './hot-folds.ts';

/** The reads of a decision: a turn of the store, and the hot folds as of its position. */
export interface StateReader {
  readonly turn: Pick<Turn, 'query' | 'head' | 'shared'>;
  readonly folds: HotFolds;
}

/** Milliseconds that a STATE without folds may take (docs/language.md#decision); the second while other servers may wait for it. */
export const [stateMilliseconds, sharedStateMilliseconds] = [1000, 250];

/** Reads the state and decides, without effect: the common part of executing and inspecting. */
export function evaluate(
  reader: StateReader,
  handler: Handler,
  command: object,
  context: DecisionContext,
): Soon<{ readonly row: Row; readonly decided: Decided }> {
  const { decision } = handler;
  try {
    const row = loadState(reader, decision, command, context);
    return row instanceof Promise
      ? row
          .then((loaded) => decided(decision, command, loaded, context))
          .catch((error: unknown) => located(decision.name, error))
      : decided(decision, command, row, context);
  } catch (error) {
    return located(decision.name, error);
  }
}

function decided(
  decision: Handler['decision'],
  command: object,
  row: Row,
  context: DecisionContext,
): { readonly row: Row; readonly decided: Decided } {
  return {
    row,
    decided: withinTextBudget(() => decision.decide(command, stateObject(decision.state, row), context)),
  };
}

/** Throws the error, a failure of an expression with the name of its decision. */
function located(decision: string, error: unknown): never {
  throw error instanceof Failure && ofExpressions.has(error.code)
    ? new Failure(error.code, `decision '${decision}': ${error.message}; nothing was written`)
    : error;
}

/** Failures of expressions, which do not know the block they are part of. */
const ofExpressions: ReadonlySet<string> = new Set(['R0201', 'R0202', 'R0204', 'R0205', 'R0208', 'R0210']);

/**
 * The state of a decision at exactly the turn's position: the one row of its STATE, or the row for an empty result.
 * Fails with a `Failure` of kind `schema` when there are several rows or the time limit is over.
 */
export function loadState(
  reader: StateReader,
  decision: { readonly name: string; readonly state?: StateDefinition | undefined },
  command: object,
  context: DecisionContext,
): Soon<Row> {
  const { state } = decision;
  if (state === undefined) return [];
  return andThen(fold(reader, state, command, context), (row) =>
    row === 'unknown'
      ? scanned(reader, decision.name, state, command, context)
      : (row ?? emptyRow(state, command, context)),
  );
}

/**
 * The row by folds, null when there is none. `unknown` when the state has no folds, or when an expression fails: folds
 * compute all keys and sums, also those that the query itself does not read, so that only the query can find out
 * whether that is a failure.
 */
function fold(
  reader: StateReader,
  { folds, compose }: StateDefinition,
  command: object,
  context: DecisionContext,
): Soon<Row | null | 'unknown'> {
  if (folds === undefined || compose === undefined) return 'unknown';
  const composed = (states: readonly object[]): Row | null => withinTextBudget(() => compose(command, states, context));
  try {
    const states = lookUp(reader, folds, { command, context }, 0, new Array<object>(folds.length));
    if (states instanceof Promise)
      return states.then((found) => (found === null ? null : composed(found))).catch(unknownRow);
    return states === null ? null : composed(states);
  } catch (error) {
    return unknownRow(error);
  }
}

function unknownRow(error: unknown): 'unknown' {
  if (error instanceof Failure && ofExpressions.has(error.code)) return 'unknown';
  throw error;
}

/** Adds the state of every lookup from that index on to those before; null when a required one has none. */
function lookUp(
  reader: StateReader,
  lookups: readonly FoldLookup[],
  asked: { readonly command: object; readonly context: DecisionContext },
  from: number,
  states: object[],
): Soon<readonly object[] | null> {
  for (let at = from; at < lookups.length; at++) {
    const { fold, key, mustExist } = lookups[at] as FoldLookup; // within its length
    const parts = key(asked.command, states, asked.context);
    const state = parts === null ? undefined : stateUnder(reader, fold, parts);
    if (state instanceof Promise)
      return state.then((found) => {
        if (found === undefined && mustExist) return null;
        states[at] = found ?? fold.initial();
        return lookUp(reader, lookups, asked, at + 1, states);
      });
    if (state === undefined && mustExist) return null;
    states[at] = state ?? fold.initial();
  }
  return states;
}

function stateUnder(
  { turn, folds }: StateReader,
  fold: FoldDefinition<object>,
  key: readonly Value[],
): Soon<object | undefined> {
  const head = fold.byStream ? turn.head(fold.aggregate, scalarText(key[0])) : 1;
  return head instanceof Promise
    ? head.then((seq) => folds.state(turn, fold, key, seq === 0))
    : folds.state(turn, fold, key, head === 0);
}

/** The row of the query itself. */
async function scanned(
  reader: StateReader,
  decision: string,
  state: StateDefinition,
  command: object,
  context: DecisionContext,
): Promise<Row> {
  const rows = await scan(reader, decision, state, command, context);
  if (rows.length > 1) throw fail('R0203', { decision, rows: rows.length });
  return rows[0] ?? emptyRow(state, command, context);
}

async function scan(
  reader: StateReader,
  decision: string,
  state: StateDefinition,
  command: object,
  context: DecisionContext,
): Promise<readonly Row[]> {
  const parameters = state.query.parameters.map(({ name, caller }) =>
    caller === undefined ? field(command, name) : callerValue(context.caller, caller),
  );
  const milliseconds = reader.turn.shared === true ? sharedStateMilliseconds : stateMilliseconds;
  try {
    const seed = state.query.draws === true ? context.seed?.() : undefined;
    const options = { milliseconds, instant: context.now, ...(seed !== undefined && { seed }) };
    return await reader.turn.query(state.query, parameters, options);
  } catch (error) {
    if (error instanceof Failure && error.code === 'R0301') throw fail('R0207', { decision, milliseconds });
    // A caller that may send the command need not have the right to see the rows that STATE reads.
    throw namingCell(error, state.query.columns, 'column');
  }
}

/** The row for an empty result: NULLs, or the DEFAULTs of an empty stream with the requested id as its KEY field. */
export function emptyRow(
  { empty, emptyKey, columns }: StateDefinition,
  command: object,
  context: DecisionContext,
): Row {
  if (emptyKey === undefined) return empty;
  const asked = emptyKey.id(command, context);
  return empty.map((value, index) => {
    const column = emptyKey.columns.includes(index) ? columns[index] : undefined;
    return column === undefined ? value : sameValue(asked, emptyKey.type, column.type);
  });
}

/** The id as a value of another type; NULL when that type has no such value, so that no stream has the id. */
function sameValue(id: Value, from: Type, to: Type): Value {
  try {
    const value = castValue(id, from, to);
    const back = castValue(value, to, from);
    return typeof id === 'string' || back === id ? value : null;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * Without a prototype, so that any column name is an own property; as fast as a literal, unlike `Object.create(null)`.
 */
const Bare = function Bare() {} as unknown as new () => Record<string, Value>;
Bare.prototype = Object.create(null) as object;

/** The state as the argument of `decide`: an object with a property for each column. */
export function stateObject(state: StateDefinition | undefined, row: Row): object {
  const object = new Bare();
  if (state === undefined) return object;
  const { columns } = state;
  for (let index = 0; index < columns.length; index++) object[(columns[index] as Column).name] = row[index] ?? null;
  return object;
}

/** A declared field of a decoded command or payload; absent is NULL. */
export function field(holder: object, name: string): Value {
  return Object.hasOwn(holder, name) ? ((holder as Record<string, Value | undefined>)[name] ?? null) : null;
}
