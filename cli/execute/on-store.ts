/** Executes rows on a store that this process opens: the same commands, without a server between. */
import { Failure } from '../../language/failure/failure.ts';
import { typeName } from '../../language/values/type.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { operator } from '../../server/operation/caller.ts';
import { execute } from '../../server/operation/execute/execute.ts';
import { isOfStore } from '../../server/operation/execute/execute-many.ts';
import { Problem } from '../../server/http/wire/problem.ts';
import { expectedSeqOf, keyOf } from '../../server/http/many-commands/command-of-line.ts';
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
    const seq = expectedSeqOf(expectedSeq);
    const request = {
      command,
      arguments: given,
      waitsInLine: true as const,
      ...(commandId !== undefined && { commandId }),
      ...(seq !== undefined && { expectedSeq: seq }),
    };
    const { outcome, replayed, events } = await execute(engine, request, { caller: operator });
    if (outcome === 'rejected') return [{ row, status: 'rejected', replayed }];
    return events.map(() => ({ row, status: 'success', replayed }));
  } catch (error) {
    // Without its store nothing of the rest can be executed.
    const isOfRow = error instanceof Problem || (error instanceof Failure && !isOfStore(error));
    if (!isOfRow) throw error;
    return [{ row, status: 'error', replayed: false, message: `${error.message} (${error.code})` }];
  }
}
