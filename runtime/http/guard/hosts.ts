import { Problem } from '../problem.ts';

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a `Host` that is neither allowed nor a loopback name (421), so that a page cannot reach a local server under a name of
 * its own (DNS rebinding).
 */
export function createHostCheck(allowedHosts: readonly string[]): (host: string | undefined) => void {
  const served = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  return (host) => {
    const sent = (host ?? '').toLowerCase();
    const name = sent.replace(/:\d*$/, '');
    if (!served.has(name) && !served.has(sent))
      throw new Problem(421, 'this server is not known by the Host that was asked for');
  };
}
