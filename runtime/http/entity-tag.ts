/** The weak tag of an answer that changes with the store or the registry (http-details.md section 1). */
export function storeTag(parts: {
  /** Tells servers apart, by their stores among other things. */
  readonly server: string;
  readonly entry: number;
  readonly registryVersion: number;
  readonly registryHash: string;
  readonly representation: string;
  readonly rightsKey: string;
}): string {
  const registry = `${parts.registryVersion}.${parts.registryHash.slice(0, 8)}`;
  return `W/"${parts.server}-${parts.entry}-${registry}-${parts.representation}-${parts.rightsKey}"`;
}

/** The strong tag of one stream, the same that `If-Match` takes. */
export function streamTag(seq: number): string {
  return `"${seq}"`;
}

/** Whether `If-None-Match` names the tag, weakly compared. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (text: string): string => text.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => candidate.trim() === '*' || opaque(candidate) === opaque(tag));
}
