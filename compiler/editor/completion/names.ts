import type { Catalog } from '../../../language/catalog/catalog.ts';
import { blockKeywords, type BlockKind } from '../../../language/contract/block-kind.ts';
import { fieldDoc, type Docs } from '../../../language/contract/docs.ts';
import { typeName, type Type } from '../../../language/values/type.ts';
import { knownKeys } from '../../analyse/store/store-keys.ts';
import { describedAs } from '../../describe/kinds.ts';
import type { Token } from '../../syntax/tokens/token.ts';
import { isWord } from '../../syntax/tokens/token-text.ts';
import { Assign, Comma, ending, Equal, keyword, LParen, QueryParen, RParen } from '../../syntax/tokens/vocabulary.ts';
import { namesClaim } from '../caller-words.ts';
import type { Choice } from './choice.ts';

/** The blocks of the kind that the words before the place ask for; undefined where no block is named. */
export function blockNames(before: readonly Token[], rule: string, catalog: Catalog): readonly Choice[] | undefined {
  const kind = kindAskedFor(before, rule);
  if (kind === undefined) return undefined;
  const blocks: readonly Catalog['blocks'][BlockKind][number][] = catalog.blocks[kind];
  return blocks.map((block) => ({
    label: block.name,
    kind: 'block',
    insert: block.name,
    detail: `${kind}: ${describedAs(block).summary(block)}`,
    documentation: `\`\`\`schemac\n${block.text}\n\`\`\`${block.docs?.block === undefined ? '' : `\n\n${block.docs.block}`}`,
  }));
}

function kindAskedFor(before: readonly Token[], rule: string): BlockKind | undefined {
  const [first, second, last] = [before[0]?.tokenType, before.at(-2)?.tokenType, before.at(-1)?.tokenType];
  if (namesClaim(before)) return 'claim';
  if (first === keyword.CREATE) {
    if (last === keyword.FOR && rule === 'decision') return 'aggregate';
    if (last === keyword.COMMAND && second === keyword.ON) return 'command';
    if (last === keyword.EVENT && (second === keyword.SELECT || second === keyword.ON || second === keyword.UNLESS))
      return 'event';
    if (last === ending.EXECUTE) return 'command';
    if (last === keyword.OF && rule === 'reaction') return 'aggregate';
    return last === keyword.TO && second !== keyword.VISIBLE ? 'aggregate' : undefined;
  }
  if (first === keyword.EXECUTE && before.length === 1) return 'command';
  if (last === keyword.EVENTSTORE && second === keyword.USING) return 'eventstore';
  const named = [keyword.DROP, keyword.DESCRIBE, keyword.EXPLAIN, keyword.INSPECT, keyword.APPLY, keyword.USE];
  const word = before.at(-1)?.image.toUpperCase();
  const keywordOfKind = blockKeywords.find((each) => each === word);
  if (before.length !== 2 || first === undefined || !named.includes(first) || keywordOfKind === undefined)
    return undefined;
  return keywordOfKind.toLowerCase() as BlockKind; // a keyword is its kind in upper case
}

/** The fields that are not assigned yet, inside `EVENT X (`, `EXECUTE X (` and the arguments of a template; undefined elsewhere. */
export function fieldsToGive(tokens: readonly Token[], index: number, catalog: Catalog): readonly Choice[] | undefined {
  const previous = tokens[index - 1]?.tokenType;
  if (previous !== LParen && previous !== Comma && previous !== QueryParen) return undefined;
  const opening = openingBefore(tokens, index);
  const owner = opening === undefined ? undefined : fieldsOfCall(tokens, opening, catalog);
  if (opening === undefined || owner === undefined) return undefined;
  const given = givenNames(tokens, opening);
  return owner.fields
    .filter(({ label }) => !given.has(label.toLowerCase()))
    .map((field) => ({ ...field, insert: `${field.insert} ${owner.sign} ` }));
}

/** The index of the `(` around a place. */
export function openingBefore(tokens: readonly Token[], index: number): number | undefined {
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const type = tokens[at]?.tokenType;
    if (type === RParen) depth++;
    else if ((type === LParen || type === QueryParen) && depth-- === 0) return at;
  }
  return undefined;
}

/** The number of commas of a call between its `(` and a place. */
export function commasBetween(tokens: readonly Token[], opening: number, index: number): number {
  let depth = 0;
  let commas = 0;
  for (const { tokenType } of tokens.slice(opening + 1, index)) {
    if (tokenType === LParen || tokenType === QueryParen) depth++;
    else if (tokenType === RParen) depth--;
    else if (tokenType === Comma && depth === 0) commas++;
  }
  return commas;
}

