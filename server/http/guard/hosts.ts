import type { IncomingMessage } from 'node:http';
import { Problem } from '../wire/problem.ts';

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The host of a request, in lower case, with its port: from a whole URL in the request line, which then counts alone, else from `Host`,
 * which HTTP/1.1 requires (400). Undefined if an older request names none.
 */
export function askedHost({ url = '', headers, httpVersion }: IncomingMessage): string | undefined {
  const whole = url.startsWith('/') ? undefined : /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1];
  if (headers.host === undefined && httpVersion === '1.1') throw new Problem('H4001', 'the Host header is missing');
  return (whole ?? headers.host)?.toLowerCase();
}

/**
 * Refuses a host that is neither allowed nor a loopback name (421), so that a page cannot reach a local server under its own name (DNS
 * rebinding).
 */
export function createHostCheck(allowedHosts: readonly string[]): (asked: string | undefined) => void {
  const served = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  /** Most requests name the host of the one before. */
  let last: string | undefined;
  return (asked = '') => {
    if (asked === last) return;
    if (asked === '')
      throw new Problem('H4211', 'the request names no Host, and this server answers only under its own names');
    if (!served.has(asked.replace(/:\d*$/, '')) && !served.has(asked))
      throw new Problem('H4211', 'this server does not answer under the requested Host');
    last = asked;
  };
}
