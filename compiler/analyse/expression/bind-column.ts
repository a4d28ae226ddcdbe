import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { typeName } from '../../../language/values/type.ts';
import type { BindParameter, ColumnReference, Name } from '../../syntax/ast.ts';
import { printName } from '../../syntax/print/words.ts';
import type { Environment } from '../environment/environment.ts';
import { isRegistrySchema } from '../name/name-rules.ts';
import type { Binding, ExpressionContext } from '../query/binding.ts';
import {
  findColumn,
  joinedNamed,
  type InputScope,
  type JoinedColumn,
  type RelationScope,
  type Scope,
  type ScopeColumn,
} from '../query/scope.ts';
import { walkExpression } from '../typed/walk.ts';
import { isMarked } from '../sensitive/mark.ts';
import { maskedStruct } from '../sensitive/mask.ts';
import { columnOf, faulty, nullOf, nullType } from '../typed/typed.ts';
import { callerHabit, isCallerHabit } from '../../syntax/habits/names.ts';
import { bindCurrentUser } from './bind-caller.ts';
import { reportUnknownColumn } from './unknown-column.ts';

/** `a`, `t.a`, `data.a`, `t.data.a`: the relation instance and column of a name, innermost scope first. */
export function bindColumn(node: ColumnReference, context: ExpressionContext): TypedExpression {
  const path = withoutSchema(node.path, context.scope);
  const [first, ...rest] = path;
  if (first === undefined) return faulty;
  const caller = bindCurrentUser(node, context);
  if (caller !== undefined) return caller;
  const { state, inputs } = context.scope;
  if (inputs !== undefined) return bindInput(node, first, rest.length > 0, inputs, context);
  if (state !== undefined) return bindStateColumn(node, first, rest.length > 0, { ...context, state });
  const found = rest.length === 0 ? findPlain(first, context) : findQualified(first, rest, context);
  if (found === undefined) return faulty;
  recordColumnUse(path, found, context);
  if (context.binding.sensitivity === 'masks' && isMarked(found) && context.site.sensitive === 'refused') {
    const column = path.map((name) => name.text).join('.');
    context.binding.report(diagnose('E0702', node.span, { column, where: context.site.where }));
    return faulty;
  }
  return found;
}

/** In a CHECK a field of its command, in a function a parameter. */
function bindInput(
  node: ColumnReference,
  name: Name,
  qualified: boolean,
  { kind, name: owner, inputs, open }: InputScope,
  { binding }: ExpressionContext,
): TypedExpression {
  const found = qualified ? undefined : findNamed(inputs, name.text);
  if (found !== undefined) {
    binding.environment.recordUse?.(name.span, { kind, name: owner, part: found.name });
    return { ...found };
  }
  if (open) return faulty;
  const written = node.path.map((part) => part.text).join('.');
  const known = inputs.map((input) => input.name);
  const nearest = nearestNames(written, known);
  const what = kind === 'command' ? 'field' : 'parameter';
  const hint = !name.quoted && isCallerHabit(written) ? { hint: callerHabit } : {};
  binding.report(
    diagnose('E0202', node.span, { owner: `${kind} '${owner}'`, what, name: written, nearest, known, ...hint }),
  );
  return faulty;
}

/** The column of the registry's relation that a path refers to, at its last name. */
function recordColumnUse(path: readonly Name[], found: TypedExpression, { binding, scope }: ExpressionContext): void {
  const { recordUse } = binding.environment;
  const last = path.at(-1);
  if (recordUse === undefined || last === undefined || found.kind !== 'column') return;
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    const source = level.relations.find(({ id }) => id === found.relation)?.source;
    if (source === undefined) continue;
    const part = found.column;
    if (source.kind === 'projection') recordUse(last.span, { kind: 'projection', name: source.projection, part });
    if (source.kind === 'events' || source.kind === 'state')
      recordUse(last.span, { kind: 'aggregate', name: source.aggregate, part });
    return;
  }
}

