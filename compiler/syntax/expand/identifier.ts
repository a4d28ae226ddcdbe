/** A name for blocks and fields (docs/language.md#text). */
export function isSafeIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(text);
}

/** A safe identifier, or one with the suffix of an aggregate's relations. */
export function isRelationIdentifier(text: string): boolean {
  return isSafeIdentifier(text.replace(/\$(?:Agg|Events)$/i, ''));
}
