/** Executes rows on a store that this process opens: the same commands, without a server between. */
import { Failure } from '../../language/failure/failure.ts';
import { ExactNumber, type JsonValue } from '../../language/values/json.ts';
import { typeName } from '../../language/values/type.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { inputFault } from '../exit-fault.ts';
import type { CommandRow } from './rows.ts';
import type { AnswerRow, Target } from './target.ts';

/** Commands that are under way at once, and share commits. */
const atOnce = 64;

export function storeTarget(engine: Engine, command: string): Target {
  const definition = engine.domain().commands.find(({ name }) => name === command);
  if (definition === undefined) throw inputFault(`there is no command '${command}'`);
  const types = new Map(definition.fields.map(({ name, type }) => [name.toLowerCase(), typeName(type)]));
  return {
    types,
    execute: (rows) => {
      const state = { isEnough: false };
      return {
        answers: executeAll(engine, command, rows, state),
        enough: () => {
          state.isEnough = true;
        },
      };
    },
  };
}

async function* executeAll(
  engine: Engine,
  command: string,
  rows: AsyncIterable<readonly CommandRow[]>,
  state: { readonly isEnough: boolean },
): AsyncGenerator<readonly AnswerRow[], void, undefined> {
  let before = 0;
  for await (const piece of rows) {
    for (let from = 0; from < piece.length; from += atOnce) {
      if (state.isEnough) return;
      const some = piece.slice(from, from + atOnce);
      const first = before + 1;
      before += some.length;
      const answers = await Promise.all(some.map((row, index) => executeOne(engine, command, row, first + index)));
      yield answers.flat();
    }
  }
}

async function executeOne(
  engine: Engine,
  command: string,
  { arguments: given, idempotencyKey, expectedSeq }: CommandRow,
  row: number,
): Promise<readonly AnswerRow[]> {
  try {
    const commandId = keyOf(idempotencyKey);
    const seq = seqOf(expectedSeq);
    const { outcome, replayed, events } = await engine.execute({
      command,
      arguments: given,
      waitsInLine: true,
      ...(commandId !== undefined && { commandId }),
      ...(seq !== undefined && { expectedSeq: seq }),
    });
    if (outcome === 'rejected') return [{ row, status: 'rejected', replayed }];
    return events.map(() => ({ row, status: 'success', replayed }));
  } catch (error) {
    // Without its store nothing of the rest can be executed.
    if (!(error instanceof Failure) || error.code === 'R0402' || error.code === 'R0403') throw error;
    return [{ row, status: 'error', replayed: false, message: `${error.message} (${error.code})` }];
  }
}

function keyOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[\x20-\x7e]{1,256}$/.test(value))) return value;
  throw inputFault('idempotency_key takes 1 to 256 printable ASCII characters');
}

function seqOf(value: JsonValue | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value instanceof ExactNumber && /^(0|[1-9]\d{0,14})$/.test(value.text)) return Number(value.text);
  throw inputFault('expected_seq takes a whole number from 0, without quotes');
}