/** `:field` of the command being decided. */
export function bindParameter(node: BindParameter, { binding, scope }: ExpressionContext): TypedExpression {
  const { command } = binding;
  const name = node.name.text;
  if (scope.inputs !== undefined && findNamed(scope.inputs.inputs, name) !== undefined) {
    const fix = { title: 'remove the colon', span: node.span, replacement: printName({ text: name }) };
    binding.report(diagnose('E0217', node.span, { name, bare: scope.inputs.kind }, { fix }));
    return faulty;
  }
  if (binding.given !== undefined) return bindGiven(node, binding.given, binding);
  if (binding.event !== undefined) return bindEventInput(node, binding.event, binding);
  if (command === 'unknown') return faulty;
  if (command === undefined) {
    binding.report(diagnose('E0217', node.span, { name }));
    return faulty;
  }
  const field = findNamed(command.fields, name);
  if (field !== undefined) {
    binding.environment.recordUse?.(node.name.span, { kind: 'command', name: command.name, part: field.name });
    return {
      kind: 'argument',
      name: field.name,
      type: field.type,
      nullable: field.nullable,
      sensitive: field.sensitive,
    };
  }
  const known = command.fields.map((candidate) => candidate.name);
  const nearest = nearestNames(name, known);
  binding.report(diagnose('E0204', node.span, { command: command.name, name, nearest, known }));
  return faulty;
}

/** `:field` of the event that a reaction answers. */
function bindEventInput(
  { name, span }: BindParameter,
  { word, events, inputs, open }: NonNullable<Binding['event']>,
  { report, environment }: Binding,
): TypedExpression {
  const found = findNamed(inputs, name.text);
  if (found !== undefined) {
    for (const event of found.isField ? events : [])
      environment.recordUse?.(name.span, { kind: 'event', name: event, part: found.name });
    const { type, nullable, sensitive } = found;
    return { kind: 'argument', name: found.name, type, nullable, sensitive };
  }
  if (open) return faulty;
  const known = inputs.map((input) => input.name);
  report(diagnose('E0452', span, { event: word, name: name.text, nearest: nearestNames(name.text, known), known }));
  return faulty;
}

/** `:seq` of the stored event that an UPCAST clause reads, or a value that comes with a query. */
function bindGiven(
  { name, span }: BindParameter,
  given: NonNullable<Binding['given']>,
  { report }: Binding,
): TypedExpression {
  const found = findNamed(given, name.text);
  if (found !== undefined)
    return { kind: 'argument', name: found.name, type: found.type, nullable: false, sensitive: false };
  report(diagnose('E0445', span, { name: name.text, known: given.map((one) => one.name) }));
  return faulty;
}

function findNamed<N extends { readonly name: string }>(all: readonly N[], name: string): N | undefined {
  const lower = name.toLowerCase();
  return (
    all.find((candidate) => candidate.name === name) ?? all.find((candidate) => candidate.name.toLowerCase() === lower)
  );
}

/** `Reg.relation.column` names the relation in full, as in PostgreSQL. */
function withoutSchema(path: readonly Name[], scope: Scope): readonly Name[] {
  const [schema, relation] = path;
  if (schema === undefined || relation === undefined || path.length < 3 || !isRegistrySchema(schema.text)) return path;
  return relationNamed(relation.text, scope) === undefined ? path : path.slice(1);
}

/** Guards and assignments: a bare name is a column of STATE, and nothing else is in scope. */
function bindStateColumn(
  node: ColumnReference,
  name: Name,
  qualified: boolean,
  context: ExpressionContext & { readonly state: NonNullable<Scope['state']> },
): TypedExpression {
  const { state } = context;
  const column = qualified ? undefined : findColumn(state.columns, name.text);
  if (column !== undefined) {
    context.binding.environment.recordUse?.(name.span, { kind: state.kind, name: state.name, part: column.name });
    return {
      kind: 'state',
      name: column.name,
      type: column.type,
      nullable: column.nullable,
      sensitive: column.sensitive,
    };
  }
  if (state.open) return faulty;
  const written = node.path.map((part) => part.text).join('.');
  const known = state.columns.map((candidate) => candidate.name);
  reportUnknownColumn(name, { span: node.span, text: written }, known, context);
  return faulty;
}

/** A column of a relation instance as an expression; callers see `data` with its SENSITIVE leaves masked. */
export function columnOfScope(relation: RelationScope, column: ScopeColumn, binding: Binding): TypedExpression {
  const named = column.source === undefined ? column : { ...column, name: column.source };
  const bound = columnOf(relation.id, named, relation.optional);
  return relation.events === undefined ? bound : maskedStruct(bound, binding);
}

