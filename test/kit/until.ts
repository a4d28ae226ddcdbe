import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves once the condition holds, looking every few milliseconds. Rejects after `milliseconds`, which only a fault reaches: a loaded
 * machine may take many times as long as an idle one.
 */
export async function until(holds: () => boolean | Promise<boolean>, milliseconds = 60_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${String(holds)}`);
    await pause(10);
  }
}
