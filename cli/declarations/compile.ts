import type { Declaration } from '../declaration.ts';
import { config, eventstore, json, paths } from './options.ts';

/** Commands that process schema text and start nothing. */
export const compileCommands: readonly Declaration[] = [
  {
    name: 'check',
    summary: 'parse, resolve, type and cross-check; write nothing',
    arguments: [paths],
    options: [['--max-diagnostics <count>', 'show at most this many errors (default 100); 0 shows all'], json, config],
    examples: [
      ['schemac check schema', 'every *.schema file below the folder, as one compilation'],
      ['schemac check a.schema b.schema --json', 'diagnostics for programs'],
    ],
    load: async () => (await import('../commands/check.ts')).runCheck,
  },
  {
    name: 'build',
    summary: 'check, and generate a typed server',
    arguments: [paths],
    options: [
      ['-o, --out <dir>', 'write to this folder (default generated)'],
      ['-w, --watch', 'build again whenever a file changes'],
      json,
      config,
    ],
    examples: [
      ['schemac build schema -o generated', 'files that did not change are left alone'],
      ['schemac build schema --watch', 'keep the folder up to date'],
    ],
    load: async () => (await import('../commands/build.ts')).runBuild,
  },
  {
    name: 'diff',
    summary: 'what a change of the schema breaks, for callers, readers and stored events',
    arguments: [
      ['<old>', 'a file or folder, log for the registry of the store, or log@<position or time>'],
      ['<new>', 'the same'],
    ],
    options: [
      ['--data <dir>', 'the store whose registry log is, and whose events are compared with the new side'],
      eventstore,
      ['--url <url>', 'the running server whose registry log is; its events are not read'],
      ['--allow <code...>', 'let a difference pass that breaks something: its code, or code:Block'],
      json,
      config,
    ],
    examples: [
      ['schemac diff log schema --data data', 'what starting with these files would mean'],
      ['schemac diff old new --allow command-removed:Pay', 'two folders; this one removal is intended'],
    ],
    load: async () => (await import('../commands/diff.ts')).runDiff,
  },
  {
    name: 'verify',
    summary: 'everything of diff, then all that is stored, read and folded under the new schema',
    arguments: [paths],
    options: [
      ['--data <dir>', 'the store to read; nothing is written, and a server may run on it'],
      eventstore,
      ['--allow <code...>', 'let a difference pass that breaks something: its code, or code:Block'],
      json,
      config,
    ],
    examples: [['schemac verify schema --data data', 'before a release, on a copy or while the server runs']],
    load: async () => (await import('../commands/verify.ts')).runVerify,
  },
  {
    name: 'rehearse',
    summary: "decide history's recorded commands again under another schema, and report what differs",
    arguments: [paths],
    options: [
      ['--data <dir>', 'the store to read; nothing is written, and a server may run on it'],
      eventstore,
      ['--url <url>', 'the running server that decides the commands of its log again; it needs --enable-inspect'],
      ['--decision <name>', 'only commands of this decision'],
      ['--since <moment>', 'only commands after this position, or after this ISO 8601 time'],
      ['--expect <file>', 'differences that are intended: the output of --json, or its list of differences'],
      json,
      config,
    ],
    examples: [
      ['schemac rehearse schema --data data', 'what the new rules would have decided'],
      ['schemac rehearse schema --data data --expect expected.json', 'for a pipeline: 1 if anything else differs'],
    ],
    load: async () => (await import('../commands/rehearse.ts')).runRehearse,
  },
  {
    name: 'access',
    summary: 'what a caller may read and send, and which rows and values it sees',
    arguments: [paths],
    options: [
      ['--as <caller>', 'this caller: a subject, or JSON with roles, claims (default: one without a token)'],
      ['--matrix', 'all roles of the policy, with the share of rows of each relation and command'],
      ['--expect <file>', 'compare the matrix with the CSV of an earlier one, and end with 1 if they differ'],
      json,
      ['--csv', 'write CSV to stdout instead of text'],
      config,
    ],
    examples: [
      [`schemac access schema --as '{"subject":"ada","roles":["nurse"]}'`, 'what ada may do as a nurse'],
      ['schemac access schema --expect access.csv', 'for a pipeline: 1 if a role sees more or less than before'],
    ],
    load: async () => (await import('../commands/access.ts')).runAccess,
  },
  {
    name: 'fmt',
    summary: 'bring schema text into canonical form; comments stay',
    arguments: [['[paths...]', 'files and folders; - reads stdin and writes stdout']],
    options: [['--check', 'write nothing; list what is not in canonical form and end with 1'], json, config],
    examples: [
      ['schemac fmt schema', 'format every file in place'],
      ['schemac fmt --check schema', 'for a pipeline'],
    ],
    load: async () => (await import('../commands/fmt.ts')).runFmt,
  },
  {
    name: 'explain',
    summary: 'what a diagnostic means, with an example',
    arguments: [['[code]', 'such as E0203; without it, all codes are listed']],
    options: [json],
    examples: [['schemac explain E0201', 'why an unknown block is refused, and how to fix it']],
    load: async () => (await import('../commands/explain.ts')).runExplain,
  },
  {
    name: 'lsp',
    summary: 'serve the language to an editor, over stdin and stdout',
    arguments: [],
    options: [
      ['--stdio', 'the only way of talking, and what editors pass'],
      ['--clientProcessId <pid>', 'end when this process is gone'],
    ],
    examples: [['schemac lsp --stdio', 'the command that an editor starts']],
    load: async () => (await import('../commands/lsp.ts')).runLsp,
  },
];
