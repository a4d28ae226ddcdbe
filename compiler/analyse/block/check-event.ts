import type { EventBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { CreateEvent, EventField } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';
import { resolveFieldType } from '../type/resolve-type.ts';
import { checkLostFields } from './lost-fields.ts';
import { checkEvolution } from './check-evolution.ts';
import { checkUpcasts } from './check-upcasts.ts';

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
    const type = resolveFieldType(node, context);
    if (type === undefined || !kept.has(index)) continue;
    fields.push({ name: node.name.text, type, sensitive: node.sensitive, volatile: node.volatile, tag: node.tag });
  }
  const upcasts = checkUpcasts(tree, fields, context);
  checkEvolution(tree, { fields, upcasts }, context);
  checkLostFields(tree, { fields, upcasts }, environment, report);
  return {
    kind: 'event',
    name: tree.name.text,
    text,
    references: context.references(),
    fields,
    version: environment.eventVersion(tree.name.text, text),
    ...(upcasts.length === 0 ? {} : { upcasts }),
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
