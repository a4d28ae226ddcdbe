/** Every command of the tool, with its outcome on a store of `long-log.ts`, alone and while a server runs on this store. */

export interface CommandRow extends Outcome {
  readonly words: readonly string[];
  readonly input?: string;
  /** The command serves; it is stopped once it has said this. */
  readonly until?: string;
  /** Where a server has the store, if that differs. */
  readonly beside?: Outcome;
  /** Files to remove afterwards. */
  readonly makes?: readonly string[];
}

interface Outcome {
  readonly status: number;
  /** Its output on a store with that many notes. */
  readonly stdout?: (notes: number) => string | RegExp;
  /** Empty if absent, except for commands in a server, which say so. */
  readonly stderr?: RegExp;
}

export const question = 'SELECT * FROM Reg."Notes";\n';
export const files = {
  'q.schema': question,
  'wanted.json': '[{"note_id":"n1","body":""}]',
  'rows.ndjson': '{"note_id":"n1","body":""}\n',
};

/** The table of the answer to `question`. */
const answer = (notes: number): string => {
  const [one, other] = ['notes', 'last'].map((name) => Math.max(name.length, String(notes).length)) as [number, number];
  const head = ` ${'notes'.padEnd(one)} | ${'last'.padEnd(other)}`.trimEnd();
  const row = ` ${String(notes).padStart(one)} | ${String(notes).padStart(other)}`;
  return `${head}\n${'-'.repeat(one + 2)}+${'-'.repeat(other + 2)}\n${row}\n(1 row)\n`;
};
const data = ['--data', 'data'];
const compared = 'no differences\n';
const verified = (notes: number): string =>
  `${compared}${notes} events read under the new definitions
every fold equals a computation over its events
every relation that exists before and after has the same rows
`;
const clear = /^the (export|file) contains sensitive values in the clear\n$/;
const owned: Outcome = { status: 3, stderr: /is in use by process/ };

/** Commands that open a store. */
export const storeCommands: readonly CommandRow[] = [
  { words: ['run', 'q.schema', ...data], status: 0, stdout: answer },
  { words: ['repl', ...data], input: question, status: 0, stdout: answer },
  { words: ['describe', 'projections', ...data], status: 0, stdout: () => /^ name .*\n.*\n Notes \| .*\n\(1 row\)\n$/ },
  { words: ['validate', ...data], status: 0, stdout: () => 'no findings\n' },
  { words: ['export', ...data], status: 0, stdout: () => /^CREATE AGGREGATE Note;\n[^]*WHERE :body <> '';\n$/ },
  { words: ['diff', 'log', 'schema', ...data], status: 0, stdout: () => compared },
  { words: ['verify', 'schema', ...data], status: 0, stdout: verified },
  {
    words: ['rehearse', 'schema', ...data],
    status: 3,
    stdout: () => /^0 commands /,
    stderr: /^schemac: no recorded command/,
  },
  {
    words: ['deploy', 'schema', ...data],
    status: 0,
    stdout: (notes) => `${verified(notes)}nothing was changed: this is registry version 1, which is in force\n`,
  },
  {
    words: ['execute', 'Write', '--from', 'rows.ndjson', ...data],
    status: 0,
    stdout: () => '1 row: 0 emitted (0 events), 1 rejected, 0 errors; 0 of them replayed\n',
    beside: owned,
  },
  { words: ['log', 'verify', ...data], status: 0, stdout: () => /\nthe log is sound\n$|^[^\n]*\nthe log is sound\n$/ },
  { words: ['log', 'dump', ...data], status: 0, stdout: () => /^\{"kind":"schema"[^]*\}\n$/ },
  { words: ['log', 'export', 'x.jsonl', ...data], status: 0, stderr: clear, stdout: () => '' },
  {
    words: ['log', 'import', 'x.jsonl', '--data', 'new'],
    status: 0,
    stdout: (notes) => new RegExp(`^imported \\d+ entries, ${notes} events to `),
    makes: ['x.jsonl', 'new'],
  },
  {
    words: ['log', 'snapshot', 'x.db', ...data],
    status: 0,
    stdout: (notes) => new RegExp(`^the tables at position ${notes} are in .*/x\\.db\n$`),
    stderr: clear,
    makes: ['x.db'],
  },
  { words: ['build', 'schema'], status: 0, stdout: () => /^built 1 file, 5 blocks/ },
  { words: ['start', '--port', '0', ...data], until: 'serving on', status: 0, beside: owned },
  {
    words: ['dev', 'schema', '--port', '0', ...data],
    until: 'serving on',
    status: 0,
    beside: { ...owned, stdout: () => /^built/ },
  },
  {
    words: [
      'inspect',
      'DECISION',
      'WriteIt',
      'FROM',
      'wanted',
      'INTO',
      'would',
      '--table',
      'wanted=wanted.json',
      ...data,
    ],
    status: 0,
    stdout: () => /^inspected into would: 1 row\(s\), 1 rejected\n/,
  },
];

/** Commands that open none. */
export const ownCommands: readonly CommandRow[] = [
  {
    words: ['init', 'made'],
    status: 0,
    stdout: () => /^made\/\.dockerignore\n/,
    stderr: /^\nNext: cd made/,
    makes: ['made'],
  },
  { words: ['check', 'schema'], status: 0, stdout: () => 'checked 1 file, 5 blocks\n' },
  { words: ['access', 'schema'], status: 0, stdout: () => /^ kind .*\(\d+ rows\)\n$/s },
  { words: ['fmt', 'schema'], status: 0, stdout: () => /./ },
  { words: ['explain', 'E0201'], status: 0, stdout: () => /^error\[E0201\]/ },
  { words: ['lsp'], status: 1, stdout: () => '', stderr: /^$/ },
  { words: ['test', 'q.schema', '--schema', 'schema'], status: 0, stdout: () => /0 passed, 0 failed\n$/ },
  { words: ['add', 'template'], status: 0, stdout: () => /^approval / },
  { words: ['completion', 'bash'], status: 0, stdout: () => /schemac/ },
];
