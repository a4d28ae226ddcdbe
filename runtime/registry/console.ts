import {
  bindQuery,
  compileQuery,
  openRegistry,
  parseQuery,
  type Catalog,
  type QueryLimits,
} from '../../compiler/index.ts';
import type { Domain } from '../contract/domain.ts';
import type { Engine } from '../engine/engine.ts';
import { Failure } from '../failure/failure.ts';
import type { Caller } from '../http/auth/caller.ts';
import type { ConsoleAnswer } from '../http/options.ts';
import type { QueryBudget } from '../store/store.ts';
import { describe, hasErrors } from './posting.ts';

/** http-details.md section 7. */
const limits: QueryLimits = {
  depth: 64,
  joins: 16,
  commonTables: 16,
  setOperations: 16,
  listItems: 1000,
  recursive: false,
};
const budget: QueryBudget = { milliseconds: 1000, rows: 10_000, bytes: 16 * 1024 * 1024 };
const most = { columns: 100, running: 2, waiting: 8 } as const;

/**
 * `POST /api/query` (http-details.md section 5): one query of our own grammar, bound and printed by us, run with a budget on a path
 * that cannot write.
 */
export function createConsole(
  engine: Engine,
  catalogOf: (domain: Domain) => Catalog,
): (sql: string, caller: Caller) => Promise<ConsoleAnswer> {
  const gate = createGate();
  return async (sql, caller) => {
    const parsed = parseQuery({ name: 'sql', text: sql });
    if (parsed.outcome === 'error') return refused('invalid', describe(parsed.diagnostics));
    if (parsed.outcome !== 'query') return refused('forbidden', describe(parsed.diagnostics));
    const catalog = catalogOf(engine.domain());
    const bound = bindQuery(openRegistry(catalog), parsed.query, { tables: [], cleared: caller.cleared, limits });
    if (bound.value === undefined || hasErrors(bound.diagnostics))
      return refused('invalid', describe(bound.diagnostics));
    if (bound.value.columns.length > most.columns)
      return refused('invalid', `1:1 the query has more than ${most.columns} columns`);
    const query = compileQuery(bound.value, catalog, {});
    const hidden = query.reads.find((relation) => !caller.may(`read:${relation}`));
    if (hidden !== undefined) return refused('forbidden', `${caller.subject} may not read ${hidden}`);
    return gate(async () => {
      try {
        return { answer: 'table', table: await engine.query(query, [], { cleared: caller.cleared, budget }) };
      } catch (error) {
        if (!(error instanceof Failure) || error.kind === 'busy') throw error;
        return refused('invalid', `1:1 ${error.message}`);
      }
    });
  };
}

function refused(why: 'forbidden' | 'invalid', message: string): ConsoleAnswer {
  return { answer: 'refused', why, message };
}

/** Lets a few queries run, a few more wait, and refuses the rest. */
function createGate(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most.running) {
      if (waiting.length >= most.waiting)
        throw new Failure('R0401', `too many queries are waiting (${waiting.length}); try again in a moment`);
      await new Promise<void>((resume) => waiting.push(resume));
    }
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
