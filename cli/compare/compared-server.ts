import { usageFault } from '../exit-fault.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import type { ComparedServer } from './registry-side.ts';

/** The server of `--url`, which is asked instead of a store. */
export function comparedServer(shell: Shell, flags: Flags): ComparedServer | undefined {
  const { url } = flags;
  if (typeof url !== 'string') return undefined;
  const { token, sessionData, sessionEventstore } = resolveSettings(shell, flags);
  if (sessionData !== undefined || sessionEventstore !== undefined)
    throw usageFault('--url names the server whose registry is read: it goes without --data and --eventstore');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageFault(`--url takes an http or https URL, not '${url}'`);
  return { url, ...(token !== undefined && { token }) };
}
