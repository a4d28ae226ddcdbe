/**
 * Names and what they refer to, for an editor: go to definition, find references, rename. Takes the uses that the checks recorded, and the trees; made when
 * first asked for, so that typing pays only for the records.
 */
import type { Registry } from './analyse/incremental/registry.ts';
import type { SymbolTarget, SymbolUse } from './analyse/incremental/symbol-use.ts';
import type { Entry } from './analyse/incremental/workspace.ts';
import type { AggregateBlock, EventBlock } from '../language/catalog/block.ts';
import { blockKey, type BlockKey } from '../language/contract/block-kind.ts';
import { withoutQuotes, type Span } from '../language/source/span.ts';
import { eventTextsIn } from './analyse/name/event-texts.ts';
import { statementUses } from './analyse/statement/statement-uses.ts';
import { isBlockStatement, type Name, type Statement } from './syntax/ast.ts';
import { declarationsIn } from './syntax/declarations.ts';
import { parameterUses } from './syntax/expand/parameter-uses.ts';
import { findParameter } from './syntax/expand/parameters.ts';

export interface Symbols {
  /** The name at a place of a file, as a use or as a declaration; the shortest if several cover it. Offsets are UTF-16 units. */
  readonly at: (file: string, offset: number) => SymbolUse | undefined;
  /** Where it is declared: none for what every registry has, several for a payload field that several events have. */
  readonly definitions: (target: SymbolTarget) => readonly Span[];
  /** Every other place that refers to it. A span with `applied` is in the body of a template. */
  readonly references: (target: SymbolTarget) => readonly Span[];
  /** Refers from more places to what these know: from comments of scripts. */
  readonly withUses: (uses: readonly SymbolUse[]) => Symbols;
}

export interface SymbolSources {
  readonly registry: Registry;
  /** Every block of the text, with errors or without. */
  readonly entries: readonly Entry[];
  readonly statements: readonly Statement[];
  readonly placed: (span: Span) => Span;
}

export function createSymbols(sources: SymbolSources, more: readonly SymbolUse[] = []): Symbols {
  let known: Collected | undefined;
  const collected = (): Collected => (known ??= collect(sources, more));
  const spansOf = (uses: readonly SymbolUse[], target: SymbolTarget): readonly Span[] => {
    const wanted = new Set(meaningsOf(target, collected()));
    return uses.filter((use) => meaningsOf(use.target, collected()).some((key) => wanted.has(key))).map(spanOf);
  };
  return {
    at: (file, offset) =>
      [...collected().uses, ...collected().declarations]
        .filter(({ span }) => span.file.name === file && span.start <= offset && offset <= span.end)
        .sort((a, b) => lengthOf(a.span) - lengthOf(b.span))[0],
    definitions: (target) => spansOf(collected().declarations, target),
    references: (target) => spansOf(collected().uses, target),
    withUses: (uses) => createSymbols(sources, [...more, ...uses]),
  };
}

interface Collected {
  readonly aggregates: ReadonlyMap<string, AggregateBlock>;
  readonly events: ReadonlyMap<string, EventBlock>;
  /** By key of a target. */
  readonly meanings: Map<BlockKey, readonly BlockKey[]>;
  readonly uses: readonly SymbolUse[];
  readonly declarations: readonly SymbolUse[];
}

function collect({ registry, entries, statements, placed }: SymbolSources, more: readonly SymbolUse[]): Collected {
  const others = statements.filter((statement) => !isBlockStatement(statement) && statement.kind !== 'ApplyTemplate');
  const recorded = entries.flatMap((entry) => entry.checked?.uses ?? []);
  const declared = entries.flatMap((entry) =>
    declarationsIn(entry.tree()).map(({ name, part }) =>
      useOf(name, { kind: entry.kind, name: entry.name, ...(part === undefined ? {} : { part }) }),
    ),
  );
  const inPlace = (uses: readonly SymbolUse[]): readonly SymbolUse[] =>
    each(uses.map(({ span, target }) => ({ span: withoutQuotes(placed(span)), target })));
  const names = new Set(entries.map(({ key }) => key));
  const events = entries.flatMap(({ checked }) => (checked?.block?.kind === 'event' ? [checked.block] : []));
  return {
    uses: inPlace([
      ...recorded,
      ...templateUses(statements),
      ...others.flatMap((statement) => statementUses(registry, statement)),
      ...eventTexts(entries, others),
      ...more.filter(({ target: { kind, name } }) => names.has(blockKey(kind, name))),
    ]),
    declarations: inPlace(declared),
    aggregates: new Map(registry.catalog.blocks.aggregate.map((block) => [block.name, block])),
    events: new Map(events.map((block) => [block.name, block])),
    meanings: new Map(),
  };
}

