/** Names of a registry as JSON texts, each printed once: there are few, and they are in every event and every answer. */
const known = new Map<string, string>();
/** Registries change: all names are forgotten together when there are this many. */
const most = 10_000;

export function jsonName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= most) known.clear();
  const text = JSON.stringify(name);
  known.set(name, text);
  return text;
}
