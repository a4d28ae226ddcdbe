import { parseTimestamp } from '../../../language/values/timestamp.ts';
import type { AskedMoment } from '../../../runtime/store/journal/moment.ts';

/** A position in digits, or an ISO 8601 time; undefined for anything else. */
export function readMoment(text: string): AskedMoment | undefined {
  if (/^\d{1,16}$/.test(text)) {
    const position = Number(text);
    return Number.isSafeInteger(position) ? { position } : undefined;
  }
  const time = parseTimestamp(text);
  return time === undefined ? undefined : { time };
}
