import type { ReactionBlock } from '../../../language/catalog/block.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { InspectReaction } from '../../syntax/ast.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { resolveRelation, type ResolvedRelation } from '../query/resolve-relation.ts';
import { emptyScope, findColumn, type ScopeColumn } from '../query/scope.ts';
import type { Environment } from '../environment/environment.ts';
import type { BindScope, Bound, BoundInspectReaction, Registry } from '../environment/registry.ts';
import { callerBinding } from './bind-query.ts';
import { boundWith } from './bound.ts';
import { bindInspectChoice, chosenRows, type InspectChoice } from './inspect-choice.ts';
import { checkInspectStore, checkSource, sessionTarget } from './inspect-names.ts';

/** Columns of the source in addition to the event's fields; without a position, rows are numbered. */
const facts = ['event_id', 'stream_type', 'stream_id', 'seq', 'event_type', 'occurred_at'] as const;
const furtherFacts = ['global_position', 'correlation_id'] as const;

/**
 * INSPECT REACTION (docs/language.md#inspections): the rows of the source are the events that the reaction answers. Values
 * come in as stored; the arguments of commands are masked when they are shown.
 */
export function bindInspectReaction(
  registry: Registry,
  statement: InspectReaction,
  scope: BindScope,
): Bound<BoundInspectReaction> {
  return boundWith((report) => {
    const binding = callerBinding(registry, scope, report, { sensitivity: 'clear' });
    const { environment } = binding;
    const found = environment.find('reaction', statement.reaction.text);
    if (found.status !== 'found') reportUnknownBlock('reaction', statement.reaction, environment, report);
    checkInspectStore(statement.store, environment, report);
    const source = resolveRelation(statement.source, binding, emptyScope);
    if (!source.open) checkSource(statement.source, report);
    const target = sessionTarget(statement.target, report);
    if (found.status !== 'found' || source.open || target === undefined) return undefined;
    const reaction = found.block;
    const problem = problemOf(source, reaction, environment, statement);
    if (problem !== undefined) {
      report(problem);
      return undefined;
    }
    const choice = bindInspectChoice(statement, source, callerBinding(registry, scope, report));
    const column = (name: string): readonly ScopeColumn[] => {
      const existing = findColumn(source.columns, name);
      return existing === undefined ? [] : [existing];
    };
    if (statement.asOf?.unit === 'each' && source.source.kind === 'events') {
      const { aggregate } = source.source;
      const rows = chosenRows(choice, source, column('global_position'));
      return {
        reaction: reaction.name,
        source: rows,
        target,
        each: { aggregate, events: isWhole(choice) ? 'all' : 'chosen' },
      };
    }
    const known = [...facts, ...furtherFacts].flatMap(column);
    const all: InspectChoice = { id: choice.id };
    const cancels = reaction.branches.some(({ unless }) => unless.length > 0);
    return {
      reaction: reaction.name,
      source: chosenRows(choice, source, [...known, ...column('data')]),
      ...(cancels ? { cancels: chosenRows(all, source, known) satisfies BoundQuery } : {}),
      target,
    };
  });
}

function isWhole({ where, limit }: InspectChoice): boolean {
  return where === undefined && limit === undefined;
}

/** The source must hold events that the reaction answers. */
function problemOf(
  source: ResolvedRelation,
  reaction: ReactionBlock,
  environment: Environment,
  { source: { name, span }, asOf }: InspectReaction,
): Diagnostic | undefined {
  const refuse = (problem: string): Diagnostic =>
    diagnose('E0915', span, { reaction: reaction.name, problem: `'${name.text}' ${problem}` });
  if (source.events === undefined) return refuse('holds no events');
  const lacking = facts.find((fact) => findColumn(source.columns, fact) === undefined);
  if (lacking !== undefined) return refuse(`has no column '${lacking}'`);
  if (source.source.kind !== 'events') return asOf?.unit === 'each' ? diagnose('E0913', asOf.span, {}) : undefined;
  if (asOf?.unit === 'each' && source.store !== undefined) return diagnose('E0913', asOf.span, {});
  const { aggregate } = source.source;
  const landing = environment.find('aggregate', aggregate);
  const answers =
    (reaction.aggregate ?? aggregate) === aggregate &&
    landing.status === 'found' &&
    landing.block.events.some((event) => reaction.events.includes(event));
  return answers ? undefined : refuse('holds none of its events');
}
