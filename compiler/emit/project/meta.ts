/**
 * The rows of `Reg.meta_*` (docs/language.md#meta-relations), in order of kind and name; the running system adds those
 * of `meta_inspections`, and how far subscriptions and reactions have come.
 */
import type { MetaTable } from '../../../language/contract/read-model.ts';
import { typeName } from '../../../language/values/type.ts';
import type {
  AggregateBlock,
  Block,
  CommandBlock,
  DecisionBlock,
  EventBlock,
  EventStoreBlock,
  RowClauses,
} from '../../../language/catalog/block.ts';
import { fieldDoc } from '../../../language/contract/docs.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { metaRelations } from '../../../language/contract/meta-relations.ts';
import { waitsFor, withWaiting, type WaitingBlock } from '../../../language/catalog/waiting-block.ts';
import { atOnce, mapInSteps, type Steps } from '../../../language/source/steps.ts';
import { standingColumns, type StandingRelation } from '../../../language/contract/standing.ts';
import { webhookText } from '../../../language/contract/subscription.ts';
import { eventTypesOf } from '../event-types.ts';

type Rows = MetaTable['rows'];

/** Includes waiting blocks, with what they wait for. */
export function createMetaTables(catalog: Catalog, waiting: readonly WaitingBlock[] = []): readonly MetaTable[] {
  return atOnce(metaInSteps(catalog, waiting));
}

/** `createMetaTables` in steps of one table. */
export function* metaInSteps(catalog: Catalog, waiting: readonly WaitingBlock[]): Steps<readonly MetaTable[]> {
  const created = { ...withWaiting(catalog, waiting), waiting };
  return yield* mapInSteps(metaRelations, ({ name, columns }) => ({
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    rows: (rowsOf[name] ?? noRows)(created),
  }));
}

const noRows = (): Rows => [];

/** A query that shows how far they have come brings these values along. */
const unknown = (relation: StandingRelation): readonly null[] => standingColumns[relation].map(() => null);

interface Created extends Catalog {
  readonly waiting: readonly WaitingBlock[];
}

