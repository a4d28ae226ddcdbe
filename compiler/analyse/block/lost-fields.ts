import type { EventBlock, EventUpcast } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { CreateEvent } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import { historyIndex } from '../environment/history-index.ts';
import type { StoredDefinition } from '../environment/registry.ts';
import { widens } from '../type/widens.ts';
import { clauseToFillIn, hasShape } from './event-shape.ts';

interface Present {
  readonly fields: EventBlock['fields'];
  readonly upcasts: readonly EventUpcast[];
}

/**
 * Warns of fields that the previous definition has, stored events carry, and this definition omits, unless an UPCAST clause reads these
 * events. If the definition adds a field that could hold the values of such a field, that is probably its new name, and stored events read
 * NULL for it. Only the previous definition is compared, so that the warning comes once, when the change is made.
 */
export function checkLostFields(
  tree: CreateEvent,
  { fields, upcasts }: Present,
  { history, eventBefore }: Environment,
  report: Report,
): void {
  const event = tree.name.text;
  const index = historyIndex(history);
  const known = eventBefore(event)?.fields.filter(({ volatile }) => !volatile);
  const latest = known ?? index.latestOf(event).fields ?? [];
  // A field with errors is not a lost field; a field that became VOLATILE reads NULL in stored events too.
  const stored = tree.fields.filter(({ volatile }) => !volatile);
  const declared = new Set(stored.map(({ name }) => name.text.toLowerCase()));
  const lost = latest.filter(({ name }) => !declared.has(name.toLowerCase()));
  if (lost.length === 0) return;
  const before = new Set(latest.map(({ name }) => name.toLowerCase()));
  const added = fields.filter(({ name, volatile }) => !volatile && !before.has(name.toLowerCase()));
  const own = upcasts.filter((clause) => clause.event === event);
  const unread = index
    .definitionsOf(event)
    .filter((definition) => !own.some((clause) => hasShape(definition.fields, clause.fields)));
  const carried = lost.filter(({ name }) => eventsWith(unread, name) > 0);
  /** The old names by the new ones. */
  const renamed = new Map<string, string>();
  for (const { name, type } of carried) {
    const found = added.findIndex((field) => widens(type, field.type) && eventsWith(unread, name, field.name) > 0);
    const [field] = found < 0 ? [] : added.splice(found, 1);
    if (field === undefined)
      report(diagnose('E0424', tree.name.span, { event, field: name, count: eventsWith(unread, name) }));
    else renamed.set(field.name, name);
  }
  for (const [now, name] of renamed) {
    const node = tree.fields.find((field) => field.name.text === now);
    const carrying = unread.findLast((definition) => carries(definition, name) && !carries(definition, now));
    const clause = clauseToFillIn(carrying ?? { fields: [] }, fields, { renamed });
    const count = eventsWith(unread, name, now);
    report(diagnose('E0423', (node ?? tree).name.span, { event, field: name, added: now, count, clause }));
  }
}

/** The number of stored events that carry one field and, if given, not the other. */
function eventsWith(definitions: readonly StoredDefinition[], field: string, without?: string): number {
  return definitions
    .filter((definition) => carries(definition, field) && (without === undefined || !carries(definition, without)))
    .reduce((sum, { count }) => sum + count, 0);
}

function carries({ fields, count }: StoredDefinition, field: string): boolean {
  const lower = field.toLowerCase();
  return count > 0 && fields.some(({ name, volatile }) => !volatile && name.toLowerCase() === lower);
}
