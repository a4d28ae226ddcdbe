import type { Domain } from '../../language/contract/domain.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';

/** The parts of a schema that the scripts reached: branches that emitted, decisions that rejected, branches of reactions that executed. */
export interface Coverage {
  readonly record: (outcome: StatementOutcome) => void;
  /** Registers all parts that can be reached; called at a script's end, for each schema. */
  readonly expect: (domain: Domain) => void;
  /** `coverage: 7 of 9`, and a line for each part that no script reached. */
  readonly text: () => string;
  readonly json: () => { readonly reached: readonly string[]; readonly missed: readonly string[] };
  /** The reached parts in percent of all; 100 without any. */
  readonly percent: () => number;
}

export function createCoverage(): Coverage {
  /** The parts that can be reached, in words. */
  const wanted = new Map<string, string>();
  const reached = new Set<string>();
  const words = (hit: boolean): readonly string[] =>
    [...wanted].flatMap(([point, text]) => (reached.has(point) === hit ? [text] : [])).sort();
  const missed = (): readonly string[] => words(false);
  const hit = (): readonly string[] => words(true);
  return {
    record: (outcome) => {
      const own = outcome.kind === 'execute' ? [outcome.outcome] : [];
      const { reacted = [] } = outcome;
      for (const { reaction, branch, outcome: done } of reacted)
        if (done !== 'parked') reached.add(`${reaction} executes ${branch}`);
      for (const { decided } of [...own, ...reacted]) {
        if (decided === undefined) continue;
        for (const branch of decided.branches) reached.add(key(decided.decision, branch));
        if (decided.branches.length === 0) reached.add(key(decided.decision, 'rejects'));
      }
    },
    expect: (domain) => {
      for (const { name, branches } of domain.decisions) {
        branches.forEach(({ label }, index) => {
          const called = label === undefined ? `branch ${index + 1}` : `branch ${label}`;
          wanted.set(key(name, index + 1), branches.length === 1 ? `${name} emits` : `${name}, ${called}, emits`);
        });
        if (branches.every((branch) => branch.guard !== undefined)) wanted.set(key(name, 'rejects'), `${name} rejects`);
      }
      for (const { name, branches } of domain.reactions)
        for (const { label } of branches)
          wanted.set(
            `${name} executes ${label}`,
            branches.length === 1 ? `${name} executes` : `${name}, branch ${label}, executes`,
          );
    },
    text: () => {
      const lines = missed().map((name) => `  not reached: ${name}\n`);
      return `coverage: ${hit().length} of ${wanted.size}\n${lines.join('')}`;
    },
    json: () => ({ reached: hit(), missed: missed() }),
    percent: () => (wanted.size === 0 ? 100 : (hit().length / wanted.size) * 100),
  };
}

function key(decision: string, what: number | 'rejects'): string {
  return `${decision} ${what}`;
}
