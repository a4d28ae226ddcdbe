import type { IncomingMessage } from 'node:http';
import { Problem } from '../wire/problem.ts';
import type { HttpLimits } from '../settings.ts';

/** Headers of which Node takes the first and ignores the rest. Two readers could read two of them differently. */
const once: readonly string[] = ['host', 'content-type', 'authorization'];

/**
 * Refuses a URL (414) or headers (431) over their limit, a URL with a fragment and a repeated single-value header (400). The parser's own
 * limit is above both, so that each gets its own answer.
 */
export function checkRequestHead({ url = '', rawHeaders }: IncomingMessage, limits: HttpLimits): void {
  if (url.length > limits.urlBytes) throw new Problem('H4141', `the URL is longer than ${limits.urlBytes} bytes`);
  if (url.includes('#')) throw new Problem('H4001', 'the URL contains a #, which must be sent as %23');
  let bytes = 0;
  let seen = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    // Each header line has a colon, a space and a line end in addition to name and value.
    bytes += name.length + (rawHeaders[at + 1] ?? '').length + 4;
    if (!mayBeOnce(name.length)) continue;
    const known = once.find((candidate) => candidate === name.toLowerCase());
    if (known === undefined) continue;
    if (seen.includes(known)) throw new Problem('H4004', `${name} is given twice`);
    seen += ` ${known}`;
  }
  if (bytes > limits.headerBytes) throw new Problem('H4311', `the headers are larger than ${limits.headerBytes} bytes`);
}

const lengths: readonly number[] = once.map((name) => name.length);

function mayBeOnce(length: number): boolean {
  return lengths.includes(length);
}
