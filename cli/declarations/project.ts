import type { Declaration } from '../declaration.ts';
import { config, json } from './options.ts';

/** Commands that write project files. */
export const projectCommands: readonly Declaration[] = [
  {
    name: 'init',
    summary: 'write a small working project with tests, CI and a Dockerfile',
    arguments: [['[dir]', 'the folder, new or not (default the working directory)']],
    options: [['--template <name>', 'the content to start with: tasks (default), empty, or a stock template'], json],
    examples: [
      ['schemac init shop', 'then: cd shop && npm install && npm test'],
      ['schemac init books --template ledger', 'starts with a stock template that is applied and tested'],
    ],
    load: async () => (await import('../commands/init.ts')).runInit,
  },
  {
    name: 'add template',
    summary: 'copy a stock template into the schema folder',
    arguments: [['[name]', 'without it, the stock templates are listed']],
    options: [['--to <dir>', 'the schema folder (default schema)'], json, config],
    examples: [['schemac add template entity', 'writes schema/templates/entity.schema']],
    load: async () => (await import('../commands/add-template.ts')).runAddTemplate,
  },
];
