import { failures } from '../language/failure/catalogue.ts';
import { Failure } from '../language/failure/failure.ts';
import { UnusableBuild } from '../server/start/load-domain.ts';
import { SettingsFault } from '../server/start/settings/settings-fault.ts';
import { visibleText } from '../language/diagnostics/render/visible.ts';
import { ExitFault } from './exit-fault.ts';

/**
 * The exit for an error that is not a bug: a domain failure by its kind, an error of the operating system as an environment error.
 * Undefined for a bug.
 */
export function asExitFault(error: unknown): ExitFault | undefined {
  if (error instanceof ExitFault) return error;
  if (error instanceof SettingsFault) return new ExitFault(error.status, error.problems.map(visibleText).join('\n'));
  if (error instanceof UnusableBuild) return new ExitFault(1, visibleText(error.message));
  if (error instanceof Failure) {
    const { kind } = failures[error.code];
    return new ExitFault(kind === 'store' || kind === 'busy' ? 3 : 1, visibleText(error.message));
  }
  const { code, syscall, message, port, address } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (typeof syscall !== 'string' || typeof code !== 'string') return undefined;
  if (code === 'EADDRINUSE')
    return new ExitFault(3, `port ${port ?? '?'} on ${address ?? '?'} is taken; name another one with --port`);
  return new ExitFault(3, visibleText(message));
}
