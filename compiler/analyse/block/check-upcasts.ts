import type { EventBlock, EventUpcast } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import { storedEventFacts } from '../../../language/contract/event.ts';
import type { Column } from '../../../language/contract/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { typeName } from '../../../language/values/type.ts';
import { isStableCall } from '../../functions/properties-of-call.ts';
import type { Assignment, CreateEvent, Upcast } from '../../syntax/ast.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { assign } from '../expression/convert.ts';
import { columnOf, isFaulty, nullOf } from '../typed/typed.ts';
import type { BlockContext } from '../environment/environment.ts';
import { historyIndex } from '../environment/history-index.ts';
import { noHistory, type StoredDefinition } from '../environment/registry.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';
import type { Binding, ExpressionContext, Site } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { scopeOver } from '../query/scope.ts';
import { isMarked } from '../sensitive/mark.ts';
import { sourceOfMark } from '../sensitive/source-of-mark.ts';
import { resolveFieldType } from '../type/resolve-type.ts';
import { widens } from '../type/widens.ts';
import { hasShape, sameStored, shapeKey } from './event-shape.ts';

type Field = EventBlock['fields'][number];

/** The definition that the clauses lead to. */
interface Present extends Pick<EventBlock, 'name' | 'fields'> {
  /** Fields without a type, in lower case: the error is reported at the field, or at the enum that is its type. */
  readonly untyped: ReadonlySet<string>;
}

/** UPCAST clauses of an event (docs/language.md#evolution): each gives every field of the present definition a value. */
export function checkUpcasts(
  tree: CreateEvent,
  fields: readonly Field[],
  context: BlockContext,
): readonly EventUpcast[] {
  const seen = new Map<string, Upcast>();
  const typed = new Set(fields.map(({ name }) => name.toLowerCase()));
  const untyped = new Set(tree.fields.map(({ name }) => name.text.toLowerCase()).filter((name) => !typed.has(name)));
  return tree.upcasts.flatMap((clause) => {
    const old = oldFields(clause, context);
    const event = clause.event?.text ?? tree.name.text;
    if (clause.event !== undefined && !mayRead(tree, clause, context)) return [];
    if (old === undefined) return [];
    const key = `${event.toLowerCase()}: ${shapeKey(old)}`;
    const first = seen.get(key);
    if (first !== undefined) {
      const related = [{ message: 'first clause', span: first.span }];
      context.report(diagnose('E0441', clause.span, { event }, { related }));
      return [];
    }
    seen.set(key, clause);
    if (clause.event === undefined && sameStored(fields, old)) {
      context.report(diagnose('E0442', clause.span, { event }));
      return [];
    }
    return [bindUpcast(clause, event, old, { name: tree.name.text, fields, untyped }, context)];
  });
}

function oldFields(clause: Upcast, context: BlockContext): EventUpcast['fields'] | undefined {
  const names = clause.fields.map(({ name }) => name);
  const { report } = context;
  const kept = checkDuplicates(names, 'the stored event', report);
  const fields = clause.fields.flatMap((node, index) => {
    checkSafeName(node.name, 'a field', report);
    const type = resolveFieldType(node, context);
    return type === undefined || !kept.has(index) ? [] : [{ name: node.name.text, type }];
  });
  return fields.length === clause.fields.length ? fields : undefined;
}

/** Whether the event may read those stored under the name: it no longer names an event, and no other event reads them. */
function mayRead(tree: CreateEvent, { event: name }: Upcast, { environment, report }: BlockContext): boolean {
  if (name === undefined) return true;
  const refuse = (problem: string): boolean => {
    report(diagnose('E0444', name.span, { event: name.text, problem }));
    return false;
  };
  if (name.text.toLowerCase() === tree.name.text.toLowerCase()) return refuse('leave the name out for its own events');
  const found = environment.find('event', name.text);
  // With errors of its own, or one that text with errors may create.
  if (found.status === 'faulty') return false;
  if (found.status !== 'unknown') return refuse('it still exists; drop it, in the same change or before');
  const [first] = environment.readersOf(name.text);
  const isFirst = first === undefined || first.toLowerCase() === tree.name.text.toLowerCase();
  return isFirst || refuse(`event '${first}' reads them already`);
}

