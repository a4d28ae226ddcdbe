/**
 * Counts the recorded commands that a change of a command would have concerned, as far as the store records commands with their arguments.
 */
import type { Difference, DifferenceCode } from '../../compiler/index.ts';
import type { CommandCells } from '../../runtime/store/cells.ts';
import type { Store } from '../../runtime/store/store.ts';

const concerned: ReadonlySet<DifferenceCode> = new Set<DifferenceCode>([
  ...(['command-removed', 'command-field-removed', 'command-field-retyped', 'command-field-required'] as const),
]);

interface Counts {
  recorded: number;
  /** By field, in lower case. */
  readonly sent: Map<string, number>;
}

/** Adds the counts to the messages of differences that refuse callers. Reads the log only if there is one. */
export async function withSentFields(store: Store, differences: readonly Difference[]): Promise<readonly Difference[]> {
  const counts = new Map<string, Counts>();
  for (const { code, block } of differences)
    if (concerned.has(code)) counts.set(nameOf(block), { recorded: 0, sent: new Map() });
  if (counts.size === 0) return differences;
  for await (const entry of store.log.read(1)) {
    const found = entry.kind === 'command' ? counts.get(entry.command) : undefined;
    if (found === undefined || entry.kind !== 'command' || entry.cells?.arguments === undefined) continue;
    found.recorded += 1;
    for (const name of sentBy(entry.cells)) found.sent.set(name, (found.sent.get(name) ?? 0) + 1);
  }
  return differences.map((one) => {
    const found = concerned.has(one.code) ? counts.get(nameOf(one.block)) : undefined;
    return found === undefined || found.recorded === 0
      ? one
      : { ...one, message: `${one.message}; ${consequence(one, found)}` };
  });
}

/** `command Fill`. */
function nameOf(block: string): string {
  return block.slice(block.lastIndexOf(' ') + 1);
}

/** The arguments that the caller gave, SENSITIVE ones too. */
function sentBy({ arguments: given = '{}', defaulted = [], withheld = [] }: CommandCells): readonly string[] {
  const names = Object.keys(JSON.parse(given) as object).filter((name) => !defaulted.includes(name));
  return [...names, ...withheld].map((name) => name.toLowerCase());
}

function consequence({ code, message }: Difference, { recorded, sent }: Counts): string {
  const commands = `of ${recorded} recorded ${recorded === 1 ? 'command' : 'commands'}`;
  if (code === 'command-removed') return `${recorded} ${recorded === 1 ? 'is' : 'are'} recorded`;
  const [, field = ''] = /field '([^']+)'/.exec(message) ?? [];
  const count = sent.get(field.toLowerCase()) ?? 0;
  return code === 'command-field-required'
    ? `${recorded - count} ${commands} left it out`
    : `${count} ${commands} sent it`;
}
