import type { Decided, DecisionContext, DecisionDefinition, StateDefinition } from '../contract/decision.ts';
import { fail, Failure } from '../failure/failure.ts';
import type { Row, Turn } from '../store/store.ts';
import type { Value } from '../values/type.ts';
import type { Handler } from './handlers.ts';

/** What state is read through: a turn of the store, or an inspection's view of one position. */
export type StateReader = Pick<Turn, 'query'>;

/** Milliseconds that a STATE which is no fold may take (language.md section 4, DECISION). */
export const STATE_BUDGET_MS = 1000;

/**
 * The state that a decision looks at, at exactly the turn's position: the one row of its STATE, or what no row means. Throws a
 * `Failure` of kind `schema` when there are several rows or the time is over.
 */
export async function loadState(reader: StateReader, decision: DecisionDefinition<object, object>, command: object): Promise<Row> {
  const state = decision.state;
  if (state === undefined) return [];
  const rows = await readRows(reader, decision.name, state, command);
  if (rows.length > 1) throw fail('R0203', { decision: decision.name, rows: rows.length });
  return rows[0] ?? state.empty;
}

async function readRows(reader: StateReader, decision: string, state: StateDefinition, command: object): Promise<readonly Row[]> {
  const parameters = state.query.parameters.map((parameter) => field(command, parameter.name));
  try {
    return await reader.query(state.query, parameters, { milliseconds: STATE_BUDGET_MS });
  } catch (error) {
    if (error instanceof Failure && error.code === 'R0301') throw fail('R0207', { decision, milliseconds: STATE_BUDGET_MS });
    throw error;
  }
}

/** Reads the state and decides, without any effect: what executing and inspecting share. */
export async function evaluate(
  reader: StateReader,
  handler: Handler,
  command: object,
  context: DecisionContext,
): Promise<{ readonly row: Row; readonly decided: Decided }> {
  const row = await loadState(reader, handler.decision, command);
  return { row, decided: handler.decision.decide(command, stateObject(handler.decision.state, row), context) };
}

/** The state as the object that `decide` takes: a property of each column's name. */
export function stateObject(state: StateDefinition | undefined, row: Row): object {
  const object: Record<string, Value> = Object.create(null) as Record<string, Value>;
  state?.columns.forEach((column, index) => {
    object[column.name] = row[index] ?? null;
  });
  return object;
}

/** A declared field of a decoded command or payload; absent is NULL. */
export function field(holder: object, name: string): Value {
  return Object.hasOwn(holder, name) ? ((holder as Record<string, Value | undefined>)[name] ?? null) : null;
}
