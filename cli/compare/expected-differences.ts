import { usageFault } from '../exit-fault.ts';

/** The differences that a rehearsal may find (docs/production.md#what-would-have-been-decided). */
export interface ExpectedDifferences {
  /** Kinds by the number of the entry. */
  readonly commands: ReadonlyMap<number, string>;
  readonly projections: ReadonlySet<string>;
}

/** The text of `--expect`: the `differences` of a report of `--json`, or that report itself. */
export function readExpected(file: { readonly path: string; readonly text: string } | undefined): ExpectedDifferences {
  if (file === undefined) return { commands: new Map(), projections: new Set() };
  const whole = parsed(file);
  const differences: unknown = Array.isArray(whole) ? whole : isObject(whole) ? whole['differences'] : undefined;
  const projections: unknown = isObject(whole) ? (whole['projections'] ?? []) : [];
  if (!Array.isArray(differences) || !Array.isArray(projections)) throw refused(file.path);
  const commands = differences.map((one: unknown): [number, string] => {
    if (!isObject(one) || typeof one['entry'] !== 'number' || typeof one['kind'] !== 'string') throw refused(file.path);
    return [one['entry'], one['kind']];
  });
  const names = projections.map((one: unknown) => {
    if (!isObject(one) || typeof one['name'] !== 'string') throw refused(file.path);
    return one['name'];
  });
  return { commands: new Map(commands), projections: new Set(names) };
}

function parsed({ path, text }: { readonly path: string; readonly text: string }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refused(path);
    throw error;
  }
}

function refused(path: string): Error {
  return usageFault(
    `--expect ${path}: it takes the output of rehearse --json, or its list of differences with entry and kind`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
