import { blockKey, kindTable, type BlockKind } from '../../language/contract/block-kind.ts';
import type { Block } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { fieldDoc } from '../../language/contract/docs.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { typeName } from '../../language/values/type.ts';
import type { SymbolTarget } from '../analyse/environment/symbol-use.ts';
import { describedAs } from '../describe/kinds.ts';
import { explainBlock } from '../describe/explain.ts';
import { functionReference } from '../functions/reference.ts';
import type { Symbols } from '../symbols.ts';
import { quoteString } from '../syntax/print/words.ts';
import { isWord } from '../syntax/tokens/token-text.ts';
import { callerWords, knowsCaller } from './caller-words.ts';
import { cursorAt } from './cursor.ts';
import { relationNamed, type ScopeColumn } from './scope.ts';

export interface Hover {
  readonly start: number;
  readonly end: number;
  /** Markdown. */
  readonly text: string;
}

/** Describes the name at a place: a block, a part of one, or a function. */
export function hoverAt(file: SourceFile, offset: number, symbols: Symbols, catalog: Catalog): Hover | undefined {
  const use = symbols.at(file.name, offset);
  if (use !== undefined) {
    const text = aboutTarget(use.target, catalog, symbols);
    return text === undefined ? undefined : { start: use.span.start, end: use.span.end, text };
  }
  return aboutWord(file, offset, catalog);
}

function aboutTarget({ kind, name, part }: SymbolTarget, catalog: Catalog, symbols: Symbols): string | undefined {
  const block = blockOf(catalog, kind, name);
  if (block === undefined) return undefined;
  if (part !== undefined) {
    const about = aboutPart(block, part);
    const doc = fieldDoc(block.docs, part.replace(/^data\./, ''));
    return about === undefined || doc === undefined ? about : `${about}\n\n${doc}`;
  }
  const relations = describedAs(block).relations(catalog, block);
  const readers = kind === 'event' ? symbols.readersOf(block.name).join(', ') : '';
  const facts = [...relations, ['read by', readers] as const].flatMap(([fact, value]) =>
    value === undefined || value === '' ? [] : [`- **${fact}**: ${value}`],
  );
  const doc = block.docs?.block;
  return [code(block.text), ...(doc === undefined ? [] : [`${doc}\n`]), ...facts, ...plan(block, catalog)].join('\n');
}

function blockOf(catalog: Catalog, kind: BlockKind, name: string): Block | undefined {
  const blocks: readonly Block[] = catalog.blocks[kind];
  return blocks.find((block) => blockKey(kind, block.name) === blockKey(kind, name));
}

function code(text: string): string {
  return `\`\`\`schemac\n${text}\n\`\`\`\n`;
}

/** Whether folds or a scan answer it, and why, as EXPLAIN says. */
function plan(block: Block, catalog: Catalog): readonly string[] {
  if (block.kind !== 'decision' && block.kind !== 'projection' && block.kind !== 'reaction') return [];
  const { rows } = explainBlock(block, catalog);
  return rows.map(([part = '', by = '', detail = '']) => `- ${part}: **${by}** ${detail}`);
}

/** A field or a column: its type, and its marks. */
function aboutPart(block: Block, part: string): string | undefined {
  const field = part.startsWith('data.') ? part.slice('data.'.length) : part;
  const same = (other: { readonly name: string }): boolean => other.name.toLowerCase() === field.toLowerCase();
  const owner = `${kindTable[block.kind].word} ${block.name}`;
  switch (block.kind) {
    case 'command': {
      const found = block.fields.find(same);
      if (found === undefined) return undefined;
      const marks = [found.key ? 'KEY' : '', found.sensitive ? 'SENSITIVE' : '', found.nullable ? 'NULL' : ''];
      return `${code([found.name, typeName(found.type), ...marks].filter((word) => word !== '').join(' '))}field of ${owner}`;
    }
    case 'event': {
      const found = block.fields.find(same);
      if (found === undefined) return undefined;
      const marks = [found.sensitive ? 'SENSITIVE' : '', found.volatile ? 'VOLATILE' : '', found.tag ? 'TAG' : ''];
      return `${code([found.name, typeName(found.type), ...marks].filter((word) => word !== '').join(' '))}field of ${owner}`;
    }
    case 'aggregate':
      return aboutColumn(part.startsWith('data.') ? block.payload : block.state.columns, field, owner);
    case 'projection':
      return aboutColumn(block.query.columns, field, owner);
    case 'subscription':
      return aboutColumn(block.columns, field, owner);
    case 'decision':
    case 'reaction':
      return aboutColumn(block.state?.columns ?? [], field, `the STATE of ${owner}`);
    case 'template':
      return block.parameters.some(same) ? `parameter of ${owner}` : undefined;
    case 'function': {
      const found = block.parameters.find(same);
      return found === undefined ? undefined : `${code(`${found.name} ${typeName(found.type)}`)}parameter of ${owner}`;
    }
    case 'enum': {
      const place = block.values.indexOf(part) + 1;
      return place === 0 ? undefined : `${code(quoteString(part))}value ${place} of ${block.values.length} of ${owner}`;
    }
    case 'eventstore':
    case 'claim':
      return undefined;
  }
}

function aboutColumn(
  columns: Catalog['blocks']['projection'][number]['query']['columns'],
  name: string,
  owner: string,
): string | undefined {
  const found = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) return undefined;
  const sensitive = found.sensitive
    ? '\n\nSENSITIVE: it is computed from a SENSITIVE field, and shown only to callers with the right'
    : '';
  return `${code(`${found.name} ${typeName(found.type)}${found.nullable ? '' : ' NOT NULL'}`)}column of ${owner}${sensitive}`;
}

/** A function, or the end of a relation like `"Account$Events"`, whose beginning is the name of its block. */
function aboutWord(file: SourceFile, offset: number, catalog: Catalog): Hover | undefined {
  const { inside, tokens } = cursorAt(file, offset);
  if (inside !== 'code' && inside !== 'name') return undefined;
  const token = tokens.find(({ startOffset, endOffset }) => startOffset <= offset && offset <= endOffset + 1);
  if (token === undefined || !isWord(token)) return undefined;
  const place = { start: token.startOffset, end: token.endOffset + 1 };
  const relation = token.text?.includes('$') === true ? relationNamed(token.text, catalog) : undefined;
  if (relation !== undefined) return { ...place, text: aboutRelation(relation) };
  const word = token.image.toUpperCase();
  const caller = callerWords.find(({ name }) => name === word);
  if (caller !== undefined && knowsCaller(tokens, tokens.indexOf(token)))
    return { ...place, text: `${code(caller.usage)}${caller.summary}` };
  const found = functionReference.find(({ name }) => name === word);
  if (found === undefined) return undefined;
  const text = `${code(found.usage.join('\n'))}${found.summary}`;
  return { ...place, text };
}

function aboutRelation({ columns, payload }: ReturnType<typeof relationNamed> & object): string {
  const line = ({ name, type, sensitive }: ScopeColumn): string =>
    [name, type, sensitive === true ? 'SENSITIVE' : undefined].filter((word) => word !== undefined).join(' ');
  const fields = payload.map((field) => `data.${line(field)}`);
  return code([...columns.filter(({ hidden }) => hidden !== true).map(line), ...fields].join('\n'));
}
