/**
 * Watches the entries that are appended while a change of the registry is built: each entry is shown to the change once, before the change
 * is in force, so that nothing is adopted that cannot read it (docs/language.md#evolution).
 */
import type { LogEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import { RegistryMoved } from './engine.ts';

export interface Meanwhile {
  /** The first entry that the change has not seen. */
  readonly from: number;
  /** Throws if the change cannot be adopted with this entry in the log. */
  readonly take: (entry: LogEntry) => void;
}

export interface Watch {
  /** Shows all entries that are in the log by now. Throws `RegistryMoved` if one of them is a change by another server. */
  readonly catchUp: () => Promise<void>;
  /** Entries of other servers, which may come in while no turn of this server runs. */
  readonly appended: (entries: readonly LogEntry[]) => void;
  /** Shows the entries of other servers that came in since. */
  readonly takeOthers: () => void;
}

export function watchLog(store: Pick<Store, 'log'>, { from, take }: Meanwhile): Watch {
  let next = from;
  let others: readonly LogEntry[] = [];
  const show = (entry: LogEntry): void => {
    if (entry.number < next) return;
    if (entry.kind === 'schema') throw new RegistryMoved();
    take(entry);
    next = entry.number + 1;
  };
  return {
    catchUp: async () => {
      for await (const entry of store.log.read(next)) show(entry);
    },
    appended: (entries) => {
      others = [...others, ...entries];
    },
    takeOthers: () => {
      const came = others;
      others = [];
      came.forEach(show);
    },
  };
}
