import { fail } from '../../language/failure/failure.ts';

/** The id of the stream in `TO Aggregate(expr)`, as text; for NULL the decision fails. */
export function streamId(decision: string, id: string | number | bigint | boolean | null): string {
  if (id === null) throw fail('R0206', { decision, problem: 'the id of the stream that takes an event is NULL' });
  return String(id);
}
