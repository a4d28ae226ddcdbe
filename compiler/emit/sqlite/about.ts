/** Comments at the start of views and tables, for readers who open the file with a shell of SQLite. */
import { commentLines } from '../../../templates/literal.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import type { Fold, FoldSlot } from '../../../language/plan/fold.ts';

/** The list of a fold with hundreds of aggregates is cut. */
const LONGEST = 1_000;

export function aboutState(aggregate: string): string {
  return comment(`${aggregate}$Agg: the state of each ${aggregate} stream`);
}

export function aboutProjection(name: string): string {
  return comment(`projection ${name}`);
}

/** `events of Bike by stream_id (k0): s0 LAST(data.model), s1 COUNT(*) FILTER (… event_type …)` */
export function aboutFold({ aggregate, key, where, slots }: Fold): string {
  const parts = key.map((part, index) => `${shortText(part)} (k${index})`);
  const by = parts.length === 0 ? 'all events' : 'events';
  const events = `${by} of ${aggregate}${parts.length === 0 ? '' : ` by ${parts.join(', ')}`}`;
  const condition = where === undefined ? '' : ` where ${shortText(where)}`;
  return comment(`${events}${condition}: ${slots.map((slot, index) => `s${index} ${slotText(slot)}`).join(', ')}`);
}

function slotText({ function: name, argument, filter }: FoldSlot): string {
  const of = argument === undefined ? '*' : shortText(argument);
  return `${name}(${of})${filter === undefined ? '' : ` FILTER (${shortText(filter)})`}`;
}

/** A column by its name; a longer expression by the columns that it reads. */
function shortText(expression: TypedExpression): string {
  if (expression.kind === 'column') return expression.column;
  const columns = new Set<string>();
  someExpression(expression, (part) => {
    if (part.kind === 'column') columns.add(part.column);
    return false;
  });
  return columns.size === 0 ? '…' : `… ${[...columns].join(' … ')} …`;
}

/** On one line, whatever the name of a field. */
function comment(text: string): string {
  const lines = commentLines(text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`);
  return `-- ${lines.join(' ')}\n`;
}
