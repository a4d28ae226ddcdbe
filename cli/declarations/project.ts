import type { Declaration } from '../declaration.ts';
import { config } from './options.ts';

/** Commands that lay things down. */
export const projectCommands: readonly Declaration[] = [
  {
    name: 'init',
    summary: 'lay down a small working project that builds, runs and has a test',
    arguments: [['[dir]', 'a new or empty folder (default the working directory)']],
    options: [['--template <name>', 'the project to begin with (default tasks)']],
    examples: [['schemac init shop', 'then: cd shop && npm install && npm test']],
    load: async () => (await import('../commands/init.ts')).runInit,
  },
  {
    name: 'add template',
    summary: 'copy a stock template into the schema folder',
    arguments: [['[name]', 'without one, the stock templates are listed']],
    options: [['--to <dir>', 'the schema folder (default schema)'], config],
    examples: [['schemac add template crud', 'writes schema/templates/crud.schema']],
    load: async () => (await import('../commands/add-template.ts')).runAddTemplate,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [['<shell>', 'bash, zsh or fish']],
    options: [],
    examples: [
      ['schemac completion bash > /etc/bash_completion.d/schemac', 'for everybody'],
      ['schemac completion fish | source', 'for this session'],
    ],
    load: async () => (await import('../commands/completion.ts')).runCompletion,
  },
];
