import { startAhead } from '../../runtime/store/tables/thread/start-ahead.ts';
import type { Declaration } from '../declaration.ts';
import type { Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { asOf, clock, config, data, eventstore, json, schema } from './options.ts';

/** Commands that run statements. */
export const sessionCommands: readonly Declaration[] = [
  {
    name: 'run',
    summary: 'run scripts, statement by statement',
    arguments: [['<scripts...>', 'files in order, in one session; - reads stdin']],
    options: [
      schema,
      data,
      eventstore,
      ['--json', 'one JSON object per line, one for each statement'],
      ['--keep-going', 'continue after a failed statement'],
      ['--fail-on-reject', 'treat a rejected command as a failed statement'],
      asOf,
      clock,
      config,
    ],
    examples: [
      ['schemac run seed.schema --data ./data', 'events stay in ./data'],
      ['schemac run --json --keep-going all.schema', 'every outcome, for programs; in memory'],
    ],
    load: async (shell, flags) => {
      if (!namesStore(shell, flags)) startAhead();
      return (await import('../commands/run.ts')).runRun;
    },
  },
  {
    name: 'execute',
    summary: 'execute a command for every row of a file',
    arguments: [['<command>', 'the name of the command']],
    options: [
      ['--from <file>', 'lines of JSON, or CSV with a header; - reads stdin'],
      ['--csv', 'the rows are CSV, whatever the name of the file'],
      ['--url <url>', 'send them to this server; its token comes from SCHEMAC_TOKEN'],
      data,
      eventstore,
      ['--aggregate <name>', 'the aggregate of the command, if the registry of the server may not be read'],
      ['--key-from <field>', "take each row's idempotency key from this field, or with 'line' from file and line"],
      ['--continue', 'go on after an error; otherwise nothing is sent after the first one'],
      ['--fail-on-reject', 'end with status 1 if a command was rejected'],
      json,
      config,
    ],
    examples: [
      [
        'schemac execute RegisterBike --from bikes.csv --key-from line --url http://127.0.0.1:8080',
        'run again, it goes on where it was interrupted',
      ],
      ['schemac execute RegisterBike --from bikes.ndjson --data ./data', 'on a store that no server owns'],
    ],
    load: async () => (await import('../commands/execute.ts')).runExecute,
  },
  {
    name: 'test',
    summary: 'run scripts and check them against their --= expectations',
    arguments: [
      [
        '[scripts...]',
        'files and folders (default those of the configuration); each file is a session of its own, in memory',
      ],
    ],
    options: [
      schema,
      ['-w, --watch', 'run again whenever a file changes'],
      ['--coverage', 'list branches of decisions and reactions, and rejections, that no script reached'],
      ['--fail-under <percent>', 'end with status 1 if scripts reach less of them than this; includes --coverage'],
      ['--allow-rejected', 'an EXECUTE without an expectation may be rejected'],
      clock,
      ['--junit <file>', 'write a JUnit report'],
      ['--timeout <seconds>', 'stop a script when a statement takes longer (default 60)'],
      json,
      config,
    ],
    examples: [
      ['schemac test', 'the "tests" of schemac.config.json, with the blocks of its "schema"'],
      ['schemac test tests --schema schema', 'every *.schema file below tests, with the blocks of schema'],
      ['schemac test tests --fail-under 90 --junit report.xml', 'for a pipeline'],
    ],
    load: async () => (await import('../commands/test.ts')).runTest,
  },
  {
    name: 'repl',
    summary: 'an interactive session; in memory without --data',
    arguments: [['[paths...]', 'schema text to load first']],
    options: [
      data,
      eventstore,
      ['--url <url>', 'talk to a running server over HTTP; its token comes from SCHEMAC_TOKEN'],
      asOf,
      clock,
      config,
    ],
    examples: [
      ['schemac repl schema', 'try a schema without storing anything'],
      ['schemac repl --data ./data', 'joins the server on that directory, if one is running'],
    ],
    load: async () => (await import('../commands/repl.ts')).runRepl,
  },
  {
    name: 'inspect',
    summary: 'run an INSPECT statement, which shows results without any effect on streams',
    arguments: [['<words...>', 'the statement after INSPECT']],
    options: [
      schema,
      data,
      eventstore,
      ['--table <name=file...>', 'a session table from a JSON list of objects'],
      asOf,
      clock,
      json,
      config,
    ],
    examples: [
      [
        'schemac inspect DECISION Rent FROM wanted INTO would_rent --table wanted=rows.json --data ./data',
        'decide rows against the current state',
      ],
    ],
    load: async () => (await import('../commands/inspect.ts')).runInspect,
  },
  {
    name: 'describe',
    summary: 'print a block, or all of a kind, with their relations',
    arguments: [['<words...>', 'the statement after DESCRIBE']],
    options: [schema, data, eventstore, json, config],
    examples: [
      ['schemac describe decisions --schema schema', 'a table of all decisions'],
      ['schemac describe decision Rent --schema schema', 'its command, state, guards and events'],
    ],
    load: async () => (await import('../commands/statement.ts')).runDescribe,
  },
  {
    name: 'validate',
    summary: 'look for problems across blocks',
    arguments: [['[paths...]', 'schema text']],
    options: [data, eventstore, json, config],
    examples: [['schemac validate schema', 'commands without a decision, guards that are never true, …']],
    load: async () => (await import('../commands/validate.ts')).runValidate,
  },
  {
    name: 'export',
    summary: 'print the whole registry as text that loads from top to bottom',
    arguments: [['[paths...]', 'schema text']],
    options: [data, eventstore, asOf, json, config],
    examples: [['schemac export --data ./data > registry.schema', 'the registry in the log of a store']],
    load: async () => (await import('../commands/statement.ts')).runExport,
  },
];

/** Whether a session will not be in memory, as far as this is known before the settings are read. */
function namesStore({ environment }: Shell, flags: Flags): boolean {
  return flags['data'] !== undefined || flags['eventstore'] !== undefined || (environment['SCHEMAC_DATA'] ?? '') !== '';
}
