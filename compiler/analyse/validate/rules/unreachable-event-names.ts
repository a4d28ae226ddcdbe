import type { Block } from '../../../../language/catalog/block.ts';
import type { Catalog } from '../../../../language/catalog/catalog.ts';
import { findBlock } from '../../../../language/catalog/catalog.ts';
import { nearestNames } from '../../../../language/diagnostics/suggestion.ts';
import type { TypedExpression } from '../../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../../language/catalog/query.ts';
import { readRelations, walkQuery } from '../../typed/walk.ts';
import { finding, type Rule } from '../finding.ts';

/** Comparisons of event_type with a name that never occurs there: misspelt, or emitted into another aggregate. */
export const unreachableEventNames: Rule = (catalog) => {
  const queries: { readonly block: string; readonly words: string; readonly query: BoundQuery }[] = [
    ...catalog.blocks.aggregate.filter(namesTypes).map(({ name, state }) => ({
      block: `aggregate ${name}`,
      words: `the state of '${name}'`,
      query: state,
    })),
    ...catalog.blocks.decision
      .filter(namesTypes)
      .flatMap(({ name, state }) =>
        state === undefined ? [] : [{ block: `decision ${name}`, words: `decision '${name}'`, query: state }],
      ),
    ...catalog.blocks.projection.filter(namesTypes).map(({ name, query }) => ({
      block: `projection ${name}`,
      words: `projection '${name}'`,
      query,
    })),
  ];
  return queries.flatMap(({ block, words, query }) =>
    unreachableNames(query, catalog).map(({ event, nearest }) => {
      const now = readerOf(event, catalog);
      return {
        ...(now === undefined
          ? finding('E1009', block, { place: words, event, nearest })
          : finding('E1011', block, { place: words, event, now })),
        literal: event,
      };
    }),
  );
};

/** The event that reads those stored under a name by UPCAST FROM EVENT. */
function readerOf(event: string, { blocks }: Catalog): string | undefined {
  return blocks.event.find(
    ({ name, upcasts = [] }) => name !== event && upcasts.some((clause) => clause.event === event),
  )?.name;
}

/** A block whose text does not mention the column compares nothing, and its queries need no walk. */
function namesTypes({ text }: Block): boolean {
  return /event_type/i.test(text);
}

interface UnreachableName {
  readonly event: string;
  /** Similar names of events that occur there. */
  readonly nearest: readonly string[];
}

function unreachableNames(query: BoundQuery, catalog: Catalog): readonly UnreachableName[] {
  const landing = new Map(
    readRelations(query).flatMap(({ id, source }): readonly [number, ReadonlySet<string>][] =>
      source.kind === 'events' ? [[id, new Set(findBlock(catalog, 'aggregate', source.aggregate)?.events)]] : [],
    ),
  );
  const found = new Map<string, readonly string[]>();
  walkQuery(query, (part) => {
    const { subject, values } = comparison(part);
    const events =
      subject?.kind === 'column' && subject.column === 'event_type' ? landing.get(subject.relation) : undefined;
    for (const value of events === undefined ? [] : values) {
      if (value.kind === 'literal' && typeof value.value === 'string' && events?.has(value.value) === false)
        found.set(value.value, nearestNames(value.value, events));
    }
    return true;
  });
  return Array.from(found, ([event, nearest]) => ({ event, nearest })).sort((a, b) => (a.event < b.event ? -1 : 1));
}

/** A comparison's operand and values, in the forms that name event types. */
function comparison(part: TypedExpression): {
  subject: TypedExpression | undefined;
  values: readonly TypedExpression[];
} {
  if (part.kind === 'in-list') return { subject: part.operand, values: part.list };
  if (part.kind === 'case') return { subject: part.operand, values: part.branches.map((branch) => branch.when) };
  if (part.kind !== 'call' || (part.function !== 'equal' && part.function !== 'not_equal'))
    return { subject: undefined, values: [] };
  const [left, right] = part.arguments;
  return left?.kind === 'literal'
    ? { subject: right, values: [left] }
    : { subject: left, values: right === undefined ? [] : [right] };
}
