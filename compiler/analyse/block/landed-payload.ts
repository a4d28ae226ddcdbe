import type { Column } from '../../../language/contract/query.ts';
import { typeName } from '../../../language/values/type.ts';
import type { EventBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { commonType } from '../../functions/typing.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Environment } from '../environment/environment.ts';
import { historyIndex } from '../environment/history-index.ts';

export interface LandedPayload {
  /** Events that can be appended to the aggregate's streams, sorted. */
  readonly events: readonly string[];
  /** The union of their fields, ordered by event name and ordinal. */
  readonly payload: readonly Column[];
}

/**
 * The events of an aggregate, from decisions and from the stored history, and their common payload. Undefined when one of them is unknown
 * or has errors, which are reported at its name or its definition.
 */
export function landedPayload(
  aggregate: string,
  span: Span,
  environment: Environment,
  report: Report,
): LandedPayload | undefined {
  const events = landedEvents(aggregate, environment);
  if (events === undefined) return undefined;
  const payload = new Map<string, { readonly column: Column; readonly from: EventBlock }>();
  for (const event of events) {
    for (const field of event.fields) {
      const key = field.name.toLowerCase();
      const known = payload.get(key);
      if (known === undefined) {
        const column = { name: field.name, type: field.type, nullable: true, sensitive: field.sensitive };
        payload.set(key, { column, from: event });
        continue;
      }
      const type = commonType([known.column.type, field.type]);
      if (type === undefined) {
        reportClash(aggregate, known, event, field, fieldSpan(event, field.name, environment) ?? span, report);
        return undefined;
      }
      payload.set(key, {
        ...known,
        column: { ...known.column, type, sensitive: known.column.sensitive || field.sensitive },
      });
    }
  }
  return { events: events.map((event) => event.name), payload: Array.from(payload.values(), ({ column }) => column) };
}

function landedEvents(aggregate: string, environment: Environment): readonly EventBlock[] | undefined {
  const events = new Map<string, EventBlock>();
  for (const name of environment.landings(aggregate)) {
    const found = environment.find('event', name);
    if (found.status === 'found') events.set(found.block.name, found.block);
    else if (environment.tolerant || (found.status === 'unknown' && wasStored(aggregate, name, environment))) continue;
    else return undefined;
  }
  return Array.from(events.values()).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Events that exist only in the history may have been dropped; they no longer have fields. */
function wasStored(aggregate: string, event: string, { history }: Environment): boolean {
  return historyIndex(history).landedIn(aggregate).includes(event);
}

function reportClash(
  aggregate: string,
  known: { readonly column: Column; readonly from: EventBlock },
  event: EventBlock,
  field: EventBlock['fields'][number],
  span: Span,
  report: Report,
): void {
  const first = { first: known.from.name, firstType: typeName(known.column.type) };
  const second = { second: event.name, secondType: typeName(field.type) };
  report(diagnose('E0414', span, { aggregate, field: field.name, ...first, ...second }));
}

function fieldSpan(event: EventBlock, field: string, environment: Environment): Span | undefined {
  const tree = environment.tree('event', event.name);
  return tree?.kind === 'CreateEvent'
    ? tree.fields.find((candidate) => candidate.name.text === field)?.span
    : undefined;
}
