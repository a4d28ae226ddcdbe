import type { ConsumerChange } from '../store/consumers/consumer-state.ts';
import { readRows } from './delivered-row.ts';
import { hasRowsOfAnother } from './lease.ts';
import type { Live, Lives } from './live.ts';
import type { SubscriptionsOptions } from './subscriptions.ts';

export interface ChangedDefinition {
  /**
   * Begins to read rows by the present definition, once the rows of an earlier one are back. Parked rows that it leaves out are
   * discarded.
   */
  readonly follow: (live: Live) => Promise<void>;
  /** Parked rows that were discarded for that since the start. */
  readonly leftOut: () => number;
}

export function createChangedDefinition(
  { engine, consumers }: Pick<SubscriptionsOptions, 'engine' | 'consumers'>,
  { turn, pass }: Pick<Lives, 'turn' | 'pass'>,
): ChangedDefinition {
  let leftOut = 0;

  const startOver = (live: Live): void => {
    const state = consumers.stateOf(live.definition.name);
    if (!live.changed || hasRowsOfAnother(state, live.by)) return;
    live.changed = false;
    live.late = [];
    live.reader.restart(state.acknowledged ?? 0);
  };
  const isLeftOut = async ({ domain, definition }: Live, position: number): Promise<boolean> => {
    const { rows, faulty } = await readRows(engine, domain, definition, { after: position - 1, until: position });
    return rows.length === 0 && faulty.length === 0;
  };

  return {
    leftOut: () => leftOut,
    follow: async (live) => {
      startOver(live);
      const { by, definition } = live;
      if (live.changed || live.parkedBy === by) return;
      const gone = new Set<number>();
      for (const position of [...consumers.stateOf(definition.name).parked.keys()])
        if (await isLeftOut(live, position)) gone.add(position);
      if (gone.size > 0)
        await turn(live, ({ parked }) => {
          const changes = [...gone].flatMap((position): ConsumerChange[] =>
            parked.has(position) ? [{ is: 'discarded', position }] : [],
          );
          return {
            changes,
            result: (after) => {
              leftOut += changes.length;
              pass(live, after);
            },
          };
        });
      live.parkedBy = by;
    },
  };
}
