import { parseTimestamp } from '../language/values/timestamp.ts';
import { usageFault } from './exit-fault.ts';
import { isInMemory, type SessionSettings } from './open-session.ts';
import type { Flags } from './settings/settings.ts';

/** The moment after `--clock`, at which the time of a session in memory begins. */
export function clockFlag({ clock }: Flags, settings?: SessionSettings): { readonly begins?: bigint } {
  if (typeof clock !== 'string') return {};
  const begins = parseTimestamp(clock);
  // Ids of events count from 1970.
  if (begins === undefined || begins < 0n)
    throw usageFault(`--clock takes an ISO 8601 time from 1970 on, such as 2026-01-31T08:00:00Z, not '${clock}'`);
  if (settings !== undefined && !isInMemory(settings))
    throw usageFault(
      '--clock goes neither with --data nor with --eventstore: stored events follow the clock of the system',
    );
  return { begins };
}
