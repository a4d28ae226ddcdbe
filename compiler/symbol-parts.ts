/**
 * The names in each block and each other statement of a text, with their targets. Names of a block are found once, however often the text
 * around it changes.
 */
import type { Registry } from './analyse/environment/registry.ts';
import type { SymbolTarget, SymbolUse } from './analyse/environment/symbol-use.ts';
import type { Entry } from './analyse/incremental/workspace.ts';
import { blockKey, type BlockKey } from '../language/contract/block-kind.ts';
import type { Span } from '../language/source/span.ts';
import { eventTextsIn } from './analyse/name/event-texts.ts';
import { statementUses } from './analyse/statement/statement-uses.ts';
import { isBlockStatement, type Name, type Statement } from './syntax/ast.ts';
import { declarationsIn } from './syntax/declarations.ts';
import { parameterUses } from './syntax/expand/parameter-uses.ts';
import { findParameter } from './syntax/expand/parameters.ts';

/** A name in the text. Its span is that of the tree. */
export interface NamePlace extends SymbolUse {
  readonly key: BlockKey;
  /** A use by its form only: it is one if this event exists. */
  readonly ifEvent?: string;
}

/** The names of one statement. */
export interface SymbolPart {
  /** Set if the statement is a block. */
  readonly entry?: Entry;
  /** Where its names are: one range for each text. */
  readonly ranges: readonly Span[];
  readonly uses: () => readonly NamePlace[];
  readonly declarations: readonly NamePlace[];
}

export interface SymbolSources {
  readonly registry: Registry;
  /** Every block of the text, with errors or without. */
  readonly entries: readonly Entry[];
  readonly statements: readonly Statement[];
  readonly placed: (span: Span) => Span;
}

export function symbolParts({ registry, entries, statements }: SymbolSources): readonly SymbolPart[] {
  const templates = statements.filter((statement) => statement.kind === 'CreateTemplate');
  const others = statements.flatMap((statement): SymbolPart[] => {
    if (statement.kind === 'CreateTemplate') return [partOf(statement, () => placeholdersOf(statement))];
    if (statement.kind === 'ApplyTemplate') return [partOf(statement, () => applicationOf(statement, templates))];
    if (isBlockStatement(statement)) return [];
    return [partOf(statement, () => [...statementUses(registry, statement).map(namePlace), ...eventTexts(statement)])];
  });
  return [...entries.map(entryPart), ...others];
}

const entryParts = new WeakMap<Entry, SymbolPart>();

function entryPart(entry: Entry): SymbolPart {
  const known = entryParts.get(entry);
  if (known !== undefined) return known;
  const { kind, name, checked } = entry;
  const tree = entry.tree();
  const declarations = declarationsIn(tree).map(({ name: declared, part }) =>
    namePlace(useOf(declared, { kind, name, ...(part === undefined ? {} : { part }) })),
  );
  const uses = [...(checked?.uses ?? []).map(namePlace), ...eventTexts(tree)];
  const made = { entry, ranges: rangesOf([...declarations, ...uses]), uses: () => uses, declarations };
  entryParts.set(entry, made);
  return made;
}

/** The names of a statement are in its own text. They are found when they are asked for. */
function partOf({ span }: Statement, find: () => readonly NamePlace[]): SymbolPart {
  let found: readonly NamePlace[] | undefined;
  return { ranges: [span], uses: () => (found ??= find()), declarations: [] };
}

/** A block that a template makes has names in the text of the template and in that of its application. */
function rangesOf(places: readonly NamePlace[]): readonly Span[] {
  const ranges = new Map<Span['file'], Span>();
  for (const { span } of places) {
    const { file, start, end } = span;
    const known = ranges.get(file);
    const range = known === undefined ? span : { start: Math.min(known.start, start), end: Math.max(known.end, end) };
    ranges.set(file, { file, ...range });
  }
  return Array.from(ranges.values());
}

/** The names of events in texts that `event_type` is compared with. */
function eventTexts(statement: Statement): readonly NamePlace[] {
  return eventTextsIn(statement).map(({ event, span }) => ({
    ...namePlace({ span, target: { kind: 'event', name: event } }),
    ifEvent: event,
  }));
}

/** The parameters that placeholders name. */
function placeholdersOf(template: Statement & { readonly kind: 'CreateTemplate' }): readonly NamePlace[] {
  return parameterUses(template).map(({ parameter, span }) =>
    namePlace({ span, target: { kind: 'template', name: template.name.text, part: parameter } }),
  );
}

/** The template and the parameters that an application names. */
function applicationOf(
  statement: Statement & { readonly kind: 'ApplyTemplate' },
  templates: readonly (Statement & { readonly kind: 'CreateTemplate' })[],
): readonly NamePlace[] {
  const name = statement.template.text;
  const template = templates.find((one) => one.name.text === name);
  const given = statement.arguments.flatMap((argument) => {
    const part = template === undefined ? undefined : findParameter(template, argument.name.text)?.name.text;
    return part === undefined ? [] : [useOf(argument.name, { kind: 'template', name, part })];
  });
  return [useOf(statement.template, { kind: 'template', name }), ...given].map(namePlace);
}

export function namePlace(use: SymbolUse): NamePlace {
  return { ...use, key: symbolKey(use.target) };
}

/** The one identity of what a name refers to. Names are the same in any case of letters, the values of an ENUM are not. */
export function symbolKey({ kind, name, part }: SymbolTarget): BlockKey {
  if (part === undefined) return blockKey(kind, name);
  return kind === 'enum' ? `${blockKey(kind, name)}.${part}` : blockKey(kind, `${name}.${part}`);
}

function useOf({ span }: Name, target: SymbolTarget): SymbolUse {
  return { span, target };
}
