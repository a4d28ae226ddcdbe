import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { SourceFile } from '../../../language/source/source-file.ts';
import type { CreateEvent } from '../../syntax/ast.ts';
import { printType } from '../../syntax/print.ts';
import { printName } from '../../syntax/print/words.ts';
import type { Symbols } from '../../symbols.ts';
import { renamed, type Edit } from '../rename.ts';
import type { Action } from './action.ts';
import { parsedText } from '../parsed-text.ts';

/**
 * Renames the event or the field of one at the place, and adds the UPCAST that reads events stored under the old name. An action cannot ask
 * for a name: it takes a free one, which a rename then changes without touching the UPCAST.
 */
export function keptRename(file: SourceFile, offset: number, symbols: Symbols, catalog: Catalog): Action | undefined {
  const event = parsedText(file).statements.find(({ span }) => span.start <= offset && offset <= span.end)?.statement;
  const target = symbols.at(file.name, offset)?.target;
  if (event?.kind !== 'CreateEvent' || target?.kind !== 'event' || target.name !== event.name.text) return undefined;
  for (let number = 2; number < mostNumbers; number++) {
    const name = `${target.part ?? target.name}${number}`;
    const found = renamed(file, offset, symbols, catalog, name);
    if (found.refused !== undefined) continue;
    const upcast = target.part === undefined ? ofEvent(event) : ofField(event, target.part, name);
    if (upcast === undefined) return undefined;
    return { title: `rename to '${name}' and keep reading stored events`, edits: [...found.edits, ...upcast] };
  }
  return undefined;
}

const mostNumbers = 10;

/** Earlier shapes of the event are stored under its name too. */
function ofEvent(event: CreateEvent): readonly Edit[] | undefined {
  const { file } = event.span;
  const name = printName(event.name);
  const earlier: Edit[] = [];
  for (const { event: from, span } of event.upcasts) {
    if (from !== undefined) continue;
    const words = /^UPCAST\s+FROM\s+/i.exec(file.text.slice(span.start, span.end))?.[0];
    if (words === undefined) return undefined; // a comment is between
    const at = span.start + words.length;
    earlier.push({ span: { file, start: at, end: at }, text: `EVENT ${name} ` });
  }
  return [...earlier, added(event, `UPCAST FROM EVENT ${name} (${shapeOf(event)}) AS ()`)];
}

/** With clauses for earlier shapes these would have to be written again as well. */
function ofField(event: CreateEvent, field: string, name: string): readonly Edit[] | undefined {
  const own = event.fields.find((each) => each.name.text.toLowerCase() === field.toLowerCase());
  if (own === undefined || event.upcasts.length > 0) return undefined;
  const assigned = `${printName({ text: name })} := ${printName(own.name)}`;
  return [added(event, `UPCAST FROM (${shapeOf(event)}) AS (${assigned})`)];
}

/** The names and types that are stored with each event. */
function shapeOf({ fields }: CreateEvent): string {
  return fields
    .filter(({ volatile }) => !volatile)
    .map((field) => `${printName(field.name)} ${printType(field.type)}`)
    .join(', ');
}

function added({ span: { file, end } }: CreateEvent, clause: string): Edit {
  return { span: { file, start: end, end }, text: `\n  ${clause}` };
}
