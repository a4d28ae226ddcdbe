/** Runs the same text of a query in the language and in PostgreSQL, and gives both answers in one form. */
import { types } from '@electric-sql/pglite';
import { openPostgres } from '../kit/postgres.ts';
import { openLanguage } from './language.ts';

export interface Twins {
  /** Rows as JSON text with numbers as numbers, `failure` where a value cannot be computed, or `refused` before anything runs. */
  readonly ours: (query: string) => string;
  readonly theirs: (query: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Classes of PostgreSQL's SQLSTATE for a value that cannot be computed: data, and a subquery with several rows. */
const computing = /^(?:22|21000)/;

/** Types that the language writes as numbers. */
const numeric = [types.NUMERIC, types.INT8, types.FLOAT8];
/** Types that both write as text. */
const written = [types.DATE, types.TIMESTAMPTZ];

export async function openTwins(schema = ''): Promise<Twins> {
  const language = openLanguage(schema);
  const parsers = Object.fromEntries([
    ...numeric.map((type) => [type, Number] as const),
    ...written.map((type) => [type, String] as const),
  ]);
  const server = await openPostgres({ parsers });
  await server.exec("SET TIME ZONE 'UTC'");
  return {
    ours: (query) => {
      try {
        language.bind(query);
      } catch {
        return 'refused';
      }
      const rows = language.answer(query);
      return rows.startsWith('R') ? 'failure' : shown(JSON.parse(rows));
    },
    theirs: async (query) => {
      try {
        return shown((await server.query(query, [], { rowMode: 'array' })).rows);
      } catch (error) {
        const state = (error as { code?: string }).code ?? '';
        if (computing.test(state)) return 'failure';
        if (state.startsWith('42') || state === '0A000') return 'refused';
        throw error;
      }
    },
    close: () => server.close(),
  };
}

/** A BIGINT beyond JSON's numbers stays text in the language; instants differ only in their separators. */
function shown(rows: unknown): string {
  return JSON.stringify(rows, (_, value: unknown) => {
    if (typeof value === 'number') return Number(value.toPrecision(12)) + 0;
    if (typeof value !== 'string') return value;
    if (/^-?\d{16,}$/.test(value)) return Number(Number(value).toPrecision(12));
    const instant = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00)$/.exec(value);
    return instant === null ? value : `${instant[1] ?? ''} ${(instant[2] ?? '').replace(/\.?0+$/, '')}`;
  });
}
