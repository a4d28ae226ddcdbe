import type { Route } from '../pipeline/route.ts';
import type { DescribedDomain } from './described.ts';
import type { Named } from './row-schemas.ts';

/** The description of an operation in Markdown: its blocks, and what a caller needs to know of the route. */
export function descriptionOf(
  route: Route,
  named: Named,
  rights: readonly string[],
  commands: DescribedDomain['commands'],
): string {
  const needs = rights.length === 0 ? 'It needs no right.' : `It needs the right ${rights.map(code).join(' and ')}.`;
  const { projection, decision, aggregate, subscription } = named;
  const command = commands.find(({ name }) => name === decision?.command);
  const doc = (command ?? projection ?? subscription ?? aggregate)?.docs?.block ?? '';
  return [doc, ...blocksText(route, named), formsText(route), needs].filter((part) => part !== '').join('\n\n');
}

function blocksText({ rows }: Route, { aggregate, decision, projection }: Named): readonly string[] {
  if (decision !== undefined) return [decisionText(decision)];
  if (projection !== undefined) {
    const of = projection.aggregates.map(code).join(', ');
    return [`The projection ${code(projection.name)}${of === '' ? '' : ` over the events of ${of}`}.`];
  }
  if (aggregate === undefined) return [];
  const name = code(aggregate.name);
  return [
    rows === 'state'
      ? `The state that the events of a stream of ${name} lead to.`
      : rows === 'events'
        ? `The events of ${name}, each with its payload in \`data\`.`
        : `A table that an inspection of ${name} recorded; its columns depend on the inspection.`,
  ];
}

/** The branches of a decision, and what each emits; `/api/reg/decisions` has the guards. */
function decisionText({ name, branches }: DescribedDomain['decisions'][number]): string {
  const lines = branches.map(({ label, events }) => {
    const emits = [...new Set(events)].map(code).join(', ');
    return `- ${label === undefined ? '' : `${code(label)}: `}emits ${emits}`;
  });
  return `Decided by ${code(name)}, which\n\n${lines.join('\n')}\n\nA command for which no branch emits is rejected: the answer has one row of status \`rejected\`.`;
}

function formsText({ answers }: Route): string {
  if (answers !== 'table') return '';
  return 'The rows come in the form that `Accept` names: Arrow (the default), JSON, CSV or HTML.';
}

/** A name as Markdown code; names of blocks, branches and rights hold no signs of Markdown. */
function code(name: string): string {
  return `\`${name}\``;
}