const rowsOf: Readonly<Record<string, (created: Created) => Rows>> = {
  meta_aggregates: ({ blocks, waiting }) =>
    blocks.aggregate.map((block) => [
      block.name,
      waitsFor(waiting, block) ?? null,
      docOf(block),
      ...clauseTexts(block),
    ]),
  meta_aggregate_fields: ({ blocks }) =>
    blocks.aggregate.flatMap((block) => block.fields.map((field, ordinal) => fieldRow(block, field, ordinal))),
  meta_commands: ({ blocks }) => {
    const decided = new Map(blocks.decision.map(({ command, aggregate }) => [command, aggregate]));
    return blocks.command.map((block) => [
      block.name,
      block.fields.length,
      decided.get(block.name) ?? null,
      joined((block.checks ?? []).map(({ text, message }) => (message === undefined ? text : `${text}: ${message}`))),
      docOf(block),
      block.allow?.text ?? null,
    ]);
  },
  meta_command_fields: ({ blocks }) =>
    blocks.command.flatMap((block) => block.fields.map((field, ordinal) => fieldRow(block, field, ordinal))),
  meta_events: ({ blocks }) => {
    const landing = new Map<string, string[]>();
    for (const { name, events } of blocks.aggregate)
      for (const event of events) landing.set(event, [...(landing.get(event) ?? []), name]);
    return blocks.event.map((block) => [
      block.name,
      block.fields.length,
      joined(landing.get(block.name) ?? []),
      docOf(block),
    ]);
  },
  meta_event_fields: ({ blocks }) =>
    blocks.event.flatMap((block) =>
      block.fields.map((field, ordinal) => [
        block.name,
        field.name,
        typeName(field.type),
        false,
        ordinal,
        annotation(field),
        fieldDoc(block.docs, field.name) ?? null,
      ]),
    ),
  meta_event_upcasts: ({ blocks }) =>
    blocks.event.flatMap(({ name, upcasts = [] }) =>
      upcasts.map(({ event, fields, versions }, ordinal) => [
        name,
        event,
        fields.map((field) => `${field.name} ${typeName(field.type)}`).join(', '),
        joined(versions.map(String)),
        ordinal,
      ]),
    ),
  meta_decisions: ({ blocks, waiting }) =>
    blocks.decision.map((block) => [...decisionRow(block), waitsFor(waiting, block) ?? null, docOf(block)]),
  meta_decision_emits: ({ blocks }) =>
    blocks.decision.flatMap((block) => emittedEvents(block).map((event) => [block.name, event])),
  meta_projections: (created) =>
    created.blocks.projection.map((block) => [
      block.name,
      block.queryText,
      joined(eventTypesOf(created, block.query)),
      waitsFor(created.waiting, block) ?? null,
      docOf(block),
      ...clauseTexts(block),
    ]),
  meta_templates: ({ blocks }) => blocks.template.map((block) => [block.name, block.parameters.length, docOf(block)]),
  meta_template_params: ({ blocks }) =>
    blocks.template.flatMap((block) =>
      block.parameters.map((parameter, ordinal) => [block.name, parameter.name, parameter.type ?? null, ordinal]),
    ),
  meta_template_instances: ({ blocks }) =>
    blocks.template.flatMap((block) =>
      block.instances.map((instance) => [block.name, instance.name, instance.parameters]),
    ),
  meta_enums: ({ blocks }) => blocks.enum.map((block) => [block.name, block.values.length, docOf(block)]),
  meta_claims: ({ blocks }) =>
    blocks.claim.map((block) => [
      block.name,
      typeName(block.type),
      block.sensitive,
      block.path.join(', '),
      docOf(block),
    ]),
  meta_enum_values: ({ blocks }) =>
    blocks.enum.flatMap(({ name, values }) => values.map((value, ordinal) => [name, value, ordinal])),
  meta_functions: ({ blocks, waiting }) =>
    blocks.function.map((block) => [
      block.name,
      typeName(block.returns),
      block.parameters.length,
      block.bodyText,
      waitsFor(waiting, block) ?? null,
      docOf(block),
    ]),
  meta_function_params: ({ blocks }) =>
    blocks.function.flatMap(({ name, parameters }) =>
      parameters.map((parameter, ordinal) => [name, parameter.name, typeName(parameter.type), ordinal]),
    ),
  meta_subscriptions: ({ blocks, waiting }) =>
    blocks.subscription.map((block) => [
      block.name,
      block.queryText,
      block.keyText ?? null,
      block.delivery === undefined ? null : webhookText(block.delivery),
      waitsFor(waiting, block) ?? null,
      docOf(block),
      ...unknown('meta_subscriptions'),
    ]),
  meta_reactions: ({ blocks, waiting }) =>
    blocks.reaction.map((block) => [
      block.name,
      block.events.join(', '),
      block.aggregate ?? null,
      [...new Set(block.branches.map(({ command }) => command))].join(', '),
      block.stateText ?? null,
      block.text,
      waitsFor(waiting, block) ?? null,
      docOf(block),
      ...unknown('meta_reactions'),
    ]),
  meta_reaction_branches: ({ blocks }) =>
    blocks.reaction.flatMap(({ name, branches }) =>
      branches.map(({ label, command, dueText, unless, guardText }, ordinal) => [
        name,
        label,
        command,
        dueText ?? null,
        joined(unless),
        guardText ?? null,
        ordinal,
      ]),
    ),
  meta_eventstores: ({ blocks }) => blocks.eventstore.map((block) => [block.name, durableType(block), docOf(block)]),
};

function clauseTexts({ visible, clear }: RowClauses): readonly (string | null)[] {
  return [visible === 'all' ? 'TO ALL' : (visible?.text ?? null), clear?.text ?? null];
}

function docOf({ docs }: Pick<Block, 'docs'>): string | null {
  return docs?.block ?? null;
}

function fieldRow(
  { name, docs }: AggregateBlock | CommandBlock,
  field: CommandBlock['fields'][number] | AggregateBlock['fields'][number],
  ordinal: number,
): Rows[number] {
  return [name, field.name, typeName(field.type), field.key, ordinal, fieldDoc(docs, field.name) ?? null];
}

function joined(names: readonly string[]): string | null {
  return names.length === 0 ? null : names.join(', ');
}

/** The marks after a field's type, as written. */
function annotation(field: EventBlock['fields'][number]): string | null {
  const marks = [field.sensitive ? 'SENSITIVE' : '', field.volatile ? 'VOLATILE' : '', field.tag ? 'TAG' : ''];
  const given = marks.filter((mark) => mark !== '');
  return given.length === 0 ? null : given.join(' ');
}

function decisionRow(block: DecisionBlock): Rows[number] {
  const [first, second] = block.branches;
  const guard = second === undefined ? (first?.guardText ?? null) : null;
  const hasGuard = block.branches.some((branch) => branch.guard !== undefined);
  const events = emittedEvents(block).join(', ');
  return [block.name, block.aggregate, block.command, hasGuard, events, guard, block.stateText ?? null, block.text];
}

/** In the order of the branches, each once. */
function emittedEvents(block: DecisionBlock): readonly string[] {
  return [...new Set(block.branches.flatMap((branch) => branch.emits.map((emit) => emit.event)))];
}

function durableType(block: EventStoreBlock): string {
  const value = block.options.find((option) => option.key === 'durable.type')?.value;
  return typeof value === 'string' ? value : 'embedded';
}
