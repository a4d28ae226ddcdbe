/** Hints that an editor shows in the text on its own: types of computed columns, and above blocks their connections. */
import { blockKey } from '../../language/contract/block-kind.ts';
import type { Block } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { typeName } from '../../language/values/type.ts';
import { describedAs } from '../describe/kinds.ts';
import { explainBlock } from '../describe/explain.ts';
import type { Query } from '../syntax/ast.ts';
import { itemsOf } from '../syntax/declarations.ts';
import type { Symbols } from '../symbols.ts';
import { parsedText } from './parsed-text.ts';

export interface Hint {
  readonly offset: number;
  readonly label: string;
}

/** In an EXECUTE the fields that are not given and have a default, with that default, before the closing parenthesis. */
export function defaultHints(file: SourceFile, catalog: Catalog): readonly Hint[] {
  return parsedText(file).statements.flatMap(({ statement }): readonly Hint[] => {
    if (statement?.kind !== 'Execute') return [];
    const { command, arguments: given } = statement;
    const block = catalog.blocks.command.find(
      ({ name }) => blockKey('command', name) === blockKey('command', command.text),
    );
    const names = new Set(given.map(({ field }) => field.text.toLowerCase()));
    const defaults = (block === undefined ? [] : defaultsOf(block.text)).filter(
      ({ name }) => !names.has(name.toLowerCase()),
    );
    const offset = file.text.indexOf(')', given.at(-1)?.span.end ?? command.span.end);
    if (defaults.length === 0 || offset < 0) return [];
    const shown = defaults.map(({ name, text }) => `${name} := ${text}`).join(', ');
    return [{ offset, label: given.length === 0 ? shown : `, ${shown}` }];
  });
}

/** The fields of a command that have a default, with its text. */
function defaultsOf(definition: string): readonly { readonly name: string; readonly text: string }[] {
  const file = { name: 'definition', text: definition };
  const [command] = parsedText(file).statements.map(({ statement }) => statement);
  if (command?.kind !== 'CreateCommand') return [];
  return command.fields.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [{ name: name.text, text: definition.slice(value.span.start, value.span.end) }],
  );
}

/** The types of the columns of STATE and of projections, each behind its column. */
export function typeHints(file: SourceFile, catalog: Catalog): readonly Hint[] {
  return parsedText(file).statements.flatMap(({ statement }): readonly Hint[] => {
    if (statement?.kind === 'CreateProjection') {
      const block = catalog.blocks.projection.find(({ name }) => name === statement.name.text);
      return columnHints(statement.query, block?.query);
    }
    if (statement?.kind !== 'CreateDecision' || statement.state === undefined) return [];
    const block = catalog.blocks.decision.find(({ name }) => name === statement.name.text);
    return columnHints(statement.state, block?.state);
  });
}

function columnHints(query: Query, bound: BoundQuery | undefined): readonly Hint[] {
  const items = itemsOf(query);
  // A star is several columns; a definition that has changed since has others.
  if (bound === undefined || items.length !== bound.columns.length) return [];
  if (items.some(({ kind }) => kind === 'SelectStar')) return [];
  return items.flatMap((item, index) => {
    const column = bound.columns[index];
    return column === undefined ? [] : [{ offset: item.span.end, label: `: ${typeName(column.type)}` }];
  });
}

/** The decisions of a text, each with the place of its name. */
export function decisionsIn(
  file: SourceFile,
): readonly { readonly name: string; readonly start: number; readonly end: number }[] {
  return parsedText(file).statements.flatMap(({ statement }) => {
    if (statement?.kind !== 'CreateDecision') return [];
    const { text, span } = statement.name;
    return [{ name: text, start: span.start, end: span.end }];
  });
}

export interface Lens {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Above an event who emits, answers and reads it, above a projection whether folds or a scan answer it. */
export function lensesOf(file: SourceFile, catalog: Catalog, symbols: Pick<Symbols, 'readersOf'>): readonly Lens[] {
  return parsedText(file).statements.flatMap(({ statement }): readonly Lens[] => {
    if (statement?.kind !== 'CreateEvent' && statement?.kind !== 'CreateProjection') return [];
    const kind = statement.kind === 'CreateEvent' ? 'event' : 'projection';
    const blocks: readonly Block[] = catalog.blocks[kind];
    const block = blocks.find(({ name }) => blockKey(kind, name) === blockKey(kind, statement.name.text));
    const label = block === undefined ? '' : labelOf(block, catalog, symbols);
    const { start, end } = statement.name.span;
    return label === '' ? [] : [{ start, end, label }];
  });
}

function labelOf(block: Block, catalog: Catalog, { readersOf }: Pick<Symbols, 'readersOf'>): string {
  if (block.kind === 'projection') {
    const { rows } = explainBlock(block, catalog);
    return [...new Set(rows.map(([, by = '']) => by))].join(' and ');
  }
  const relations = describedAs(block).relations(catalog, block);
  const facts = relations.filter(([fact]) => fact === 'emitted by' || fact === 'answered by');
  return [...facts, ['read by', shortened(readersOf(block.name))] as const]
    .flatMap(([fact, value]) => (value === undefined || value === '' ? [] : [`${fact} ${value}`]))
    .join(' · ');
}

/** A lens is one line. */
const mostNames = 5;

function shortened(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
