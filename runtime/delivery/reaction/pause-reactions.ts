import type { Store } from '../../store/store.ts';
import { markEntry } from './answer.ts';
import { generationsOf } from './generations.ts';

/**
 * Pauses all reactions of a store that no engine serves, until an operator starts them; gives their names. For a copy of a
 * log, whose commands would otherwise be executed a second time.
 */
export async function pauseReactions(store: Store, subject: string): Promise<readonly string[]> {
  const schema = store.log.schema();
  const names = new Map(
    schema.flatMap(({ changes }) => changes.map(({ name }) => [name.toLowerCase(), name] as const)),
  );
  const marks = [...generationsOf(schema)].map(
    ([name, { entry }]) => ({ name: names.get(name) ?? name, generation: entry, position: 0, is: 'paused' }) as const,
  );
  if (marks.length === 0) return [];
  await store.turns.exclusively((turn) => {
    for (const mark of marks) {
      const entry = markEntry(mark, undefined, {});
      turn.append({ ...entry, cells: { ...entry.cells, subject } }, store.turns.position().at);
    }
  });
  return marks.map(({ name }) => name);
}
