/** Scripts on a store in memory and on one in PostgreSQL: every outcome must be the same. */
import type { SourceFile } from '../../language/source/source-file.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';

export interface Compared {
  readonly statements: number;
  readonly events: number;
  /** Statements with another outcome. */
  readonly differing: readonly { readonly memory: string; readonly postgres: string }[];
}

/** The namespace must not exist yet. */
export async function compareOutcomes(script: SourceFile, url: string, namespace: string): Promise<Compared> {
  const memory = await outcomesOf(script, await openMemoryStore());
  const postgres = await outcomesOf(script, await openPostgresStore({ url, namespace, readModel: 'inline' }));
  const differing = Array.from({ length: Math.max(memory.length, postgres.length) }, (_, at) => ({
    memory: memory[at] ?? 'nothing',
    postgres: postgres[at] ?? 'nothing',
  })).filter((one) => one.memory !== one.postgres);
  const events = memory.join().match(/"event_type"/g)?.length ?? 0;
  return { statements: memory.length, events, differing };
}

async function outcomesOf(script: SourceFile, store: Store): Promise<readonly string[]> {
  const session = await openSession({ store, version: '0.0.0' });
  const lines: string[] = [];
  try {
    for await (const outcome of session.run(script, { keepGoing: true }))
      lines.push(withoutChance(outcomeJson(outcome)));
  } finally {
    await session.close();
  }
  return lines;
}

/** Ids, secrets and times differ between any two runs. */
function withoutChance(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'secret')
    .replaceAll(/20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'time');
}
