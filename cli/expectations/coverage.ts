import type { Domain } from '../../runtime/contract/domain.ts';
import type { StatementOutcome } from '../../runtime/session/outcome.ts';

/** What of a schema the scripts reached: events emitted, commands taken, decisions that rejected. */
export interface Coverage {
  readonly note: (outcome: StatementOutcome) => void;
  /** Names what there is to reach; called at a script's end, for each schema. */
  readonly expect: (domain: Domain) => void;
  /** `coverage: 7 of 9`, and a line for each that no script reached. */
  readonly text: () => string;
  readonly json: () => { readonly reached: readonly string[]; readonly missed: readonly string[] };
}

export function createCoverage(): Coverage {
  const wanted = new Set<string>();
  const reached = new Set<string>();
  const missed = (): readonly string[] => [...wanted].filter((name) => !reached.has(name)).sort();
  const hit = (): readonly string[] => [...wanted].filter((name) => reached.has(name)).sort();
  return {
    note: (outcome) => {
      if (outcome.kind !== 'execute') return;
      const { events, rejection } = outcome.outcome;
      for (const event of events) reached.add(emission(event.type, event.streamType));
      if (rejection !== undefined) reached.add(refusal(rejection.decision));
    },
    expect: (domain) => {
      for (const decision of domain.decisions) {
        for (const event of decision.branches.flatMap((branch) => branch.events)) {
          const targets = domain.aggregates
            .filter((aggregate) => aggregate.events.includes(event))
            .map(({ name }) => name);
          const own = targets.includes(decision.aggregate) ? decision.aggregate : (targets[0] ?? decision.aggregate);
          wanted.add(emission(event, own));
        }
        if (decision.branches.every((branch) => branch.guard !== undefined)) wanted.add(refusal(decision.name));
      }
    },
    text: () => {
      const lines = missed().map((name) => `  not reached: ${name}\n`);
      return `coverage: ${hit().length} of ${wanted.size}\n${lines.join('')}`;
    },
    json: () => ({ reached: hit(), missed: missed() }),
  };
}

function emission(event: string, aggregate: string): string {
  return `event ${event} in ${aggregate}`;
}
function refusal(decision: string): string {
  return `rejection by ${decision}`;
}