/** A column of a FROM; a copy, so that it can have its own place in the text. */
export function columnOfJoined(
  column: JoinedColumn,
  relations: readonly RelationScope[],
  binding: Binding,
): TypedExpression {
  if (column.kind === 'merged') return { ...column.expression };
  const relation = relations.find((candidate) => candidate.id === column.relation);
  if (relation === undefined) throw new Error(`column ${column.name} belongs to no relation in scope`);
  return columnOfScope(relation, column.column, binding);
}

/** Reports the relations that a name could mean, or the relation that has two such columns. */
export function reportAmbiguous(
  name: Name,
  found: readonly JoinedColumn[],
  relations: readonly RelationScope[],
  binding: Binding,
): void {
  const owners = found.map((column) => {
    const [owner] = column.kind === 'own' ? [column.relation] : relationsRead(column.expression);
    return relations.find(({ id }) => id === owner)?.name ?? '(derived table)';
  });
  const [first, ...others] = found.map((column) => (column.kind === 'own' ? column.relation : undefined));
  if (first !== undefined && others.every((relation) => relation === first))
    binding.report(diagnose('E0216', name.span, { owner: owners[0] ?? '', names: [name.text] }));
  else binding.report(diagnose('E0207', name.span, { name: name.text, relations: owners }));
}

/** A column merged by USING represents one column of each side. */
function relationsRead(merged: TypedExpression): readonly number[] {
  const found: number[] = [];
  walkExpression(merged, (part) => {
    if (part.kind === 'column') found.push(part.relation);
    return true;
  });
  return found;
}

function findPlain(name: Name, context: ExpressionContext): TypedExpression | undefined {
  for (let scope: Scope | undefined = context.scope; scope !== undefined; scope = scope.parent) {
    const found = joinedNamed(scope.joined, name.text);
    const [only, second] = found;
    if (second !== undefined) {
      reportAmbiguous(name, found, scope.relations, context.binding);
      return undefined;
    }
    if (only !== undefined) return columnOfJoined(only, scope.relations, context.binding);
    if (scope.relations.some((relation) => relation.open)) return undefined;
  }
  const { compared } = context.binding;
  const relations = compared.left < 0 ? [] : context.scope.relations;
  const columns = relations.flatMap((relation) => relation.columns.map((column) => column.name));
  reportUnknownColumn(name, name, columns, context);
  return undefined;
}

function countNamed(relation: RelationScope, name: string): number {
  const lower = name.toLowerCase();
  return relation.columns.filter((column) => column.name.toLowerCase() === lower).length;
}

function reportTwice(name: Name, relation: RelationScope, context: ExpressionContext): void {
  const owner = relation.name ?? '(derived table)';
  context.binding.report(diagnose('E0216', name.span, { owner, names: [name.text] }));
}

/** The relation of that name, in the innermost level that has one. */
export function relationNamed(name: string, scope: Scope): { relation: RelationScope; scope: Scope } | undefined {
  const lower = name.toLowerCase();
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const relation = at.relations.find((candidate) => candidate.name?.toLowerCase() === lower);
    if (relation !== undefined) return { relation, scope: at };
  }
  return undefined;
}

/** `t.a` and `t.data.a` of a relation, else `data.a` of the one relation that has such a column. */
function findQualified(first: Name, rest: readonly Name[], context: ExpressionContext): TypedExpression | undefined {
  const named = relationNamed(first.text, context.scope)?.relation;
  if (named !== undefined)
    return findInRelation(named, isOwnField(named, first, rest) ? [first, ...rest] : rest, context);
  const struct = structRelation(first, context);
  if (struct === 'reported') return undefined;
  if (struct !== undefined) return findInRelation(struct, [first, ...rest], context);
  if (context.scope.relations.some((relation) => relation.open)) return undefined;
  const known = context.scope.relations.flatMap((relation) => relation.name ?? []);
  context.binding.report(
    diagnose('E0213', first.span, { name: first.text, nearest: nearestNames(first.text, known), known }),
  );
  return undefined;
}

/** Whether the name is also that of a STRUCT of the relation, and only this has such a field: `data.litres` of an inspection's target `data`. */
function isOwnField(relation: RelationScope, first: Name, [field]: readonly Name[]): boolean {
  if (field === undefined || findColumn(relation.columns, field.text) !== undefined) return false;
  return findColumn(relation.columns, `${first.text}.${field.text}`) !== undefined;
}

