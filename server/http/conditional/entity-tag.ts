/**
 * Entity tags (docs/http.md#entity-tags). A weak one changes with the log and the registry. The strong one of a stream is
 * `"<seq>.<store>-<rest>"`: `If-Match` compares seq and store, `If-None-Match` the whole.
 */
import { createHash } from 'node:crypto';

/** What an answer depends on besides the events that it shows. */
export interface TagParts {
  /** Tells servers apart that would answer differently from the same store. */
  readonly server: string;
  readonly registryVersion: number;
  readonly registryHash: string;
  /** Name of the form of a table, or of the route that has one form only. */
  readonly representation: string;
  readonly rightsKey: string;
}

/** The weak tag of an answer that changes with the store or the registry. */
export function storeTag(
  parts: TagParts & {
    readonly entry: number;
    /** Of the last entry: a store that was restored and went on has other entries of the same numbers. */
    readonly at: bigint;
  },
): string {
  const position = `${parts.entry}.${parts.at.toString(36)}`;
  const registry = `${parts.registryVersion}.${parts.registryHash.slice(0, 8)}`;
  return `W/"${parts.server}-${position}-${registry}-${parts.representation}-${parts.rightsKey}"`;
}

/** The strong tag of an answer about one stream, byte for byte: content coding is part of it. */
export function streamTag(
  seq: number,
  parts: TagParts & {
    readonly store: string;
    readonly epoch: number;
    /** The content coding that the caller prefers of those that this server has. */
    readonly coding: string;
  },
): string {
  const { server, epoch, registryVersion, registryHash, representation, coding, rightsKey } = parts;
  const rest = [server, epoch, registryVersion, registryHash, representation, coding, rightsKey];
  return `"${seq}.${parts.store}-${hash(JSON.stringify(rest)).slice(0, 16)}"`;
}

/** The tag that the answer of a command carries. It names the stream's position for `If-Match` and validates no answer. */
export function positionTag(seq: number): string {
  return `"${seq}"`;
}

/** What tells a store apart in tags, without telling its secret. */
export function storeKey(secret: Uint8Array): string {
  return createHash('sha256').update('store in entity tags').update(secret).digest('hex').slice(0, 8);
}

/** The position that a tag of a stream or of a command's answer names; undefined when it is neither. */
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

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