function bindUpcast(
  clause: Upcast,
  event: string,
  old: EventUpcast['fields'],
  present: Present,
  { environment, report }: BlockContext,
): EventUpcast {
  const known = historyIndex(environment.history).definitionsOf(event);
  const matching = known.filter((definition) => hasShape(definition.fields, old));
  const columns = old.map((field): Column => ({
    ...field,
    nullable: true,
    sensitive: wasSensitive(field.name, matching),
  }));
  const binding = createBinding(environment, report, { fixed: 'an UPCAST clause', given: storedEventFacts });
  const scope = scopeOver({ id: 0, name: undefined, columns, open: false, optional: false });
  const assigned = bindAssignments(clause.assignments, present, { binding, scope });
  const values = present.fields.map((field) => ({
    name: field.name,
    value: assigned.get(field.name) ?? carriedOver(field, columns, clause, binding),
  }));
  return {
    event,
    versions: matching.map(({ version }) => version),
    fields: columns.map(({ name, type, sensitive }) => ({ name, type, ...(sensitive && { sensitive }) })),
    values,
    ...(environment.history === noHistory ? {} : { needed: matching.some(({ count }) => count > 0) }),
  };
}

function wasSensitive(field: string, definitions: readonly StoredDefinition[]): boolean {
  const lower = field.toLowerCase();
  return definitions.some(({ fields }) =>
    fields.some(({ name, sensitive }) => sensitive && name.toLowerCase() === lower),
  );
}

function bindAssignments(
  assignments: readonly Assignment[],
  { name: owner, fields, untyped }: Present,
  context: Pick<ExpressionContext, 'binding' | 'scope'>,
): ReadonlyMap<string, TypedExpression> {
  const { binding } = context;
  const assigned = new Map<string, TypedExpression>();
  for (const { field: name, value } of assignments) {
    const site: Site = {
      where: `the UPCAST of '${name.text}'`,
      aggregates: 'refused',
      windows: false,
      queries: false,
      sensitive: 'masked',
    };
    const bound = bindExpression(value, { ...context, site });
    const field = fields.find((candidate) => candidate.name.toLowerCase() === name.text.toLowerCase());
    if (field === undefined) {
      if (untyped.has(name.text.toLowerCase())) continue;
      const present = fields.map((candidate) => candidate.name);
      const nearest = nearestNames(name.text, present);
      const parameters = { owner: `event '${owner}'`, name: name.text, nearest, known: present };
      binding.report(diagnose('E0202', name.span, parameters));
      continue;
    }
    binding.environment.recordUse?.(name.span, { kind: 'event', name: owner, part: field.name });
    if (assigned.has(field.name)) binding.report(diagnose('E0413', name.span, { name: field.name }));
    if (someExpression(bound, isStableCall))
      binding.report(diagnose('E0416', value.span, { function: 'the current time', where: 'an UPCAST clause' }));
    checkMark(bound, field, value.span, binding);
    assigned.set(field.name, assign(bound, field.type, field.name, value.span, binding));
  }
  return assigned;
}

/** A value that was stored as SENSITIVE stays so (docs/language.md#sensitive-values). */
function checkMark(value: TypedExpression, field: Field, span: Upcast['span'], { report }: Binding): void {
  if (!isFaulty(value) && isMarked(value) && !field.sensitive)
    report(diagnose('E0701', span, { field: field.name, source: sourceOfMark(value) }));
}

/** The value of a field without an assignment: that of the old field of its name, if its type is the same or narrower, else NULL. */
function carriedOver(field: Field, columns: readonly Column[], clause: Upcast, binding: Binding): TypedExpression {
  const column = columns.find(({ name }) => name.toLowerCase() === field.name.toLowerCase());
  if (column === undefined || field.volatile) return nullOf(field.type);
  if (!widens(column.type, field.type)) {
    const types = { stored: typeName(column.type), given: typeName(field.type) };
    binding.report(diagnose('E0443', clause.span, { field: field.name, ...types }));
    return nullOf(field.type);
  }
  const value = columnOf(0, column);
  checkMark(value, field, clause.span, binding);
  return assign(value, field.type, field.name, clause.span, binding);
}

/** The events of other names that the clauses of these definitions read. */
export function namesRead(upcasts: readonly Pick<EventUpcast, 'event'>[], own: string): readonly string[] {
  const names = upcasts.map(({ event }) => event).filter((event) => event.toLowerCase() !== own.toLowerCase());
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}
