import type { BoundQuery, RelationSource } from '../../../language/catalog/query.ts';
import { findMetaRelation, metaRelations } from '../../../language/contract/meta-relations.ts';
import { reactionRelations, type ReactionRelation } from '../../../language/contract/reaction-relations.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { withoutQuotes, type Span } from '../../../language/source/span.ts';
import type { Name, RelationName } from '../../syntax/ast.ts';
import { isRegistrySchema } from '../name/name-rules.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import type { Binding } from './binding.ts';
import { eventScopeColumns, isEventTable, tableScopeColumns } from './event-columns.ts';
import type { Scope, ScopeColumn } from './scope.ts';

export interface ResolvedRelation {
  readonly source: RelationSource;
  readonly store?: string;
  /** Set if a query replaces the relation (INSPECT PROJECTION). */
  readonly query?: BoundQuery;
  readonly columns: readonly ScopeColumn[];
  readonly open: boolean;
  readonly events?: string;
}

type RelationNode = Pick<RelationName, 'schema' | 'name'>;

/** The source of a named relation (docs/language.md#queries). An unknown one is reported, and open from then on. */
export function resolveRelation(node: RelationNode, binding: Binding, scope: Scope): ResolvedRelation {
  const { schema } = node;
  if (schema === undefined) return resolveLocal(node.name, binding, scope);
  if (isRegistrySchema(schema.text)) return resolveRegistered(node.name, binding);
  const store = binding.environment.find('eventstore', schema.text);
  const storesShown = mayRead('meta_eventstores', binding);
  if (store.status === 'unknown' || !storesShown) {
    const known = ['Reg', ...(storesShown ? binding.environment.names('eventstore') : [])];
    binding.report(
      diagnose('E0214', schema.span, { name: schema.text, nearest: nearestNames(schema.text, known), known }),
    );
    return unknown(node.name);
  }
  if (binding.storeEnvironment === undefined) {
    binding.report(diagnose('E0619', schema.span, { store: schema.text }));
    return unknown(node.name);
  }
  recordBlockUse('eventstore', schema, store, binding.environment);
  if (store.status !== 'found') return resolveRegistered(node.name, binding);
  const environment = binding.storeEnvironment(store.block.name);
  return { ...resolveRegistered(node.name, { ...binding, environment }), store: store.block.name };
}

function unknown(name: Name): ResolvedRelation {
  return { source: { kind: 'session', table: name.text }, columns: [], open: true };
}

/** WITH tables, then tables of the session. */
function resolveLocal(name: Name, binding: Binding, scope: Scope): ResolvedRelation {
  const wanted = name.text.toLowerCase();
  const common = scope.tables.find((table) => table.name.toLowerCase() === wanted);
  if (common !== undefined) {
    return {
      source: { kind: 'common', table: common.id, name: common.name },
      columns: common.columns,
      open: common.open,
    };
  }
  const table = binding.tables.find((candidate) => candidate.name.toLowerCase() === wanted);
  if (table !== undefined) {
    const events = isEventTable(table.columns) ? { events: table.eventsOf ?? table.name } : {};
    return {
      source: { kind: 'session', table: table.name },
      columns: tableScopeColumns(table.columns),
      open: false,
      ...events,
    };
  }
  const known = [...scope.tables, ...binding.tables].map((candidate) => candidate.name);
  const registered = registeredNames(binding).find((candidate) => candidate.toLowerCase() === wanted);
  const hint = registered === undefined ? {} : { hint: `relations of the registry are written Reg."${registered}"` };
  binding.report(diagnose('E0206', name.span, { name: name.text, nearest: nearestNames(name.text, known), ...hint }));
  return unknown(name);
}

const suffixes = ['$events', '$agg', '$commands'] as const;
const written = { $events: '$Events', $agg: '$Agg', $commands: '$Commands' } as const;

function resolveRegistered(name: Name, binding: Binding): ResolvedRelation {
  const lower = name.text.toLowerCase();
  const suffix = suffixes.find((candidate) => lower.endsWith(candidate));
  if (suffix !== undefined) return resolveAggregate(name, name.text.slice(0, -suffix.length), suffix, binding);
  const ofReaction = reactionSuffixes.find((candidate) => lower.endsWith(candidate.toLowerCase()));
  if (ofReaction !== undefined) return resolveReaction(name, ofReaction, binding);
  const meta = findMetaRelation(name.text);
  if (meta !== undefined && denied(meta.name, binding)) return reportUnknown(name, binding);
  if (meta !== undefined) return { source: { kind: 'meta', relation: meta.name }, columns: meta.columns, open: false };
  return resolveProjection(name, binding);
}

function resolveAggregate(
  name: Name,
  aggregate: string,
  suffix: (typeof suffixes)[number],
  binding: Binding,
): ResolvedRelation {
  const found = binding.environment.find('aggregate', aggregate);
  if (found.status === 'unknown')
    return reportWaiting(name, 'aggregate', aggregate, binding) ?? reportUnknown(name, binding);
  recordBlockUse('aggregate', { ...name, span: beforeSuffix(name.span, suffix) }, found, binding.environment);
  if (found.status !== 'found') return unknown(name);
  const { block } = found;
  if (denied(`${block.name}${written[suffix]}`, binding)) return reportUnknown(name, binding);
  if (suffix === '$commands') {
    const { commandColumns } = binding;
    if (commandColumns === undefined) return reportUnknown(name, binding);
    const source = { kind: 'session', table: recordedCommandsOf(block.name) } as const;
    return { source, columns: tableScopeColumns(commandColumns(block.name)), open: false };
  }
  if (suffix === '$agg') {
    const standIn = binding.standIn?.state(block);
    if (standIn !== undefined)
      return {
        source: { kind: 'state', aggregate: block.name },
        query: standIn,
        columns: standIn.columns,
        open: false,
      };
    return { source: { kind: 'state', aggregate: block.name }, columns: block.state.columns, open: false };
  }
  const standIn = binding.standIn?.events(block);
  if (standIn !== undefined) {
    return {
      source: { kind: 'events', aggregate: block.name },
      query: standIn,
      columns: standIn.columns,
      open: false,
      events: block.name,
    };
  }
  return {
    source: { kind: 'events', aggregate: block.name },
    columns: eventScopeColumns(block),
    open: false,
    events: block.name,
  };
}

