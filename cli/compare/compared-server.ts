import { usageFault } from '../exit-fault.ts';
import { checkUrl, type ComparedServer } from '../remote/server.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** The server of `--url`, which is asked instead of a store. */
export function comparedServer(shell: Shell, flags: Flags): ComparedServer | undefined {
  const { url } = flags;
  if (typeof url !== 'string') return undefined;
  const { token, sessionData, sessionEventstore } = resolveSettings(shell, flags);
  if (sessionData !== undefined || sessionEventstore !== undefined)
    throw usageFault('--url names the server whose registry is read: it goes without --data and --eventstore');
  checkUrl(url);
  return { url, ...(token !== undefined && { token }) };
}
