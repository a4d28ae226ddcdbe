import { Failure } from '../../../language/failure/failure.ts';
import type { Store } from '../../../runtime/store/store.ts';
import { HungUp } from '../../operation/room/busy.ts';
import { Problem } from '../wire/problem.ts';
import { withoutPaths } from '../wire/without-paths.ts';
import type { ReadSettings } from '../settings.ts';
import { readsLog, type Route } from '../route.ts';

/** Wishes of a request about the entries that its answer shows (docs/http.md#several-servers). */
export interface ReadWish {
  /** The entries that this server has are enough. */
  readonly local: boolean;
  /** The answer tells of this server, also while the log is away or was lost. */
  readonly ofServer: boolean;
  /** The answer shows this entry, and all before it. */
  readonly minEntry: number;
}

/** Time that a request waits for entries. */
const waitMilliseconds = 5_000;

const latestOnReplica =
  "this server reads a replica, which may lack the latest entries; ask with 'Schemac-Consistency: local' for those that it has, or another server";

export function readWish(
  route: Route,
  header: (name: string) => string | undefined,
  { consistency }: ReadSettings,
): ReadWish {
  const mode = header('schemac-consistency') ?? consistency;
  if (mode !== 'latest' && mode !== 'local')
    throw badHeader('Schemac-Consistency', "Schemac-Consistency takes 'latest' or 'local'");
  const entry = header('schemac-min-entry') ?? '0';
  if (!/^(0|[1-9]\d{0,14})$/.test(entry))
    throw badHeader('Schemac-Min-Entry', 'Schemac-Min-Entry takes the number of an entry, such as 12');
  // A command is decided at the end of the log in any case.
  return {
    local: mode === 'local' || !readsLog(route),
    ofServer: route.local === true,
    minEntry: Number(entry),
  };
}

/** Resolves when the server has the wanted entries; undefined when it has them. `onClose` calls back when the client goes. */
export function reachPosition(
  store: Store,
  wish: ReadWish,
  { maxLagMilliseconds }: ReadSettings,
  onClose: (leave: () => void) => () => void,
): Promise<void> | undefined {
  const lost = store.turns.refusesReads();
  if (lost !== undefined && !wish.ofServer) throw new Problem('H5032', withoutPaths(lost.reason));
  if (!wish.local && store.turns.sharing()?.isReplica === true) throw new Problem('H5036', latestOnReplica);
  const isRecent = (): boolean =>
    !store.shared || wish.ofServer || (wish.local && store.turns.lag() <= maxLagMilliseconds);
  if (wish.minEntry <= store.turns.position().entry && isRecent()) return undefined;
  return within(store, onClose, async (signal) => {
    if (!isRecent()) await store.turns.fresh(signal);
    await store.turns.reach(wish.minEntry, signal);
  });
}

async function within(
  store: Store,
  onClose: (leave: () => void) => () => void,
  wait: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), waitMilliseconds);
  const forget = onClose(() => {
    stop.abort(new HungUp());
  });
  try {
    await wait(stop.signal);
  } catch (error) {
    if (stop.signal.reason instanceof HungUp) throw stop.signal.reason;
    if (!stop.signal.aborted || !(error instanceof Failure) || error.code !== 'R0303') throw error;
    throw new Problem('H5036', `this server has entries up to ${store.turns.position().entry} so far`, {
      'Retry-After': '1',
    });
  } finally {
    clearTimeout(timer);
    forget();
  }
}

function badHeader(field: string, message: string): Problem {
  return new Problem('H4004', message, {}, [{ field, message }]);
}
