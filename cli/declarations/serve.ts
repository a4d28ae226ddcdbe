import type { Declaration } from '../declaration.ts';
import { accept, acceptLoss, config, data, eventstore, json, paths, server, wait } from './options.ts';

/** Commands that serve, and those for a server's log. */
export const serveCommands: readonly Declaration[] = [
  {
    name: 'start',
    summary: 'run a generated server',
    arguments: [['[generated]', 'the folder that build wrote (default generated)']],
    options: server,
    examples: [
      ['schemac start', 'serve ./generated on http://127.0.0.1:8080'],
      ['schemac start generated --data /var/lib/shop --port 9000', 'elsewhere'],
    ],
    load: async () => (await import('../commands/start.ts')).runStart,
  },
  {
    name: 'dev',
    summary: 'build, start and watch; a saved or posted change is live within a second',
    arguments: [paths],
    options: [
      ['-o, --out <dir>', 'write to this folder (default generated)'],
      ['--shared', 'change the schema of a log in PostgreSQL, for all its servers'],
      ...server,
    ],
    examples: [['schemac dev schema', 'POST /api/lang/create and /api/query are open']],
    load: async () => (await import('../commands/dev.ts')).runDev,
  },
  {
    name: 'deploy',
    summary: 'show what a change of the schema breaks in a store, and put it in force as one change',
    arguments: [['[generated|paths...]', 'the folder that build wrote (default generated), or schema text']],
    options: [
      data,
      eventstore,
      ['--dry-run', 'only show it'],
      ['--allow <code...>', 'let a difference pass that breaks something: its code, or code:Block'],
      accept,
      acceptLoss,
      wait,
      json,
      config,
    ],
    examples: [
      [
        'schemac deploy generated --data ./data --dry-run',
        'what a deployment would mean for callers, readers and stored events',
      ],
      ['schemac deploy generated --eventstore prod', 'all servers on the log of this event store follow'],
    ],
    load: async () => (await import('../commands/deploy.ts')).runDeploy,
  },
  {
    name: 'log verify',
    summary: 'check every frame of a log',
    arguments: [],
    options: [
      data,
      eventstore,
      ['--archive <dir>', 'check the files of this archive against its manifest and the log'],
      ['--read-model', 'compute the tables of a read model on disk again and compare every row; while no server runs'],
      json,
      config,
    ],
    examples: [
      ['schemac log verify --data ./data', 'ends with 1 if anything is damaged'],
      ['schemac log verify --archive archive --data ./data', 'every file and every row of an archive'],
    ],
    load: async () => (await import('../commands/log.ts')).runLogVerify,
  },
  {
    name: 'log dump',
    summary: 'print the entries of a log as JSON lines; sensitive values are masked',
    arguments: [],
    options: [data, eventstore, ['--json', 'what it always does, for programs that ask every command for it'], config],
    examples: [['schemac log dump --data ./data', 'one line per entry; for a damaged log, up to the damage']],
    load: async () => (await import('../commands/log.ts')).runLogDump,
  },
  {
    name: 'log export',
    summary: 'write a whole store as JSON lines, in the clear; with --format, an archive of events',
    arguments: [['[file]', 'the file to write; - is stdout']],
    options: [
      ['--format <form>', 'write an archive for other tools: parquet, csv, csv=safe, jsonl or arrow'],
      ['--out <dir>', 'the folder of the archive; an existing one gets what is new'],
      ['--aggregate <name...>', 'only the events of these aggregates'],
      ['--since <moment>', 'only events after this position, or from this ISO 8601 time on; for a new archive'],
      ['--clear', 'leave sensitive values of the archive unmasked'],
      ['--url <url>', 'archive the events of this server; its token comes from SCHEMAC_TOKEN'],
      data,
      eventstore,
      ['--json', 'report as JSON what was written; not with -'],
      config,
    ],
    examples: [
      ['schemac log export shop.jsonl --data ./data', 'contains sensitive values unmasked'],
      [
        'schemac log export --format parquet --out archive --data ./data',
        'run again, it adds what is new; sensitive values are masked',
      ],
      ['schemac log export --format csv --out archive --url https://bikes.example.com', 'what the caller may read'],
    ],
    load: async () => (await import('../commands/log.ts')).runLogExport,
  },
  {
    name: 'log snapshot',
    summary: 'write the tables of the read model as a file that sqlite3 opens',
    arguments: [['<file>', 'the file to write; it must not exist']],
    options: [data, eventstore, json, config],
    examples: [['schemac log snapshot now.db --data ./data', 'also while a server runs; sensitive values unmasked']],
    load: async () => (await import('../commands/log.ts')).runLogSnapshot,
  },
  {
    name: 'log import',
    summary: 'fill an empty store from an export',
    arguments: [['[file]', 'the file written by export; - is stdin']],
    options: [
      data,
      eventstore,
      ['--discard', 'give up an import into PostgreSQL that was interrupted; without a file'],
      json,
      config,
    ],
    examples: [['schemac log import shop.jsonl --data ./new', 'the directory must not contain a log yet']],
    load: async () => (await import('../commands/log.ts')).runLogImport,
  },
];
