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
];
