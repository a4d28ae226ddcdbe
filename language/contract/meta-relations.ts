import type { Column } from './query.ts';
import type { Type } from '../values/type.ts';
import { standingColumns } from './standing.ts';

/**
 * A relation `Reg.meta_*` (docs/language.md#meta-relations): its name and its columns, as the binder types them and the emitter fills them.
 */
export interface MetaRelation {
  readonly name: string;
  readonly columns: readonly Column[];
}

const text: Type = { kind: 'STRING' };
const whole: Type = { kind: 'INT' };
const truth: Type = { kind: 'BOOLEAN' };

function column(name: string, type: Type, nullable = false): Column {
  return { name, type, nullable, sensitive: false };
}

/** Column of kinds that can name other blocks: the blocks that a block waits for (docs/language.md#blocks); NULL once it is in force. */
const waits = column('waits_for', text, true);

/** The doc comment (docs/language.md#doc-comments). */
const doc = column('doc', text, true);

/** Clauses about callers in canonical print, without WHERE; `TO ALL` of VISIBLE as it is (docs/callers.md). */
const allow = column('allow', text, true);
const visible = column('visible', text, true);
const clear = column('clear', text, true);

/** All meta relations, in the order of the reference. New columns may only be added after those of the reference. */
export const metaRelations: readonly MetaRelation[] = [
  { name: 'meta_aggregates', columns: [column('name', text), waits, doc, visible, clear] },
  {
    name: 'meta_aggregate_fields',
    columns: [
      column('aggregate_name', text),
      column('field_name', text),
      column('field_type', text),
      column('is_key', truth),
      column('ordinal', whole),
      doc,
    ],
  },
  {
    name: 'meta_commands',
    columns: [
      column('name', text),
      column('field_count', whole),
      column('aggregate', text, true),
      column('checks', text, true),
      doc,
      allow,
    ],
  },
  {
    name: 'meta_command_fields',
    columns: [
      column('command_name', text),
      column('field_name', text),
      column('field_type', text),
      column('is_key', truth),
      column('ordinal', whole),
      doc,
    ],
  },
  {
    name: 'meta_events',
    columns: [column('name', text), column('field_count', whole), column('aggregate', text, true), doc],
  },
  {
    name: 'meta_event_fields',
    columns: [
      column('event_name', text),
      column('field_name', text),
      column('field_type', text),
      column('is_key', truth),
      column('ordinal', whole),
      column('annotation', text, true),
      doc,
    ],
  },
  {
    name: 'meta_event_upcasts',
    columns: [
      column('event_name', text),
      column('stored_type', text),
      column('stored_fields', text),
      column('stored_versions', text, true),
      column('ordinal', whole),
    ],
  },
  {
    name: 'meta_decisions',
    columns: [
      column('name', text),
      column('aggregate', text),
      column('command', text),
      column('has_guard', truth),
      column('emitted_events', text),
      column('guard_sql', text, true),
      column('state_as_sql', text, true),
      column('full_sql', text),
      waits,
      doc,
    ],
  },
  { name: 'meta_decision_emits', columns: [column('decision_name', text), column('event_name', text)] },
  {
    name: 'meta_projections',
    columns: [
      column('name', text),
      column('query_sql', text),
      column('event_types', text, true),
      waits,
      doc,
      visible,
      clear,
    ],
  },
  { name: 'meta_templates', columns: [column('name', text), column('param_count', whole), doc] },
  {
    name: 'meta_template_params',
    columns: [
      column('template_name', text),
      column('param_name', text),
      column('param_type', text, true),
      column('ordinal', whole),
    ],
  },
  {
    name: 'meta_template_instances',
    columns: [column('template_name', text), column('instance_name', text), column('params', text, true)],
  },
  {
    name: 'meta_claims',
    columns: [column('name', text), column('type', text), column('sensitive', truth), column('path', text), doc],
  },
  { name: 'meta_enums', columns: [column('name', text), column('value_count', whole), doc] },
  {
    name: 'meta_enum_values',
    columns: [column('enum_name', text), column('value', text), column('ordinal', whole)],
  },
  {
    name: 'meta_functions',
    columns: [
      column('name', text),
      column('returns', text),
      column('param_count', whole),
      column('body_sql', text),
      waits,
      doc,
    ],
  },
  {
    name: 'meta_function_params',
    columns: [
      column('function_name', text),
      column('param_name', text),
      column('param_type', text),
      column('ordinal', whole),
    ],
  },
  {
    name: 'meta_subscriptions',
    columns: [
      column('name', text),
      column('query_sql', text),
      column('key_sql', text, true),
      column('webhook', text, true),
      waits,
      doc,
      ...standingColumns.meta_subscriptions,
    ],
  },
  {
    name: 'meta_reactions',
    columns: [
      column('name', text),
      column('events', text),
      column('aggregate', text, true),
      column('commands', text),
      column('state_as_sql', text, true),
      column('full_sql', text),
      waits,
      doc,
      ...standingColumns.meta_reactions,
    ],
  },
  {
    name: 'meta_reaction_branches',
    columns: [
      column('reaction_name', text),
      column('branch', text),
      column('command', text),
      column('due', text, true),
      column('unless', text, true),
      column('guard_sql', text, true),
      column('ordinal', whole),
    ],
  },
  { name: 'meta_eventstores', columns: [column('name', text), column('durable_type', text), doc] },
  {
    name: 'meta_inspections',
    columns: [
      column('name', text),
      column('kind', text),
      column('input_table', text, true),
      column('output_table', text),
      column('full_sql', text, true),
    ],
  },
];

/** The meta relation of that name, case ignored. */
export function findMetaRelation(name: string): MetaRelation | undefined {
  const wanted = name.toLowerCase();
  return metaRelations.find((relation) => relation.name === wanted);
}
