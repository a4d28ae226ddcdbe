/**
 * Every stored version of an event needs a way to the present definition (docs/language.md#evolution): an UPCAST clause that names its
 * fields, or else plain evolution. A version without one refuses the change.
 */
import type { EventBlock, EventUpcast } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { typeName } from '../../../language/values/type.ts';
import type { CreateEvent } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { historyIndex } from '../environment/history-index.ts';
import type { StoredDefinition } from '../environment/registry.ts';
import { widens, widerTypes } from '../type/widens.ts';
import { namesRead } from './check-upcasts.ts';
import { clauseToFillIn, hasShape, sameStored } from './event-shape.ts';

interface Present {
  readonly fields: EventBlock['fields'];
  readonly upcasts: readonly EventUpcast[];
}

/** Against every definition with stored events, including those of dropped and re-created events. */
export function checkEvolution(tree: CreateEvent, present: Present, context: BlockContext): void {
  const { environment } = context;
  const event = tree.name.text;
  const index = historyIndex(environment.history);
  const recorded = index.definitionsOf(event);
  const clausesOf = (from: string, definition: StoredDefinition): readonly EventUpcast[] =>
    present.upcasts.filter((clause) => sameName(clause.event, from) && hasShape(definition.fields, clause.fields));
  const plain: StoredDefinition[] = [];
  for (const definition of recorded) {
    const clauses = clausesOf(event, definition);
    reportSecond(tree, clauses, context);
    if (definition.count === 0 || clauses.length > 0) continue;
    const wasRead = recorded.some(({ upcasts = [] }) => upcasts.some((one) => reads(one, event, definition)));
    if (wasRead && !sameStored(definition.fields, present.fields)) reportNoWay(tree, definition, present, context);
    else plain.push(definition);
  }
  checkPlainEvolution(tree, present, plain, context);
  const earlier = recorded.flatMap(({ upcasts = [] }) => upcasts);
  for (const old of namesRead([...present.upcasts, ...earlier], event)) {
    if (isReadElsewhere(old, tree, present, context)) continue;
    for (const definition of index.definitionsOf(old)) {
      const clauses = clausesOf(old, definition);
      reportSecond(tree, clauses, context);
      if (definition.count > 0 && clauses.length === 0) reportNoWay(tree, definition, present, context);
    }
  }
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function reads(clause: Pick<EventUpcast, 'event' | 'fields'>, event: string, { fields }: StoredDefinition): boolean {
  return sameName(clause.event, event) && hasShape(fields, clause.fields);
}

/** Whether events stored under a name that this event no longer reads belong to another event now. */
function isReadElsewhere(old: string, tree: CreateEvent, { upcasts }: Present, { environment }: BlockContext): boolean {
  if (upcasts.some(({ event }) => sameName(event, old))) return false;
  if (environment.find('event', old).status !== 'unknown') return true;
  return environment.readersOf(old).some((reader) => !sameName(reader, tree.name.text));
}

/** Two clauses can name the shape of one definition, if one of them leaves out its VOLATILE fields. */
function reportSecond(tree: CreateEvent, [, second]: readonly EventUpcast[], { report }: BlockContext): void {
  const node = tree.upcasts.find(({ fields }) => fields.length === second?.fields.length);
  if (second !== undefined) report(diagnose('E0441', (node ?? tree).span, { event: second.event }));
}

function reportNoWay(
  tree: CreateEvent,
  definition: StoredDefinition,
  present: Present,
  { report }: BlockContext,
): void {
  const { event, version, count } = definition;
  const isOwn = sameName(event, tree.name.text);
  const clause = clauseToFillIn(definition, present.fields, { event: isOwn ? undefined : event });
  const parameters = { event: tree.name.text, stored: event, version, count, clause };
  report(diagnose('E0440', tree.name.span, parameters, { fix: insertion(tree, clause) }));
}

function insertion(
  tree: CreateEvent,
  clause: string,
): { title: string; span: CreateEvent['span']; replacement: string } {
  const { file, end } = tree.span;
  return { title: 'add the clause and fill it in', span: { file, start: end, end }, replacement: `\n  ${clause}` };
}

/** Fields of one name keep their type or widen it, and stay SENSITIVE. */
function checkPlainEvolution(
  tree: CreateEvent,
  present: Present,
  definitions: readonly StoredDefinition[],
  { report }: BlockContext,
): void {
  const event = tree.name.text;
  for (const { name: field, type, sensitive } of present.fields) {
    const node = tree.fields.find(({ name }) => name.text === field);
    if (node === undefined) continue;
    const stored = definitions.flatMap((definition) => {
      const found = definition.fields.find(({ name }) => sameName(name, field));
      return found === undefined ? [] : [{ definition, found }];
    });
    const refused = stored.filter(({ found }) => !widens(found.type, type));
    const [first] = refused;
    if (first !== undefined) {
      const wider = widerTypes(first.found.type);
      const clauses = refused.map(({ definition }) => clauseToFillIn(definition, present.fields));
      const parameters = {
        event,
        field,
        stored: typeName(first.found.type),
        given: typeName(type),
        ...(wider === undefined ? {} : { wider }),
        versions: refused.map(({ definition: { version, count } }) => ({ version, count })),
        clause: [...new Set(clauses)].join(' '),
      };
      report(diagnose('E0417', node.type.span, parameters, { fix: insertion(tree, parameters.clause) }));
    } else if (!sensitive && stored.some(({ found }) => found.sensitive)) {
      report(diagnose('E0418', node.name.span, { event, field }));
    }
  }
}
