/** Options shared by several commands, with the same text in all of them. */
export const json = ['--json', 'write JSON to stdout instead of text'] as const;
export const config = ['--config <file>', 'read settings from this file instead of schemac.config.json'] as const;
export const data = ['--data <dir>', 'work on the store in this directory'] as const;
export const eventstore = ['--eventstore <name>', 'use this EVENTSTORE of the schema'] as const;
export const schema = ['--schema <path...>', 'a file or folder of blocks to load first'] as const;

export const asOf = ['--as-of <moment>', 'answer as of a position of the store, or as of an ISO 8601 time'] as const;

export const clock = [
  '--clock <time>',
  'in memory: begin at this ISO 8601 time, and stay there until ADVANCE CLOCK moves the clock',
] as const;

export const accept = [
  '--accept <side>',
  "if files and log differ on a block, use the one of the 'files' or of the 'log'",
] as const;
export const acceptLoss = [
  '--accept-loss <entry>',
  'if the log has lost its end, start without the entries from this one on',
] as const;
export const wait = [
  '--wait <seconds>',
  'if the database of the log is away, ask for so long before giving up',
] as const;

export const server = [
  ['-p, --port <port>', 'listen on this port; 0 takes a free one (default 8080)'],
  ['--host <address>', 'listen on this address (default 127.0.0.1)'],
  data,
  eventstore,
  accept,
  acceptLoss,
  wait,
  ['--read-only', 'refuse everything that writes'],
  ['--no-push', 'send nothing to webhooks'],
  ['--no-reactions', 'let no reaction answer events'],
  ['--enable-create', 'enable POST /api/lang/create'],
  ['--enable-query', 'enable POST /api/query'],
  ['--enable-inspect', 'enable POST /api/inspect'],
  ['--insecure', 'listen beyond the loopback without an auth policy'],
  [
    '--as <caller>',
    'without an auth policy, let every request be of this caller: a subject, or JSON with roles, claims',
  ],
  config,
] as const;

export const paths = ['[paths...]', 'files, and folders whose *.schema files are read in name order'] as const;
