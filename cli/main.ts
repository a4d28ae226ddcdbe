#!/usr/bin/env node
/**
 * The `schemac` command. Takes the process, gives its exit status; everything else is loaded when it is needed, so that `--help`
 * answers at once.
 */
import { ExitFault } from './exit-fault.ts';
import { runProgram } from './program.ts';
import { processShell, type Shell } from './shell.ts';
import { productVersion } from './version.ts';

/** What went wrong as a line, and the status for it. */
function explain(error: unknown, shell: Shell): number {
  if (error instanceof ExitFault) {
    shell.messages.write(`schemac: ${error.message}\n`);
    return error.status;
  }
  const { message = String(error), stack } = error as Partial<Error>;
  const [line = ''] = message.split('\n');
  shell.messages.write(
    (shell.environment['SCHEMAC_DEBUG'] ?? '') === ''
      ? `schemac: internal error: ${line}\nThis is a fault of schemac itself. SCHEMAC_DEBUG=1 shows where it happened.\n`
      : `schemac: internal error: ${stack ?? message}\n`,
  );
  return 1;
}

const words = process.argv.slice(2);
const shell = processShell(words);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.exit(explain(error, shell));
  });
}
try {
  process.exitCode = await runProgram(shell, words, productVersion());
} catch (error) {
  process.exitCode = explain(error, shell);
}
