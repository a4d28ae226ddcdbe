import { failure } from '../define.ts';

/** R03xx. Queries and their limits. */
export const queries = {
  R0301: failure<{ what: 'time' | 'rows' | 'bytes' | 'memory' | 'columns'; limit: string; onDisk?: boolean }>({
    kind: 'budget',
    title: 'query over its budget',
    message: (p) =>
      `the query exceeded its ${p.what} budget of ${p.limit}${p.onDisk === true ? ', with the read model on disk' : ''}`,
    explanation:
      'A query is answered completely or not at all; results are never cut silently. Narrow it with WHERE or LIMIT. With the read model on disk it also waits for pages that are not in memory (read.cache_mb).',
  }),
  R0302: failure<{ problem: string }>({
    kind: 'budget',
    title: 'query too complex',
    message: (p) => `the query is too complex: ${p.problem}`,
    explanation:
      'The engine of the read model limits the size of one statement. Split it: a projection may read other projections.',
  }),
  R0303: failure<Record<string, never>>({
    kind: 'budget',
    title: 'statement stopped',
    message: () => 'the statement was stopped',
    explanation: 'The caller no longer waited for it. It changed nothing.',
  }),
} as const;