function structRelation(first: Name, context: ExpressionContext): RelationScope | 'reported' | undefined {
  for (let scope: Scope | undefined = context.scope; scope !== undefined; scope = scope.parent) {
    const found = scope.relations.filter((relation) => findColumn(relation.columns, first.text) !== undefined);
    if (found.length > 1) {
      const relations = found.map((relation) => relation.name ?? '(derived table)');
      context.binding.report(diagnose('E0207', first.span, { name: first.text, relations }));
      return 'reported';
    }
    if (found[0] !== undefined) return found[0];
    if (scope.relations.some((relation) => relation.open)) return 'reported';
  }
  return undefined;
}

/** The column, or the field of a STRUCT column, for the names after a relation's name. */
function findInRelation(
  relation: RelationScope,
  names: readonly Name[],
  context: ExpressionContext,
): TypedExpression | undefined {
  const { binding } = context;
  if (relation.open) return undefined;
  const [name, field, ...more] = names;
  if (name === undefined) return undefined;
  const written = names.map((part) => part.text).join('.');
  const column = findColumn(relation.columns, field === undefined ? name.text : `${name.text}.${field.text}`);
  if (column !== undefined && more.length === 0) {
    if (countNamed(relation, name.text) > 1) {
      reportTwice(name, relation, context);
      return undefined;
    }
    return columnOfScope(relation, column, binding);
  }
  if (column !== undefined) {
    const [member] = more;
    const hint = `a member of it is read with ->>: ${name.text}.${field?.text ?? ''}->>'${member?.text ?? ''}'`;
    const type = typeName(column.type);
    binding.report(
      diagnose('E0311', (member ?? name).span, { type, ...(column.type.kind === 'JSON' ? { hint } : {}) }),
    );
    return undefined;
  }
  if (field === undefined) {
    const known = relation.columns.map((candidate) => candidate.name);
    const payload = findColumn(relation.columns, `data.${name.text}`);
    const nearest = payload === undefined ? nearestNames(name.text, known) : [pathIn(relation, payload.name)];
    binding.report(diagnose('E0203', name.span, { name: name.text, nearest, known }));
    return undefined;
  }
  return unknownField(relation, name, field, written, context);
}

/** The events that have such a field: perhaps the decision that emits one of them is missing. */
function eventsWith(field: string, environment: Environment): readonly string[] {
  return environment.names('event').filter((event) => {
    const tree = environment.tree('event', event);
    return (
      tree?.kind === 'CreateEvent' && tree.fields.some(({ name }) => name.text.toLowerCase() === field.toLowerCase())
    );
  });
}

/** `e.data.amount`. */
function pathIn({ name }: RelationScope, column: string): string {
  return name === undefined ? column : `${printName({ text: name })}.${column}`;
}

function unknownField(
  relation: RelationScope,
  name: Name,
  field: Name,
  written: string,
  context: ExpressionContext,
): TypedExpression | undefined {
  const { binding } = context;
  const outer = findColumn(relation.columns, name.text);
  const prefix = `${name.text.toLowerCase()}.`;
  const fields = relation.columns.flatMap((candidate) =>
    candidate.name.toLowerCase().startsWith(prefix) ? [candidate.name.slice(prefix.length)] : [],
  );
  const nearest = nearestNames(field.text, fields).map((candidate) => `${name.text}.${candidate}`);
  if (outer?.type.kind === 'STRUCT' && relation.events !== undefined) {
    if (binding.environment.lenientPayload) {
      binding.report(diagnose('E0219', field.span, { aggregate: relation.events, name: field.text }));
      return nullOf(nullType);
    }
    if (!binding.environment.landingsKnown()) return undefined;
    const known = fields.map((candidate) => `${name.text}.${candidate}`);
    const carriers = nearest.length > 0 ? [] : eventsWith(field.text, binding.environment);
    const parameters = { aggregate: relation.events, name: field.text, nearest, known, carriers };
    binding.report(diagnose('E0218', field.span, parameters));
  } else {
    const known = relation.columns.map((candidate) => candidate.name);
    const parameters =
      outer === undefined
        ? { name: name.text, nearest: nearestNames(name.text, known), known }
        : { name: written, nearest };
    binding.report(diagnose('E0203', (outer === undefined ? name : field).span, parameters));
  }
  return undefined;
}
