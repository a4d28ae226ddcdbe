/**
 * Whether a `Prefer` header (RFC 7240) asks for the number of all rows: `count=exact`. Preferences that are unknown or ill-formed are ignored; of a
 * repeated one the first counts.
 */
export function prefersCount(prefer: string | undefined): boolean {
  if (prefer === undefined) return false;
  for (const preference of prefer.split(',')) {
    const [, value] = /^\s*count\s*=\s*("?)(\w*)\1\s*(?:;.*)?$/i.exec(preference)?.slice(1) ?? [];
    if (value !== undefined) return value.toLowerCase() === 'exact';
  }
  return false;
}
