import type { Engine } from '../runtime/engine/engine.ts';
import type { CompiledQuery } from '../language/contract/query.ts';

const text = { kind: 'STRING' } as const;

/** Reads a row of the projection `Balances` by its key, as `SELECT … FROM Reg."Balances" WHERE id = …` compiles. */
export function rowByKey(engine: Engine, id: string): Promise<unknown> {
  const columns = engine.domain().projections.find(({ name }) => name === 'Balances')?.columns ?? [];
  const list = columns.map(({ name }, index) => `r0."${name}" AS c${index}`).join(', ');
  const query: CompiledQuery = {
    parameters: [{ name: 'id', type: text }],
    columns,
    reads: ['Balances'],
    sqlite: { sql: `SELECT ${list} FROM "p$Balances" AS r0 WHERE r0."id" = ?1` },
  };
  return engine.query(query, [id], {});
}
