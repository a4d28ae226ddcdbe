import { isOwnComputer } from '../../../language/contract/webhook-url.ts';
import { createRanges, isNearbyAddress, isPublicAddress, readRange } from './address.ts';

/** `push` of the configuration (docs/operation.md#webhooks). */
export interface PushSettings {
  /** `host`, `host:port` or `*.host`; without a port 443. */
  readonly allowedHosts: readonly string[];
  /** Addresses that are allowed in addition to public ones: `10.1.0.0/16`. */
  readonly allowedAddresses: readonly string[];
  /** The `source` of messages; `/schemac/<name of the subscription>` if absent. */
  readonly source?: string;
  /** Any port of this computer can be called, also without a secret: in `dev`. */
  readonly loopback?: boolean;
  /** Maximum number for all webhooks together, as the descriptors of the process allow. */
  readonly connections?: number;
}

export interface AllowList {
  /** Why a URL cannot be called, whatever addresses its name has. */
  readonly refusesUrl: (url: URL) => string | undefined;
  /** Why one of the addresses of its name cannot be connected to. */
  readonly refusesAddress: (url: URL, address: string) => string | undefined;
}

interface Host {
  /** Also names below it, and not the name itself. */
  readonly below: boolean;
  readonly name: string;
  readonly port: string;
}

/** Undefined if the text is no item of `push.allowedHosts`. */
export function readAllowedHost(text: string): Host | undefined {
  const [, star, host = '', port = '443'] =
    /^(\*\.)?([^\s:/@?#*[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  // The name is spelled as in URLs.
  if (host === '' || Number(port) > 65_535 || !URL.canParse(`https://${host}/`)) return undefined;
  return { below: star !== undefined, name: new URL(`https://${host}/`).hostname, port };
}

/** The problems of a configuration, as sentences. */
export function pushProblems({ allowedHosts, allowedAddresses }: PushSettings): readonly string[] {
  return [
    ...allowedHosts
      .filter((text) => readAllowedHost(text) === undefined)
      .map((text) => `'push.allowedHosts' takes host, host:port or *.host, not '${text}'`),
    ...allowedAddresses
      .filter((text) => readRange(text) === undefined)
      .map((text) => `'push.allowedAddresses' takes addresses such as 10.1.0.0/16, not '${text}'`),
  ];
}

export function createAllowList({ allowedHosts, allowedAddresses, loopback = false }: PushSettings): AllowList {
  const hosts = allowedHosts.flatMap((text) => readAllowedHost(text) ?? []);
  const literals = hosts.map(({ name }) => bare(name)).filter((name) => readRange(name) !== undefined);
  const listed = createRanges([...allowedAddresses, ...literals, ...(loopback ? ['127.0.0.0/8', '::1'] : [])]);
  const isListedHost = (url: URL): boolean => {
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
    return hosts.some(
      (host) =>
        host.port === port && (host.below ? url.hostname.endsWith(`.${host.name}`) : url.hostname === host.name),
    );
  };
  return {
    refusesUrl: (url) =>
      isListedHost(url) || (loopback && isOwnComputer(url))
        ? undefined
        : `${url.host} is not in push.allowedHosts of the configuration`,
    refusesAddress: (url, address) => {
      if (!isPublicAddress(address) && !listed.has(address))
        return `${url.host} has the address ${address}, which is not public and not in push.allowedAddresses`;
      if (url.protocol === 'http:' && !(listed.has(address) && isNearbyAddress(address)))
        return `${url.host} is called with http, which only reaches addresses of push.allowedAddresses in private nets`;
      return undefined;
    },
  };
}

/** `::1` for `[::1]`. */
export function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
