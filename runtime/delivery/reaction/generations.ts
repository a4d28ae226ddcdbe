/** Reads from the schema entries of a log the beginning of each reaction, and the entry since which it has each branch. */
import type { LogEntry, SchemaEntry } from '../../store/entry.ts';

export interface Generation {
  /** Number of the schema entry that created the reaction. */
  readonly entry: number;
  /** For each branch by label: number of the schema entry since which the reaction has it. */
  readonly branches: ReadonlyMap<string, number>;
}

/** By name of the reaction. A dropped one is not there; created again, it begins again. */
export function generationsOf(schema: readonly (LogEntry & SchemaEntry)[]): ReadonlyMap<string, Generation> {
  const found = new Map<string, Generation>();
  for (const { number, changes } of schema) {
    for (const { change, block, name, text } of changes) {
      if (block !== 'reaction') continue;
      if (change === 'drop') {
        found.delete(name.toLowerCase());
        continue;
      }
      const before = found.get(name.toLowerCase());
      const branches = labelsOf(text ?? '').map((label) => [label, before?.branches.get(label) ?? number] as const);
      found.set(name.toLowerCase(), { entry: before?.entry ?? number, branches: new Map(branches) });
    }
  }
  return found;
}

/** Labels in the canonical print, which begins a line with BRANCH and each EXECUTE; a branch without a label has its number. */
function labelsOf(text: string): readonly string[] {
  const labels: string[] = [];
  let label: string | undefined;
  for (const line of text.split('\n')) {
    const written = /^BRANCH (.+)$/.exec(line)?.[1];
    if (written !== undefined) label = unquoted(written);
    if (!line.startsWith('EXECUTE ')) continue;
    labels.push(label ?? String(labels.length + 1));
    label = undefined;
  }
  return labels;
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
