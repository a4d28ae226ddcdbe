/**
 * Entity tags (docs/http.md#entity-tags). A weak one changes with the log and the registry. The strong one of a stream is
 * `"<seq>.<store>-<rest>"`: `If-Match` compares seq and store, `If-None-Match` the whole.
 */
import { createHash } from 'node:crypto';
import { zoneVersion } from '../../../language/values/zones/zone-table.ts';
import type { Moment } from '../../../runtime/store/journal/moment.ts';

/** Everything an answer depends on, except the events that it shows. */
export interface TagParts {
  /** Distinguishes servers that answer differently from the same store. */
  readonly server: string;
  readonly registryVersion: number;
  readonly registryHash: string;
  /** Name of the form of a table, or of a route with a single form. */
  readonly representation: string;
  readonly rightsKey: string;
}

/** Further facts on which an answer with bytes of its own depends. */
export interface StoreParts {
  readonly store: string;
  readonly epoch: number;
  /** The content coding that the caller prefers among those of this server. */
  readonly coding: string;
}

/** The weak tag of an answer that changes with the store or the registry. */
export function storeTag(
  parts: TagParts & {
    readonly entry: number;
    /** Time of the last entry: a restored store that continued has other entries with the same numbers. */
    readonly at: bigint;
  },
): string {
  const position = `${parts.entry}.${parts.at.toString(36)}`;
  const registry = `${parts.registryVersion}.${parts.registryHash.slice(0, 8)}`;
  return `W/"${parts.server}-${position}-${registry}-${parts.representation}-${parts.rightsKey}"`;
}

/** The strong tag of an answer about one stream, byte for byte: content coding is part of it. */
export function streamTag(seq: number, parts: TagParts, { store, epoch, coding }: StoreParts): string {
  const { server, registryVersion, registryHash, representation, rightsKey } = parts;
  const rest = [server, epoch, registryVersion, registryHash, representation, coding, rightsKey];
  return `"${seq}.${store}-${keptHash(JSON.stringify(rest))}"`;
}

/**
 * The tag of an answer about the past: strong, because it changes only with what defines it; weak while more can still
 * be written before the moment. It names no seq, so `If-Match` refuses it.
 */
export function pastTag(
  { position, at, final }: Pick<Moment, 'position' | 'at' | 'final'>,
  parts: TagParts & { readonly entry: number },
  { store, epoch, coding }: StoreParts,
): string {
  const { entry, server, registryVersion, registryHash, representation, rightsKey } = parts;
  const own = [
    store,
    position,
    String(at),
    zoneVersion,
    server,
    epoch,
    registryVersion,
    registryHash,
    representation,
    rightsKey,
  ];
  if (final) return `"then-${hash(JSON.stringify([...own, coding])).slice(0, 24)}"`;
  return `W/"then-${hash(JSON.stringify([...own, entry])).slice(0, 24)}"`;
}

/** The tag of a command's answer. It names the stream's position for `If-Match` and validates no answer. */
export function positionTag(seq: number): string {
  return `"${seq}"`;
}

const storeKeys = new WeakMap<Uint8Array, string>();

/** Identifies a store in tags without revealing its secret. */
export function storeKey(secret: Uint8Array): string {
  const known = storeKeys.get(secret);
  if (known !== undefined) return known;
  const key = createHash('sha256').update('store in entity tags').update(secret).digest('hex').slice(0, 8);
  storeKeys.set(secret, key);
  return key;
}

/** The position in a tag of a stream or of a command's answer; undefined for any other tag. */
export function readPosition(tag: string): { readonly seq: number; readonly store?: string } | undefined {
  const [, seq, store] = /^"(0|[1-9]\d{0,14})(?:\.([0-9a-f]{8})-[0-9a-f]{16})?"$/.exec(tag) ?? [];
  if (seq === undefined) return undefined;
  return { seq: Number(seq), ...(store !== undefined && { store }) };
}

/** Whether `If-None-Match` names the tag, weakly compared. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (text: string): string => text.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => candidate.trim() === '*' || opaque(candidate) === opaque(tag));
}

/** Hashes of what tags of streams have in common: most requests ask for the same form with the same rights. */
let kept = new Map<string, string>();
const mostKept = 1000;

/** The first 16 digits. */
function keptHash(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) kept = new Map();
  const made = hash(text).slice(0, 16);
  kept.set(text, made);
  return made;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
