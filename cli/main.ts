#!/usr/bin/env node
/** The `schemac` command. Takes the process, gives its exit status; everything else is loaded on demand, so that `--help` answers at once. */
import { onUnfinished } from '../server/start/end-on-fault.ts';
import { optimiseSqliteLate } from '../server/start/optimise-sqlite-late.ts';
import { runProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { processShell } from './shell.ts';
import { productVersion } from './version.ts';

optimiseSqliteLate();
const words = process.argv.slice(2);
const shell = processShell(words);
const faults: unknown[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    faults.push(error);
    void reportError(error, shell).then((status) => process.exit(status));
  });
}
onUnfinished((error) => void reportError(error, shell).then(() => process.exit(3)));
const status = await runProgram(shell, words, productVersion()).catch((error: unknown) => reportError(error, shell));
// All that was written has arrived, or is a fault by now.
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
// Left to itself, Node would wait until V8 has optimised functions that nothing calls any longer.
if (faults.length === 0) process.exit(status);
