#!/usr/bin/env node
/** The `schemac` command. Takes the process, gives its exit status; everything else is loaded on demand, so that `--help` answers at once. */
import { optimiseSqliteLate } from '../server/start/optimise-sqlite-late.ts';
import { runProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { processShell } from './shell.ts';
import { productVersion } from './version.ts';

optimiseSqliteLate();
const words = process.argv.slice(2);
const shell = processShell(words);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    void reportError(error, shell).then((status) => process.exit(status));
  });
}
try {
  process.exitCode = await runProgram(shell, words, productVersion());
} catch (error) {
  process.exitCode = await reportError(error, shell);
}