/** The names of events in texts that `event_type` is compared with. */
function eventTexts(entries: readonly Entry[], others: readonly Statement[]): readonly SymbolUse[] {
  const events = new Set(entries.flatMap(({ kind, name }) => (kind === 'event' ? [name] : [])));
  return [...entries.map((entry) => entry.tree()), ...others].flatMap((statement) =>
    eventTextsIn(statement).flatMap(({ event, span }): SymbolUse[] =>
      events.has(event) ? [{ span, target: { kind: 'event', name: event } }] : [],
    ),
  );
}

/** The templates and parameters that applications name, and the parameters that placeholders name. */
function templateUses(statements: readonly Statement[]): readonly SymbolUse[] {
  const templates = statements.filter((statement) => statement.kind === 'CreateTemplate');
  const placeholders = templates.flatMap((template) =>
    parameterUses(template).map(({ parameter, span }) => ({
      span,
      target: { kind: 'template', name: template.name.text, part: parameter } as const,
    })),
  );
  const applied = statements.flatMap((statement): SymbolUse[] => {
    if (statement.kind !== 'ApplyTemplate') return [];
    const name = statement.template.text;
    const template = templates.find((one) => one.name.text === name);
    const given = statement.arguments.flatMap((argument) => {
      const part = template === undefined ? undefined : findParameter(template, argument.name.text)?.name.text;
      return part === undefined ? [] : [useOf(argument.name, { kind: 'template', name, part })];
    });
    return [useOf(statement.template, { kind: 'template', name }), ...given];
  });
  return [...placeholders, ...applied];
}

/** Each once: a query may be bound more than once to find its types. */
function each(uses: readonly SymbolUse[]): readonly SymbolUse[] {
  return Array.from(
    new Map(
      uses.map((use) => {
        const { file, start, end, applied } = use.span;
        return [`${file.name}\0${start}\0${end}\0${applied?.start ?? ''}\0${keyOf(use.target)}`, use] as const;
      }),
    ).values(),
  );
}

/** A payload field of an aggregate is a field of each event that has it; without declared fields, so is a column of its state. */
function meaningsOf(target: SymbolTarget, { aggregates, events, meanings }: Collected): readonly BlockKey[] {
  const key = keyOf(target);
  const known = meanings.get(key);
  if (known !== undefined) return known;
  const block = target.kind === 'aggregate' ? aggregates.get(target.name) : undefined;
  const found = block === undefined || target.part === undefined ? [key] : meaningsOfColumn(block, target.part, events);
  meanings.set(key, found);
  return found;
}

function meaningsOfColumn(
  { kind, name, fields, events }: AggregateBlock,
  part: string,
  known: Collected['events'],
): readonly BlockKey[] {
  if (fields.some((field) => sameName(field.name, part))) return [keyOf({ kind, name, part })];
  const field = part.startsWith('data.') ? part.slice('data.'.length) : part;
  return events.flatMap((event): BlockKey[] =>
    known.get(event)?.fields.some((one) => sameName(one.name, field)) === true
      ? [keyOf({ kind: 'event', name: event, part: field })]
      : [],
  );
}

function keyOf({ kind, name, part }: SymbolTarget): BlockKey {
  return blockKey(kind, part === undefined ? name : `${name}.${part}`);
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function useOf({ span }: Name, target: SymbolTarget): SymbolUse {
  return { span, target };
}

function spanOf({ span }: SymbolUse): Span {
  return span;
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}
