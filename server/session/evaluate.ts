/** The common steps of statements with queries: report what binding found, run a bound query. */
import type { Bound, BoundQuery } from '../../compiler/index.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { QueryOptions } from '../../runtime/store/store.ts';
import type { StatementContext } from './context.ts';
import type { StatementResult } from './outcome.ts';
import { placeQuery } from './place-query.ts';
import { errorOf } from './problems.ts';

/** Reports the diagnostics of binding, and continues with its value if it is complete. */
export async function withBound<T>(
  context: StatementContext,
  bound: Bound<T>,
  next: (value: T) => Promise<StatementResult>,
): Promise<StatementResult> {
  for (const diagnostic of bound.diagnostics) if (diagnostic.severity !== 'error') context.warn(diagnostic);
  return bound.value === undefined ? errorOf(bound.diagnostics) : next(bound.value);
}

/** Runs a bound query on the durable state. */
export async function evaluateQuery(
  context: StatementContext,
  query: BoundQuery,
  instant?: bigint,
): Promise<Raw<Table>> {
  const placed = await placeQuery(context, query);
  try {
    return await placed.place.engine.query(placed.query, [], stoppable(context, instant));
  } finally {
    await placed.done();
  }
}

/** Evaluates a query for rows that stay inside; they keep their columns' marks. */
export async function evaluateInside(context: StatementContext, query: BoundQuery): Promise<Table> {
  return unmasked(await evaluateQuery(context, query));
}

/** A query that ends with its statement; its CURRENT_TIMESTAMP is that of the session, if this has a clock of its own. */
export function stoppable(
  { signal, sessionClock }: StatementContext,
  instant: bigint | undefined = sessionClock?.now(),
): QueryOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(instant === undefined ? {} : { instant }) };
}
