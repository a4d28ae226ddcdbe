import type { DecisionBlock } from '../../language/catalog/block.ts';
import { difference, type Difference } from './difference.ts';

/** Consequences of a changed decision for later commands. */
export function compareDecision(before: DecisionBlock, after: DecisionBlock): readonly Difference[] {
  const found: Difference[] = [];
  const guards = (block: DecisionBlock): string =>
    JSON.stringify(block.branches.map(({ label, guardText }) => [label, guardText]));
  if (guards(before) !== guards(after)) {
    const added = after.branches
      .flatMap(({ guardText }) => guardText ?? [])
      .filter((text) => !guardsOf(before).has(text));
    const rules = added.length === 0 ? 'its branches or guards change' : `new guard ${added.join(' and ')}`;
    found.push(
      difference(
        'guard-changed',
        after,
        `${rules}: commands may be rejected that were accepted, or the other way round; schemac rehearse says which`,
      ),
    );
  }
  if (before.stateText !== after.stateText)
    found.push(difference('state-changed', after, 'its STATE changes: its guards and values see other data'));
  const rest = ({ aggregate, command, branches }: DecisionBlock): string =>
    JSON.stringify([aggregate, command, branches.map(({ emits }) => emits)]);
  if (rest(before) !== rest(after))
    found.push(difference('decision-changed', after, 'it emits other events or other values'));
  return found;
}

function guardsOf({ branches }: DecisionBlock): ReadonlySet<string> {
  return new Set(branches.flatMap(({ guardText }) => guardText ?? []));
}
