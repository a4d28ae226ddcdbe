/** Reactions get a quarter of each turn while callers wait, and whole turns when none does: neither starves the other. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fail } from '../../language/failure/failure.ts';
import type { DecideEnvironment, DecidingState } from '../../runtime/engine/decide.ts';
import { createExecutor } from '../../runtime/engine/executor.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

test('turns are shared by callers and reactions', async () => {
  const store = await openMemoryStore();
  const order: ('caller' | 'reaction')[] = [];
  // Which command it is does not matter here: it can be read, and its turn refuses it.
  const command = { decode: () => ({}), streamId: () => 'x' };
  const readable = {
    handlers: { of: () => ({ decision: { aggregate: 'A' }, command, callerDefaults: [] }) },
  } as unknown as DecidingState;
  let submitting = true;
  const executor = createExecutor(
    store,
    () => {
      if (submitting) return readable;
      order.push('caller');
      throw fail('R0106', { kind: 'command', name: 'None', known: [] });
    },
    { instant: (last) => last } as DecideEnvironment,
    { waitingCommands: 10_000, waitingMilliseconds: 600_000 },
    () => performance.now(),
  );
  const callers = Array.from(
    { length: 1000 },
    () =>
      new Promise((resolve) =>
        executor.submit({ command: 'None', arguments: new Map() }, { resolve, reject: resolve }),
      ),
  );
  submitting = false;
  const reacting = Array.from({ length: 2000 }, () =>
    executor.runOwn(() => {
      order.push('reaction');
      return Promise.resolve();
    }),
  );
  await Promise.all([...callers, ...reacting]);
  await executor.idle();
  await store.close();
  const turns: string[] = [];
  for (const [size, of] of runs(order)) turns.push(`${size} ${of}`);
  // 384 and 128 in each full turn; then what is left of the callers, and of the reactions all.
  assert.equal(turns, ['384 caller', '128 reaction', '384 caller', '128 reaction', '232 caller', '1744 reaction']);
});

/** Lengths of the runs of equal items. */
function runs<T>(list: readonly T[]): readonly (readonly [size: number, of: T])[] {
  const found: [number, T][] = [];
  for (const item of list) {
    const last = found.at(-1);
    if (last?.[1] === item) last[0] += 1;
    else found.push([1, item]);
  }
  return found;
}

test.run();
