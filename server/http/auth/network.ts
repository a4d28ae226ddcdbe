/**
 * The part of a peer's address that it cannot choose: of IPv4 the whole address, of IPv6 the first half, since the other half is free to every
 * host (RFC 4291, 2.5.4).
 */
export function networkOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [before = [], behind = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const gap = Array<string>(Math.max(0, 8 - before.length - behind.length)).fill('0');
  return [...before, ...gap, ...behind].slice(0, 4).join(':');
}
