import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type { CreateCommand, CreateDecision, CreateEvent, Emit, Statement } from '../../syntax/ast.ts';
import { printWord } from '../../syntax/print/words.ts';
import { findAll } from '../../syntax/walk.ts';
import type { Symbols } from '../../symbols.ts';
import type { Edit } from '../rename.ts';
import type { Action } from './action.ts';
import { isSame, typeOfParameter, typeOfValue } from './guessed-type.ts';
import { parsedText } from '../parsed-text.ts';

/** Adds the field that a decision uses to the event or the command that lacks it, wherever that is declared. */
export function missingFields(
  statement: Statement,
  found: readonly Diagnostic[],
  catalog: Catalog,
  symbols: Symbols,
): readonly Action[] {
  if (statement.kind !== 'CreateDecision') return [];
  return found.flatMap((about): readonly Action[] => {
    const lacking = lackingField(statement, about, catalog);
    if (lacking === undefined) return [];
    const { kind, block, field, type } = lacking;
    const declared = declarationOf(kind, block, symbols);
    if (declared === undefined) return [];
    const title = `add field '${field}' to ${kind} '${declared.name.text}'`;
    return [{ title, about, edits: [fieldAdded(declared, `${printWord(field)} ${type}`)] }];
  });
}

interface LackingField {
  readonly kind: 'event' | 'command';
  readonly block: string;
  readonly field: string;
  readonly type: string;
}

function lackingField(decision: CreateDecision, about: Diagnostic, catalog: Catalog): LackingField | undefined {
  const { span, code } = about;
  const command = decision.command.text;
  if (code === 'E0204') {
    const used = findAll(decision, 'BindParameter').find((each) => isAt(each.span, span) || isAt(each.name.span, span));
    const field = used?.name.text;
    if (field === undefined) return undefined;
    return { kind: 'command', block: command, field, type: typeOfParameter(decision, field, catalog) };
  }
  if (code !== 'E0202') return undefined;
  for (const { event, assignments } of decision.branches.flatMap(({ emits }) => emits)) {
    const assigned = assignments.find(({ field }) => isAt(field.span, span));
    if (assigned !== undefined) {
      const type = typeOfValue(assigned.value, command, catalog);
      return { kind: 'event', block: event.text, field: assigned.field.text, type };
    }
  }
  return undefined;
}

function isAt(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}

function declarationOf(
  kind: 'event' | 'command',
  name: string,
  symbols: Symbols,
): CreateEvent | CreateCommand | undefined {
  const [place] = symbols.definitions({ kind, name });
  if (place === undefined || place.applied !== undefined) return undefined;
  const around = parsedText(place.file).statements.find(
    ({ span }) => span.start <= place.start && span.end >= place.end,
  )?.statement;
  const wanted = kind === 'event' ? 'CreateEvent' : 'CreateCommand';
  return around?.kind === wanted && isSame(around.name.text, name) ? around : undefined;
}

/** Behind the last field, in the way that the fields before are laid out. */
function fieldAdded({ fields, span }: CreateEvent | CreateCommand, text: string): Edit {
  const { file } = span;
  const [last, previous] = [fields.at(-1), fields.at(-2)];
  if (last !== undefined) {
    const between = previous === undefined ? '' : file.text.slice(previous.span.end, last.span.start);
    const separator = /^,\s*$/.test(between) ? between : ', ';
    return { span: { file, start: last.span.end, end: last.span.end }, text: separator + text };
  }
  const close = file.text.lastIndexOf(')', span.end - 1);
  return { span: { file, start: close, end: close }, text };
}

/** In the parentheses of an event whose fields are not all assigned: the rest, from fields of the command with the same name. */
export function unassignedFields(statement: Statement, from: number, to: number, catalog: Catalog): readonly Action[] {
  if (statement.kind !== 'CreateDecision') return [];
  const command = catalog.blocks.command.find(({ name }) => isSame(name, statement.command.text));
  const emits = statement.branches.flatMap((branch) => branch.emits);
  return emits.flatMap((emit): readonly Action[] => {
    const event = catalog.blocks.event.find(({ name }) => isSame(name, emit.event.text));
    const isHere = emit.event.span.start <= to && emit.span.end >= from;
    if (event === undefined || !isHere) return [];
    const missing = event.fields.filter(({ name }) => !emit.assignments.some(({ field }) => isSame(field.text, name)));
    if (missing.length === 0) return [];
    const values = missing.map(({ name }) => {
      const given = command?.fields.some((field) => isSame(field.name, name));
      return `${printWord(name)} := ${given === true ? `:${printWord(name)}` : 'NULL'}`;
    });
    const edit = assignmentsAdded(emit, values.join(', '));
    return edit === undefined ? [] : [{ title: `assign the other fields of '${event.name}'`, edits: [edit] }];
  });
}

function assignmentsAdded({ assignments, event, span: { file, end } }: Emit, text: string): Edit | undefined {
  const last = assignments.at(-1);
  if (last !== undefined) return { span: { file, start: last.span.end, end: last.span.end }, text: `, ${text}` };
  const open = /^\s*\(/.exec(file.text.slice(event.span.end, end))?.[0].length;
  if (open === undefined) return undefined;
  const at = event.span.end + open;
  return { span: { file, start: at, end: at }, text };
}