/** Fields or parameters that the parentheses at `opening` take, by the words before them. */
export function fieldsOfCall(
  tokens: readonly Token[],
  opening: number,
  catalog: Catalog,
): { readonly name: string; readonly fields: readonly Choice[]; readonly sign: ':=' | '=' } | undefined {
  const nameToken = tokens[opening - 1];
  const word = tokens[opening - 2]?.tokenType;
  const name = nameToken === undefined || !isWord(nameToken) ? '' : (nameToken.text ?? nameToken.image);
  const same = (block: { readonly name: string }): boolean => block.name.toLowerCase() === name.toLowerCase();
  if (word === keyword.EVENT && tokens[opening - 3]?.tokenType === keyword.SELECT) {
    const event = catalog.blocks.event.find(same);
    return event === undefined ? undefined : { name, fields: listedNames(event.fields, event.docs), sign: ':=' };
  }
  if (word === keyword.EXECUTE) {
    const command = catalog.blocks.command.find(same);
    return command === undefined ? undefined : { name, fields: listedNames(command.fields, command.docs), sign: ':=' };
  }
  const isApply = tokens[0]?.tokenType === keyword.APPLY || tokens[0]?.tokenType === keyword.USE;
  if (!isApply || nameToken?.tokenType !== keyword.WITH) return undefined;
  const template = catalog.blocks.template.find((block) => block.name.toLowerCase() === tokens[2]?.image.toLowerCase());
  const parameters = (template?.parameters ?? []).map((each): Choice => ({
    label: each.name,
    kind: 'parameter',
    insert: each.name,
    ...(each.type === undefined ? {} : { detail: each.type }),
  }));
  return template === undefined ? undefined : { name: template.name, fields: parameters, sign: '=' };
}

function givenNames(tokens: readonly Token[], opening: number): ReadonlySet<string> {
  const names = new Set<string>();
  let depth = 0;
  for (let at = opening + 1; at < tokens.length && depth >= 0; at++) {
    const type = tokens[at]?.tokenType;
    if (type === LParen || type === QueryParen) depth++;
    else if (type === RParen) depth--;
    else if (depth === 0 && (type === Assign || type === Equal)) {
      const name = tokens[at - 1];
      if (name !== undefined) names.add((name.text ?? name.image).toLowerCase());
    }
  }
  return names;
}

interface Field {
  readonly name: string;
  readonly type: Type;
  readonly sensitive?: boolean;
}

export function listedNames(fields: readonly Field[], docs: Docs | undefined): readonly Choice[] {
  return fields.map(({ name, type, sensitive }) => ({
    label: name,
    kind: 'field',
    insert: name,
    detail: sensitive === true ? `${typeName(type)}, SENSITIVE` : typeName(type),
    ...documented(fieldDoc(docs, name)),
  }));
}

/** The doc comment of a choice, if it has one. */
export function documented(doc: string | undefined): Pick<Choice, 'documentation'> {
  return doc === undefined ? {} : { documentation: doc };
}

export const typeNames: readonly Choice[] = [
  ...[
    'STRING',
    'VARCHAR(n)',
    'UUID',
    'INT',
    'BIGINT',
    'DECIMAL(p,s)',
    'DECIMAL',
    'DOUBLE',
    'BOOLEAN',
    'TIMESTAMP',
    'DATE',
    'JSON',
  ],
].map((label): Choice => ({
  label,
  kind: 'type',
  insert: label === 'DECIMAL(p,s)' ? 'DECIMAL(12,2)' : label === 'VARCHAR(n)' ? 'VARCHAR(100)' : label,
}));

/** The types of the language, and the enums of the schema. */
export function typeChoices(catalog: Catalog): readonly Choice[] {
  const enums = catalog.blocks.enum.map(({ name, values, docs }): Choice => ({
    label: name,
    kind: 'type',
    insert: name,
    detail: values.join(', '),
    ...documented(docs?.block),
  }));
  return [...typeNames, ...enums];
}

/** Keys of an event store that have an effect and are not given yet; behind a dot those that begin with the words before it. */
export function storeKeyNames(before: readonly Token[]): readonly Choice[] {
  const written = before.map(({ image }) => image).join('');
  const begun = /(?:\w+\.)*$/.exec(written)?.[0].toLowerCase() ?? '';
  return knownKeys
    .filter(({ key }) => key.startsWith(begun) && !written.includes(`${key}=`))
    .map(({ key, takes }) => ({ label: key, kind: 'field', insert: `${key.slice(begun.length)} = `, detail: takes }));
}
