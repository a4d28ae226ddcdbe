import { BlockList, isIP } from 'node:net';

/** Addresses of IPv4 that are no public unicast (IANA, special-purpose address registry, and multicast). */
const special4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** All of IPv6 that is routed; mapped and translated addresses, private nets and link-local ones lie outside. */
const routed6 = ['2000::/3'];
/** Special ranges among them: Teredo and other protocols, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const private4 = ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
const private6 = ['::1/128', 'fc00::/7'];

/** A set of addresses. */
export interface Ranges {
  /** False for a text that is no address, and for one with a zone. */
  readonly has: (address: string) => boolean;
}

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** `10.0.0.0/8`, `fd00::/8` or one address; undefined for anything else. */
export function readRange(text: string): Range | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || more.length > 0) return undefined;
  const most = family === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address, bits: most, family };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits), family } : undefined;
}

/** Ranges of the texts that `readRange` reads; it leaves the others out. */
export function createRanges(texts: readonly string[]): Ranges {
  const list = new BlockList();
  for (const text of texts) {
    const range = readRange(text);
    if (range !== undefined) list.addSubnet(range.address, range.bits, range.family);
  }
  return {
    has: (address) => {
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

/** Undefined also for an address with a zone, which names an interface of this computer. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/** Created when they are first asked: a start that sends nothing needs none. */
function lateRanges(texts: readonly string[]): Ranges {
  let ranges: Ranges | undefined;
  return { has: (address) => (ranges ??= createRanges(texts)).has(address) };
}

const special = lateRanges([...special4, ...special6]);
const routed = lateRanges(routed6);
const nearby = lateRanges([...private4, ...private6]);

/** Whether an address is one of the public internet: no private, link-local, metadata, translated or reserved one. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === undefined) return false;
  return family === 'ipv4' ? !special.has(address) : routed.has(address) && !special.has(address);
}

/** The loopback and private nets, where a request may go without encryption. */
export function isNearbyAddress(address: string): boolean {
  return nearby.has(address);
}
