/**
 * Connections that are cut while a batch is appended: at any moment, with the bytes delivered before, after or never. Each outcome that `settle`
 * gives is compared with the log at the end.
 */
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import { JournalFailure, type Journal } from '../../runtime/store/journal.ts';
import { openPostgresJournal } from '../../runtime/store/postgres/postgres-journal.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { collect } from '../contract/accounts.ts';
import { startTcpProxy } from '../kit/tcp-proxy.ts';

export interface Cuts {
  readonly url: string;
  readonly port: number;
  readonly namespace: string;
  readonly many: number;
  readonly chance: () => number;
}

export interface CutCounts {
  /** Batches whose answer came in spite of the cut. */
  readonly answered: number;
  readonly kept: number;
  readonly never: number;
  /** Batches of another server, on the same log, meanwhile. */
  readonly beside: number;
  /** Contradictions between the log and an outcome; there must be none. */
  readonly wrong: readonly string[];
}

export async function cutAppends({ url, port, namespace, many, chance }: Cuts): Promise<CutCounts> {
  const proxy = await startTcpProxy(port);
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  const open = (to: string): Promise<Journal> =>
    openPostgresJournal({
      target: readTarget(to, 'url'),
      namespace,
      random: systemRandom,
      now: Date.now,
      monotonic: () => performance.now(),
      log: () => undefined,
    });
  const [journal, other] = await Promise.all([open(through.href), open(url)]);
  const outcomes = new Map<string, 'kept' | 'never'>();
  let answered = 0;
  let beside = 0;
  let running = true;

  const appendBeside = async (): Promise<void> => {
    while (running) {
      const after = await other.fresh();
      if ((await other.append({ after, id: `beside-${beside}`, lines: ['beside'] })) === 'kept') beside += 1;
      await pause(5 + 20 * chance());
    }
  };

  const cutOne = async (at: number): Promise<void> => {
    const line = `cut ${at}`;
    const after = await untilItWorks(() => journal.fresh());
    const state = (['open', 'deaf to answers', 'holding requests'] as const)[Math.floor(3 * chance())] ?? 'open';
    proxy.become(state);
    const appended = journal.append({ after, id: line, lines: [line] }).catch((error: unknown) => error);
    await pause(6 * chance());
    proxy.cut();
    const result = await appended;
    proxy.become('open');
    // Late bytes arrive before, while or after the outcome is asked for.
    const late = pause(4 * chance()).then(proxy.deliver);
    if (result === 'kept' || result === 'behind') {
      answered += 1;
      outcomes.set(line, result === 'kept' ? 'kept' : 'never');
    } else {
      if (!(result instanceof JournalFailure) || !result.heals) throw result;
      outcomes.set(line, await untilItWorks(() => journal.settle(line)));
    }
    await late;
  };

  const working = appendBeside();
  for (let at = 1; at <= many; at += 1) await cutOne(at);
  await pause(200);
  running = false;
  await working;
  const lines = (await collect(other.read(1, (await other.fresh()).entry))).flat();
  await Promise.all([journal.close(), other.close()]);
  await proxy.close();
  const wrong = [...outcomes].flatMap(([line, outcome]) => {
    const found = lines.filter((each) => each === line).length;
    return found === (outcome === 'kept' ? 1 : 0) ? [] : [`${line}: ${outcome}, and ${found} times in the log`];
  });
  const counted = (wanted: 'kept' | 'never'): number =>
    [...outcomes.values()].filter((found) => found === wanted).length;
  if (lines.filter((line) => line === 'beside').length !== beside)
    wrong.push('a batch of the other server is missing or double');
  return { answered, kept: counted('kept'), never: counted('never'), beside, wrong };
}

async function untilItWorks<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof JournalFailure) || !error.heals) throw error;
      await pause(5);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
