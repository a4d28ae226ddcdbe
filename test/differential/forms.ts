/** Kinds of expressions that random queries hold. A kind is tried by being listed here; each set can be left out by its name. */
export type Family = 'number' | 'text' | 'truth';

/** What a value may be beside columns and constants, written over further values. */
type Form = (of: (family: Family) => string) => string;

export type Forms = Readonly<Record<Family, readonly Form[]>>;

export const formSets: Readonly<Record<string, Forms>> = {
  plain: {
    number: [(of) => `(${of('number')} + 1)`, (of) => `COALESCE(${of('number')}, ${of('number')})`],
    text: [(of) => `UPPER(${of('text')})`, (of) => `COALESCE(${of('text')}, 'z')`],
    truth: [
      (of) => `(${of('number')} < ${of('number')})`,
      (of) => `(${of('text')} = ${of('text')})`,
      (of) => `(${of('truth')} AND ${of('truth')})`,
      (of) => `(${of('number')} BETWEEN ${of('number')} AND 2)`,
      (of) => `(${of('number')} IS NULL OR NOT ${of('truth')})`,
    ],
  },
  /** Values that the test before them keeps from failing. */
  guarded: {
    number: [],
    text: [],
    truth: [(of) => divided(of('number'), '<>', 'AND'), (of) => divided(of('number'), '=', 'OR')],
  },
};

/** PostgreSQL computes a constant division in advance, so there is none. */
function divided(by: string, test: string, word: string): string {
  return /^\d+$/.test(by) ? `(${by} ${test} 0)` : `(${by} ${test} 0 ${word} 10 / ${by} > 1)`;
}

export function formsOf(names: readonly string[]): Forms {
  const sets = names.map((name) => {
    const set = formSets[name];
    if (set === undefined)
      throw new Error(`no forms are called ${name}; there are ${Object.keys(formSets).join(', ')}`);
    return set;
  });
  return {
    number: sets.flatMap((set) => set.number),
    text: sets.flatMap((set) => set.text),
    truth: sets.flatMap((set) => set.truth),
  };
}
