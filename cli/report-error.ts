import { StartStopped } from '../server/start/starting.ts';
import type { ExitStatus } from './exit-fault.ts';
import type { Shell } from './shell.ts';

/** Writes the error that ended a command as a line, and gives its exit status: 0 for a start that was asked to stop. */
export async function reportError(error: unknown, shell: Shell): Promise<ExitStatus> {
  if (error instanceof StartStopped) {
    shell.messages.write(`schemac: ${error.message}\n`);
    return 0;
  }
  const { asExitFault } = await import('./exit-of-error.ts');
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
