import { typeName, type Type } from '../../../language/values/type.ts';
import type { EventBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { CreateEvent, EventField } from '../../syntax/ast.ts';
import type { BlockContext } from '../incremental/environment.ts';
import { historyIndex } from '../incremental/history-index.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';
import type { StoredHistory } from '../incremental/registry.ts';
import { resolveFieldType } from '../type/resolve-type.ts';
import { widens, widerTypes } from '../type/widens.ts';
import { checkLostFields } from './lost-fields.ts';

type Field = EventBlock['fields'][number];

/** EVENT (docs/language.md#event): the types of its payload, compared with its stored events. */
export function checkEvent(tree: CreateEvent, context: BlockContext): EventBlock {
  const { report, text, environment } = context;
  const kept = checkDuplicates(
    tree.fields.map((field) => field.name),
    `event '${tree.name.text}'`,
    report,
  );
  const fields: Field[] = [];
  for (const [index, node] of tree.fields.entries()) {
    checkSafeName(node.name, 'a field', report);
    checkMarks(node, report);
    const type = resolveFieldType(node, report);
    if (type === undefined || !kept.has(index)) continue;
    checkEvolution(tree.name.text, node, type, environment.history, report);
    fields.push({ name: node.name.text, type, sensitive: node.sensitive, volatile: node.volatile, tag: node.tag });
  }
  checkLostFields(tree, fields, environment, report);
  return {
    kind: 'event',
    name: tree.name.text,
    text,
    references: context.references(),
    fields,
    version: environment.eventVersion(tree.name.text, text),
  };
}

function checkMarks(node: EventField, report: Report): void {
  const name = node.name.text;
  const refuse = (first: string, second: string): void =>
    report(diagnose('E0407', node.name.span, { name, first, second }));
  if (node.sensitive && node.volatile) refuse('SENSITIVE', 'VOLATILE');
  if (node.tag && node.sensitive) refuse('SENSITIVE', 'TAG');
  if (node.tag && node.volatile) refuse('VOLATILE', 'TAG');
}

/** Against every version of the field ever stored, including those of dropped and re-created events. */
function checkEvolution(event: string, node: EventField, type: Type, history: StoredHistory, report: Report): void {
  const field = node.name.text;
  const versions = historyIndex(history).fieldsOf(event);
  const stored = versions.filter((version) => version.field.toLowerCase() === field.toLowerCase());
  const refused = stored.find((version) => !widens(version.type, type));
  if (refused !== undefined) {
    const types = { stored: typeName(refused.type), given: typeName(type) };
    const wider = widerTypes(refused.type);
    report(diagnose('E0417', node.type.span, { event, field, ...types, ...(wider === undefined ? {} : { wider }) }));
  } else if (!node.sensitive && stored.some((version) => version.sensitive)) {
    report(diagnose('E0418', node.name.span, { event, field }));
  }
}
