#!/usr/bin/env node
/** The `schemac` command. Takes the process, gives its exit status; everything else is loaded on demand, so that `--help` answers at once. */
import { runProgram } from './program.ts';
import { processShell, type Shell } from './shell.ts';
import { productVersion } from './version.ts';

/** The error as a line, and its exit status. */
async function explain(error: unknown, shell: Shell): Promise<number> {
  const { asExitFault } = await import('./environment-error.ts');
  const fault = asExitFault(error);
  if (fault !== undefined) {
    shell.messages.write(`schemac: ${fault.message}\n`);
    return fault.status;
  }
  const { message = String(error), stack } = error as Partial<Error>;
  const [line = ''] = message.split('\n');
  shell.messages.write(
    (shell.environment['SCHEMAC_DEBUG'] ?? '') === ''
      ? `schemac: internal error: ${line}\nThis is a bug in schemac. SCHEMAC_DEBUG=1 shows where it happened.\n`
      : `schemac: internal error: ${stack ?? message}\n`,
  );
  return 1;
}

const words = process.argv.slice(2);
const shell = processShell(words);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    void explain(error, shell).then((status) => process.exit(status));
  });
}
try {
  process.exitCode = await runProgram(shell, words, productVersion());
} catch (error) {
  process.exitCode = await explain(error, shell);
}
