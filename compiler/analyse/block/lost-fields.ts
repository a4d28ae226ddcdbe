import type { EventBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { CreateEvent } from '../../syntax/ast.ts';
import type { Environment } from '../incremental/environment.ts';
import { historyIndex } from '../incremental/history-index.ts';
import type { StoredHistory } from '../incremental/registry.ts';
import { widens } from '../type/widens.ts';

type Field = EventBlock['fields'][number];

/**
 * Warns of fields that the previous definition has, stored events carry, and this definition omits. If it adds a field that could hold the
 * values of such a field, that is probably its new name, and stored events read NULL for it. Only the previous definition is compared, so
 * that the warning comes once, when the change is made.
 */
export function checkLostFields(
  tree: CreateEvent,
  fields: readonly Field[],
  { history, eventBefore }: Environment,
  report: Report,
): void {
  const event = tree.name.text;
  const known = eventBefore(event)?.fields.filter(({ volatile }) => !volatile);
  const latest = known ?? historyIndex(history).latestOf(event).fields ?? [];
  // A field with errors is not a lost field; a field that became VOLATILE reads NULL in stored events too.
  const stored = tree.fields.filter(({ volatile }) => !volatile);
  const declared = new Set(stored.map(({ name }) => name.text.toLowerCase()));
  const lost = latest.filter(({ name }) => !declared.has(name.toLowerCase()));
  if (lost.length === 0) return;
  const before = new Set(latest.map(({ name }) => name.toLowerCase()));
  const added = fields.filter(({ name, volatile }) => !volatile && !before.has(name.toLowerCase()));
  const counts = countsOf(event, history);
  for (const { name, type } of lost) {
    const carried = counts(name);
    if (carried === 0) continue;
    const index = added.findIndex((field) => widens(type, field.type) && counts(name, field.name) > 0);
    const [renamed] = index < 0 ? [] : added.splice(index, 1);
    const node = tree.fields.find((field) => field.name.text === renamed?.name);
    if (renamed === undefined) report(diagnose('E0424', tree.name.span, { event, field: name, count: carried }));
    else {
      const count = counts(name, renamed.name);
      report(diagnose('E0423', (node ?? tree).name.span, { event, field: name, added: renamed.name, count }));
    }
  }
}

/** The number of stored events of the type that carry one field and, if given, not the other. */
function countsOf(event: string, history: StoredHistory): (field: string, without?: string) => number {
  const counts = historyIndex(history)
    .countsOf(event)
    .map(({ count, fields }) => ({ count, fields: new Set(fields.map((field) => field.toLowerCase())) }));
  return (field, without) =>
    counts
      .filter(({ fields }) => fields.has(field.toLowerCase()))
      .filter(({ fields }) => without === undefined || !fields.has(without.toLowerCase()))
      .reduce((sum, { count }) => sum + count, 0);
}
