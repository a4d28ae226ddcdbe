import type { Catalog } from '../../../../language/catalog/catalog.ts';
import { finding, type Rule } from '../finding.ts';

/** Reactions that lead back to themselves through commands, decisions and events, without a wait that breaks the circle. */
export const reactionCircles: Rule = (catalog) => {
  const next = stepsOf(catalog);
  const reported = new Set<string>();
  return catalog.blocks.reaction.flatMap(({ name }) => {
    const path = circleFrom(name, next);
    if (path === undefined) return [];
    const members = path
      .map(({ reaction }) => reaction)
      .sort()
      .join();
    if (reported.has(members)) return [];
    reported.add(members);
    const text = [
      ...path.map(({ reaction, command, event }) => `${reaction} executes ${command}, which emits ${event}`),
    ];
    return [finding('E1022', `reaction ${name}`, { reaction: name, path: text.join('; ') })];
  });
};

interface Step {
  readonly reaction: string;
  readonly command: string;
  readonly event: string;
  /** The reaction that answers the event. */
  readonly to: string;
}

/** For each reaction the steps of its branches that do not wait. */
function stepsOf({ blocks }: Catalog): ReadonlyMap<string, readonly Step[]> {
  const emitted = new Map(
    blocks.decision.map(({ command, branches }) => [command, branches.flatMap(({ emits }) => emits)]),
  );
  return new Map(
    blocks.reaction.map(({ name: reaction, branches }) => [
      reaction,
      branches
        .filter(({ due }) => due === undefined)
        .flatMap(({ command }) =>
          (emitted.get(command) ?? []).flatMap(({ event, aggregate }) =>
            blocks.reaction
              .filter((other) => other.events.includes(event) && (other.aggregate ?? aggregate) === aggregate)
              .map(({ name: to }) => ({ reaction, command, event, to })),
          ),
        ),
    ]),
  );
}

/** The shortest way from a reaction back to itself. */
function circleFrom(start: string, next: ReadonlyMap<string, readonly Step[]>): readonly Step[] | undefined {
  const ways: (readonly Step[])[] = (next.get(start) ?? []).map((step) => [step]);
  const seen = new Set<string>();
  for (const way of ways) {
    const last = way.at(-1);
    if (last === undefined) continue;
    if (last.to === start) return way;
    if (seen.has(last.to)) continue;
    seen.add(last.to);
    ways.push(...(next.get(last.to) ?? []).map((step) => [...way, step]));
  }
  return undefined;
}
