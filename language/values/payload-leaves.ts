/**
 * Reads the leaves of a stored payload by field name: in the current spelling, else in any case, because a payload keeps the spelling of
 * its time. A field that the payload lacks is undefined.
 */
export function payloadLeaves(stored: object): (name: string) => unknown {
  const exact = stored as Readonly<Record<string, unknown>>;
  let folded: Map<string, unknown> | undefined;
  return (name) => {
    if (Object.hasOwn(stored, name)) return exact[name];
    folded ??= new Map(Object.entries(stored).map(([key, leaf]) => [key.toLowerCase(), leaf]));
    return folded.get(name.toLowerCase());
  };
}