const reactionSuffixes = Object.keys(reactionRelations) as readonly ReactionRelation[];

/** Resolves the tasks that wait for a reaction, or its answers; only a reader that has the log can read them. */
function resolveReaction(name: Name, suffix: ReactionRelation, binding: Binding): ResolvedRelation {
  const found = binding.environment.find('reaction', name.text.slice(0, -suffix.length));
  if (found.status === 'unknown' || binding.commandColumns === undefined) return reportUnknown(name, binding);
  recordBlockUse(
    'reaction',
    { ...name, span: beforeSuffix(name.span, suffix.toLowerCase()) },
    found,
    binding.environment,
  );
  if (found.status !== 'found' || denied(`${found.block.name}${suffix}`, binding)) return unknown(name);
  const source = { kind: 'session', table: `Reg."${found.block.name}${suffix}"` } as const;
  return { source, columns: tableScopeColumns(reactionRelations[suffix]), open: false };
}

const reactionTable = /^Reg\."(.+)(\$Waiting|\$Reacted)"$/;

/** The reaction behind such a name, and the relation. */
export function reactionOfTable(
  table: string,
): { readonly reaction: string; readonly relation: ReactionRelation } | undefined {
  const [, reaction, relation] = reactionTable.exec(table) ?? [];
  return reaction === undefined ? undefined : { reaction, relation: relation as ReactionRelation }; // the two suffixes
}

const commandsTable = /^Reg\."(.+)\$Commands"$/;

/** The name under which the recorded commands of an aggregate are read, like a table that the reader fills. */
function recordedCommandsOf(aggregate: string): string {
  return `Reg."${aggregate}$Commands"`;
}

/** The aggregate behind such a name. */
export function aggregateOfCommands(table: string): string | undefined {
  return commandsTable.exec(table)?.[1];
}

/** The aggregate's part of `"Account$Agg"`, without the quotes. The whole span if the suffix comes from a template's argument. */
function beforeSuffix(span: Span, suffix: string): Span {
  const within = withoutQuotes(span);
  const written = span.file.text.slice(within.start, within.end);
  return written.toLowerCase().endsWith(suffix) ? { ...within, end: within.end - suffix.length } : span;
}

function resolveProjection(name: Name, binding: Binding): ResolvedRelation {
  const found = binding.environment.find('projection', name.text);
  switch (found.status) {
    case 'unknown':
      return reportWaiting(name, 'projection', name.text, binding) ?? reportUnknown(name, binding);
    case 'faulty':
      recordBlockUse('projection', name, found, binding.environment);
      return unknown(name);
    case 'cycle':
      binding.report(diagnose('E0415', name.span, { path: found.path }));
      return unknown(name);
    case 'found': {
      if (denied(found.block.name, binding)) return reportUnknown(name, binding);
      recordBlockUse('projection', name, found, binding.environment);
      const source = { kind: 'projection', projection: found.block.name } as const;
      const standIn = binding.standIn?.projection(found.block);
      if (standIn !== undefined) return { source, query: standIn, columns: standIn.columns, open: false };
      return { source, columns: found.block.query.columns, open: false };
    }
  }
}

/** Created, but naming blocks that are created later. */
function reportWaiting(
  name: Name,
  kind: 'aggregate' | 'projection',
  block: string,
  binding: Binding,
): ResolvedRelation | undefined {
  const blocks = binding.environment.waitsFor?.(kind, block);
  if (blocks === undefined || !mayRead(name.text, binding)) return undefined;
  const named = blocks.length > 0 ? blocks : ['what decides its events'];
  binding.report(diagnose('E0220', name.span, { waiting: `${kind} '${block}'`, blocks: named }));
  return unknown(name);
}

function reportUnknown(name: Name, binding: Binding): ResolvedRelation {
  const names = registeredNames(binding);
  const known = names.filter((candidate) => findMetaRelation(candidate) === undefined);
  binding.report(diagnose('E0206', name.span, { name: name.text, nearest: nearestRelations(name.text, names), known }));
  return unknown(name);
}

/** An aggregate's bare name counts as close to its relations, whatever the distance. */
function nearestRelations(name: string, known: readonly string[]): readonly string[] {
  const lower = name.toLowerCase();
  const own = known.filter((candidate) => suffixes.some((suffix) => candidate.toLowerCase() === lower + suffix));
  return own.length > 0 ? own : nearestNames(name, known);
}

/** Names that the caller may read: no message names another. */
function registeredNames(binding: Binding): readonly string[] {
  const { environment } = binding;
  return [
    ...environment.names('projection'),
    ...environment.names('aggregate').flatMap((aggregate) => [`${aggregate}$Events`, `${aggregate}$Agg`]),
    ...metaRelations.map((relation) => relation.name),
  ].filter((relation) => mayRead(relation, binding));
}

function mayRead(relation: string, { access }: Binding): boolean {
  return access === undefined || access.mayRead(relation);
}

/** Whether an existing relation may not be read, and so does not exist for the caller. */
function denied(relation: string, binding: Binding): boolean {
  if (mayRead(relation, binding)) return false;
  binding.access?.onDenied(relation);
  return true;
}
