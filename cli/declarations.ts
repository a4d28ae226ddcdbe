import type { Declaration } from './declaration.ts';
import { compileCommands } from './declarations/compile.ts';
import { projectCommands } from './declarations/project.ts';
import { serveCommands } from './declarations/serve.ts';
import { sessionCommands } from './declarations/session.ts';

/** All commands, in the order of the help. */
export const declarations: readonly Declaration[] = [
  ...projectCommands.filter(({ name }) => name === 'init'),
  ...compileCommands,
  ...serveCommands,
  ...sessionCommands,
  ...projectCommands.filter(({ name }) => name !== 'init'),
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [['<shell>', 'bash, zsh or fish']],
    options: [],
    examples: [
      ['schemac completion bash > /etc/bash_completion.d/schemac', 'for all users'],
      ['schemac completion fish | source', 'for this session'],
    ],
    load: async () => (await import('./commands/completion.ts')).completionOf(declarations),
  },
];
