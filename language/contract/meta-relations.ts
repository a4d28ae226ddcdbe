import { type Column, columnsOf } from './query.ts';
import { standingColumns } from './standing.ts';

/**
 * A relation `Reg.meta_*` (docs/language.md#meta-relations): its name and its columns, as the binder types them and the emitter fills them.
 */
export interface MetaRelation {
  readonly name: string;
  readonly columns: readonly Column[];
}

function relation(name: string, columns: string, further: readonly Column[] = []): MetaRelation {
  return { name, columns: [...columnsOf(columns), ...further] };
}

/**
 * All meta relations, in the order of the reference. New columns may only be added after those of the reference. `waits_for` has the blocks that
 * a block waits for (docs/language.md#blocks), NULL once it is in force; `doc` is the doc comment (docs/language.md#doc-comments); `allow`,
 * `visible` and `clear` are clauses about callers in canonical print, without WHERE, `TO ALL` of VISIBLE as it is (docs/callers.md).
 */
export const metaRelations: readonly MetaRelation[] = [
  relation('meta_aggregates', 'name waits_for? doc? visible? clear?'),
  relation('meta_aggregate_fields', 'aggregate_name field_name field_type is_key:BOOLEAN ordinal:INT doc?'),
  relation('meta_commands', 'name field_count:INT aggregate? checks? doc? allow?'),
  relation('meta_command_fields', 'command_name field_name field_type is_key:BOOLEAN ordinal:INT doc?'),
  relation('meta_events', 'name field_count:INT aggregate? doc?'),
  relation('meta_event_fields', 'event_name field_name field_type is_key:BOOLEAN ordinal:INT annotation? doc?'),
  relation('meta_event_upcasts', 'event_name stored_type stored_fields stored_versions? ordinal:INT'),
  relation(
    'meta_decisions',
    'name aggregate command has_guard:BOOLEAN emitted_events guard_sql? state_as_sql? full_sql waits_for? doc?',
  ),
  relation('meta_decision_emits', 'decision_name event_name'),
  relation('meta_projections', 'name query_sql event_types? waits_for? doc? visible? clear?'),
  relation('meta_templates', 'name param_count:INT doc?'),
  relation('meta_template_params', 'template_name param_name param_type? ordinal:INT'),
  relation('meta_template_instances', 'template_name instance_name params?'),
  relation('meta_claims', 'name type sensitive:BOOLEAN path doc?'),
  relation('meta_enums', 'name value_count:INT doc?'),
  relation('meta_enum_values', 'enum_name value ordinal:INT'),
  relation('meta_functions', 'name returns param_count:INT body_sql waits_for? doc?'),
  relation('meta_function_params', 'function_name param_name param_type ordinal:INT'),
  relation(
    'meta_subscriptions',
    'name query_sql key_sql? webhook? waits_for? doc?',
    standingColumns.meta_subscriptions,
  ),
  relation(
    'meta_reactions',
    'name events aggregate? commands state_as_sql? full_sql waits_for? doc?',
    standingColumns.meta_reactions,
  ),
  relation('meta_reaction_branches', 'reaction_name branch command due? unless? guard_sql? ordinal:INT'),
  relation('meta_eventstores', 'name durable_type doc?'),
  relation('meta_inspections', 'name kind input_table? output_table full_sql?'),
];

/** The meta relation of that name, case ignored. */
export function findMetaRelation(name: string): MetaRelation | undefined {
  const wanted = name.toLowerCase();
  return metaRelations.find((relation) => relation.name === wanted);
}
