import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';
import type { HttpLimits } from '../settings.ts';

/** Refuses a URL (414) or headers (431) over their limit. The parser's own bound lies beyond both, so that each is told apart. */
export function checkRequestSize(request: IncomingMessage, limits: HttpLimits): void {
  if ((request.url ?? '').length > limits.urlBytes)
    throw new Problem(414, `the URL is longer than ${limits.urlBytes} bytes`);
  // Each header line has a colon, a space and a line end beside name and value.
  let bytes = 0;
  for (const text of request.rawHeaders) bytes += text.length + 2;
  if (bytes > limits.headerBytes) throw new Problem(431, `the headers are larger than ${limits.headerBytes} bytes`);
}
