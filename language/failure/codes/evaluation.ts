import { failure } from '../define.ts';

/** R02xx. Expressions and decisions, on the data that they meet. */
export const evaluation = {
  R0201: failure<{ where: string }>({
    kind: 'schema',
    title: 'division by zero',
    message: (p) => `division by zero${p.where === '' ? '' : ` in ${p.where}`}`,
    explanation:
      'An expression divided by zero, or took the remainder of a division by zero. Guard the divisor with NULLIF or a CASE.',
  }),
  R0202: failure<{ type: string; where: string }>({
    kind: 'schema',
    title: 'value out of range',
    message: (p) => `a value does not fit ${p.type}${p.where === '' ? '' : ` in ${p.where}`}`,
    explanation: 'The exact result of an expression is larger than its type can hold. Nothing is written.',
  }),
  R0203: failure<{ decision: string; rows: number }>({
    kind: 'schema',
    title: 'state query with several rows',
    message: (p) =>
      `the STATE of decision '${p.decision}' has ${p.rows} rows; it may have at most one, and nothing was written`,
    explanation: 'A decision reads one row of state. Add a WHERE that selects one stream, or aggregate.',
  }),
  R0204: failure<{ what: string; type: string }>({
    kind: 'schema',
    title: 'invalid conversion',
    message: (p) => `${p.what} is not a valid ${p.type}`,
    explanation: 'A CAST met a text that does not spell a value of the target type.',
  }),
  R0205: failure<{ function: string; problem: string }>({
    kind: 'schema',
    title: 'invalid function argument',
    message: (p) => `${p.function}: ${p.problem}`,
    explanation: 'A function was called with a value that it is not defined for, such as SQRT of a negative number.',
  }),
  R0206: failure<{ decision: string; problem: string }>({
    kind: 'schema',
    title: 'emission over a limit',
    message: (p) => `decision '${p.decision}': ${p.problem}; nothing was written`,
    explanation:
      'Unless a server is configured otherwise, a command emits at most 100 events of at most 256 KiB each, into streams whose id is a text of 1 to 256 characters. If the KEY field of the aggregate is INT or BIGINT, the id is that number in plain digits: 7, not 07.',
  }),
  R0207: failure<{ decision: string; milliseconds: number }>({
    kind: 'schema',
    title: 'state query over its time limit',
    message: (p) => `the STATE of decision '${p.decision}' took longer than ${p.milliseconds} ms; nothing was written`,
    explanation: 'A STATE query that is not a fold has a time limit. EXPLAIN DECISION shows which part scans, and why.',
  }),
  R0208: failure<object>({
    kind: 'schema',
    title: 'subquery with several rows',
    message: () => 'a subquery used as a value has several rows',
    explanation:
      'A query in parentheses inside an expression gives one value, so it may have at most one row. Aggregate it, or add LIMIT 1.',
  }),
  R0209: failure<{ rows: number }>({
    kind: 'schema',
    title: 'recursion without an end',
    message: (p) => `WITH RECURSIVE made more than ${p.rows} rows; its step needs a WHERE that ends the recursion`,
    explanation:
      'The step of a recursive table is repeated for every row that it gave, until it gives none. An endless recursion is stopped.',
  }),
  R0210: failure<{ most: number }>({
    kind: 'schema',
    title: 'too much text in one decision',
    message: (p) =>
      `the functions of one decision read and make at most ${p.most.toLocaleString('en')} characters of text together`,
    explanation:
      'All commands wait while one is decided, so the text that the functions of a decision, of the CHECKs of its command, or of a branch of a reaction may work on is limited. The characters of all texts that functions and casts get and give are added up. Limit the length of the arguments, for example with VARCHAR(n), or call fewer functions on long ones.',
  }),
} as const;
