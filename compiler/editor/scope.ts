/**
 * The columns that an expression may name at a place, read from tokens, so that it works in a statement that does not parse, and also when FROM
 * comes behind the place. Takes tokens and a catalog, gives relations with their columns.
 */
import type { Catalog } from '../../language/catalog/catalog.ts';
import { findMetaRelation } from '../../language/contract/meta-relations.ts';
import { typeName } from '../../language/values/type.ts';
import { clauseBefore } from './caller-words.ts';
import { isRegistrySchema } from '../analyse/name/name-rules.ts';
import type { Token } from '../syntax/tokens/token.ts';
import { isWord } from '../syntax/tokens/token-text.ts';
import { Alias, Comma, Dot, keyword, LParen, QueryParen, RParen, Star } from '../syntax/tokens/vocabulary.ts';

export interface ScopeColumn {
  readonly name: string;
  readonly type?: string;
  readonly sensitive?: boolean;
  /** Not part of `*`. */
  readonly hidden?: boolean;
}

export interface ScopeRelation {
  /** Its alias, else its name. */
  readonly name: string;
  readonly columns: readonly ScopeColumn[];
  /** Fields that `data.` reads, of a relation of events. */
  readonly payload: readonly ScopeColumn[];
}

export interface Scope {
  /** Innermost first. */
  readonly relations: readonly ScopeRelation[];
  /** In a guard or an assignment of a decision: the columns of its STATE. */
  readonly state?: readonly ScopeColumn[];
}

/** The scope of the place between token `index - 1` and token `index`. */
export function scopeAt(tokens: readonly Token[], index: number, catalog: Catalog): Scope {
  const relations: ScopeRelation[] = [];
  let isInQuery = false;
  for (let group = groupAround(tokens, index); ; group = groupAround(tokens, group.start - 1)) {
    const select = selectAround(tokens, group, index);
    if (select?.emits === true) return { relations, state: stateColumns(tokens, catalog) };
    if (select !== undefined) relations.push(...relationsIn(tokens, select, catalog));
    isInQuery ||= select !== undefined;
    if (group.start === 0) return { relations: isInQuery ? relations : ownRelation(tokens, index, catalog) };
  }
}

/** In VISIBLE and CLEAR, outside subqueries: the relation that the statement creates. */
function ownRelation(tokens: readonly Token[], index: number, catalog: Catalog): readonly ScopeRelation[] {
  if (!clauseBefore(tokens, index)) return [];
  const at = tokens.findIndex(({ tokenType }) => tokenType === keyword.AGGREGATE || tokenType === keyword.PROJECTION);
  const name = textOf(tokens[at + 1]) ?? '';
  if (tokens[at]?.tokenType === keyword.AGGREGATE) {
    const known = relationNamed(`${name}$Agg`, catalog)?.columns ?? [];
    const declared = declaredFields(tokens, at + 2);
    return [{ name, columns: declared.length === 0 ? known : [{ name: 'aggregate_id' }, ...declared], payload: [] }];
  }
  const query = outputs(tokens, { start: index, end: tokens.length }, catalog);
  const columns = query.length === 0 ? (relationNamed(name, catalog)?.columns ?? []) : query;
  return [{ name, columns: columns.filter(({ hidden }) => hidden !== true), payload: [] }];
}

/** The fields in the parentheses at `opening`. */
function declaredFields(tokens: readonly Token[], opening: number): readonly ScopeColumn[] {
  if (tokens[opening]?.tokenType !== LParen) return [];
  return outer(tokens, { start: opening + 1, end: closing(tokens, opening + 1) }).flatMap(([, at]) => {
    const name = textOf(tokens[at]);
    const begins = at === opening + 1 || tokens[at - 1]?.tokenType === Comma;
    return begins && name !== undefined ? [{ name, type: tokens[at + 1]?.image ?? '' }] : [];
  });
}

/** A part of the tokens; the end is not part of it. */
interface Range {
  readonly start: number;
  readonly end: number;
}

function isOpening({ tokenType }: Token): boolean {
  return tokenType === LParen || tokenType === QueryParen;
}

/** The inside of the innermost parentheses around a place, else everything. */
function groupAround(tokens: readonly Token[], index: number): Range {
  let depth = 0;
  let start = 0;
  for (let at = index - 1; at >= 0 && start === 0; at--) {
    const token = tokens[at] as Token; // at is in range
    if (token.tokenType === RParen) depth++;
    else if (isOpening(token) && depth-- === 0) start = at + 1;
  }
  return { start, end: closing(tokens, Math.max(start, index)) };
}

/** Where the parentheses close that are open before `from`. */
function closing(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as Token; // at is in range
    if (isOpening(token)) depth++;
    else if (token.tokenType === RParen && depth-- === 0) return at;
  }
  return tokens.length;
}

/** The tokens of a range outside inner parentheses, each with its index. */
function outer(tokens: readonly Token[], { start, end }: Range): readonly (readonly [token: Token, index: number])[] {
  const found: (readonly [Token, number])[] = [];
  let depth = 0;
  for (let at = start; at < end; at++) {
    const token = tokens[at] as Token; // at is in range
    if (token.tokenType === RParen) depth--;
    if (depth <= 0) found.push([token, at]);
    if (isOpening(token) && !unclosed(tokens).has(at)) depth++;
  }
  return found;
}

const unclosedOf = new WeakMap<readonly Token[], ReadonlySet<number>>();

/** The parentheses that are not closed yet and open no query: the clause that follows is not theirs. */
function unclosed(tokens: readonly Token[]): ReadonlySet<number> {
  const known = unclosedOf.get(tokens);
  if (known !== undefined) return known;
  const open: number[] = [];
  tokens.forEach((token, at) => {
    if (isOpening(token)) open.push(at);
    else if (token.tokenType === RParen) open.pop();
  });
  const found = new Set(open.filter((at) => tokens[at]?.tokenType === LParen));
  unclosedOf.set(tokens, found);
  return found;
}

const endsSelect = new Set([keyword.UNION, keyword.INTERSECT, keyword.EXCEPT, keyword.EMIT]);

interface SelectRange extends Range {
  /** `SELECT EVENT`, which reads the STATE. */
  readonly emits: boolean;
}

/** The SELECT of a group that a place belongs to: the last that begins before it. */
function selectAround(tokens: readonly Token[], group: Range, index: number): SelectRange | undefined {
  const selects = outer(tokens, group).filter(([{ tokenType }, at]) => tokenType === keyword.SELECT && at < index);
  const start = selects.at(-1)?.[1];
  if (start === undefined) return undefined;
  const emits = tokens[start + 1]?.tokenType === keyword.EVENT;
  const end = outer(tokens, { start: start + 1, end: group.end }).find(
    ([{ tokenType }, at]) =>
      endsSelect.has(tokenType) || (tokenType === keyword.AS && opensEmit(tokens, at + 1)) || opensEmit(tokens, at),
  )?.[1];
  return { start, end: end ?? group.end, emits };
}

function opensEmit(tokens: readonly Token[], at: number): boolean {
  const [first, second] = [tokens[at]?.tokenType, tokens[at + 1]?.tokenType];
  return first === keyword.BRANCH || (first === keyword.SELECT && second === keyword.EVENT);
}

/** The columns of a decision's STATE. */
export function stateColumns(tokens: readonly Token[], catalog: Catalog): readonly ScopeColumn[] {
  const state = outer(tokens, { start: 0, end: tokens.length }).find(
    ([{ tokenType }, at]) => tokenType === keyword.STATE && tokens[at + 1]?.tokenType === keyword.AS,
  )?.[1];
  return state === undefined ? [] : outputs(tokens, { start: state + 2, end: tokens.length }, catalog);
}

const afterFrom = new Set([
  keyword.WHERE,
  keyword.GROUP,
  keyword.HAVING,
  keyword.ORDER,
  keyword.LIMIT,
  keyword.OFFSET,
  keyword.WINDOW,
]);

function relationsIn(tokens: readonly Token[], select: Range, catalog: Catalog): readonly ScopeRelation[] {
  const parts = outer(tokens, select);
  const from = parts.findIndex(
    ([{ tokenType }], at) => tokenType === keyword.FROM && parts[at - 1]?.[0].tokenType !== keyword.DISTINCT,
  );
  if (from < 0) return [];
  const found: ScopeRelation[] = [];
  for (let at = from; at < parts.length; at++) {
    const [{ tokenType }, index] = parts[at] as readonly [Token, number]; // at is in range
    if (afterFrom.has(tokenType)) break;
    if (tokenType === keyword.FROM || tokenType === keyword.JOIN || tokenType === Comma)
      found.push(
        ...relationFrom(tokens, tokens[index + 1]?.tokenType === keyword.LATERAL ? index + 2 : index + 1, catalog),
      );
  }
  return found;
}

function relationFrom(tokens: readonly Token[], at: number, catalog: Catalog): readonly ScopeRelation[] {
  const first = tokens[at];
  if (first === undefined) return [];
  if (isOpening(first)) {
    const end = closing(tokens, at + 1);
    const alias = aliasAt(tokens, end + 1);
    const columns = outputs(tokens, { start: at + 1, end }, catalog);
    return [{ name: alias ?? '', columns, payload: [] }];
  }
  if (!isWord(first)) return [];
  const isQualified = tokens[at + 1]?.tokenType === Dot;
  const name = textOf(tokens[isQualified ? at + 2 : at]);
  if (name === undefined) return [];
  const known = isQualified ? relationNamed(name, catalog) : commonTable(tokens, name, catalog);
  return [{ columns: [], payload: [], ...known, name: aliasAt(tokens, at + (isQualified ? 3 : 1)) ?? name }];
}

function aliasAt(tokens: readonly Token[], at: number): string | undefined {
  const isAs = tokens[at]?.tokenType === keyword.AS;
  const token = tokens[isAs ? at + 1 : at];
  return token !== undefined && (isAs || token.tokenType.CATEGORIES?.includes(Alias) === true)
    ? textOf(token)
    : undefined;
}

function textOf(token: Token | undefined): string | undefined {
  return token === undefined || !isWord(token) ? undefined : (token.text ?? token.image);
}

/** `name AS (query)` of a WITH in the same statement. */
function commonTable(
  tokens: readonly Token[],
  name: string,
  catalog: Catalog,
): Omit<ScopeRelation, 'name'> | undefined {
  const at = tokens.findIndex(
    (token, index) =>
      textOf(token)?.toLowerCase() === name.toLowerCase() &&
      tokens[index + 1]?.tokenType === keyword.AS &&
      tokens[index + 2]?.tokenType === QueryParen,
  );
  if (at < 0) return undefined;
  return { columns: outputs(tokens, { start: at + 3, end: closing(tokens, at + 3) }, catalog), payload: [] };
}

/** A relation of the registry, in any case. */
export function relationNamed(name: string, catalog: Catalog): Omit<ScopeRelation, 'name'> | undefined {
  const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  const meta = findMetaRelation(name);
  if (meta !== undefined) return { columns: meta.columns.map(scopeColumn), payload: [] };
  for (const aggregate of catalog.blocks.aggregate) {
    if (same(`${aggregate.name}$Events`))
      return { columns: aggregate.eventColumns.map(scopeColumn), payload: aggregate.payload.map(scopeColumn) };
    if (same(`${aggregate.name}$Agg`)) return { columns: aggregate.state.columns.map(scopeColumn), payload: [] };
  }
  const projection = catalog.blocks.projection.find((block) => same(block.name));
  return projection === undefined ? undefined : { columns: projection.query.columns.map(scopeColumn), payload: [] };
}

type TypedColumn = Catalog['blocks']['projection'][number]['query']['columns'][number];

export function scopeColumn({ name, type, sensitive, hidden }: TypedColumn): ScopeColumn {
  return { name, type: typeName(type), sensitive, hidden: hidden === true };
}

/** The columns that a query has, as far as its tokens say. */
function outputs(tokens: readonly Token[], range: Range, catalog: Catalog): readonly ScopeColumn[] {
  const start = outer(tokens, range).find(([{ tokenType }]) => tokenType === keyword.SELECT)?.[1];
  if (start === undefined) return [];
  const select = selectAround(tokens, range, start + 1);
  if (select === undefined || select.emits) return [];
  const relations = relationsIn(tokens, select, catalog);
  return itemsOf(tokens, select).flatMap((item) => outputOf(item, relations));
}

function itemsOf(tokens: readonly Token[], { start, end }: Range): readonly (readonly Token[])[] {
  const items: Token[][] = [[]];
  for (const [token] of outer(tokens, { start: start + 1, end })) {
    if (token.tokenType === keyword.FROM || afterFrom.has(token.tokenType)) break;
    if (token.tokenType === Comma) items.push([]);
    else if (token.tokenType !== keyword.DISTINCT) items.at(-1)?.push(token);
  }
  return items;
}

function outputOf(item: readonly Token[], relations: readonly ScopeRelation[]): readonly ScopeColumn[] {
  const last = item.at(-1);
  if (last === undefined) return [];
  if (last.tokenType === Star && item.length !== 2) {
    const qualifier = textOf(item[0])?.toLowerCase();
    const wanted = relations.filter(({ name }) => item.length === 1 || name.toLowerCase() === qualifier);
    return wanted.flatMap(({ columns }) => columns.filter(({ hidden }) => hidden !== true));
  }
  const name = textOf(last);
  if (name === undefined) return [];
  const before = item.at(-2);
  const isAlias = before !== undefined && before.tokenType !== Dot;
  const known = isAlias
    ? undefined
    : relations.flatMap(allColumns).find((column) => column.name.toLowerCase() === name.toLowerCase());
  return [known === undefined ? { name } : { ...known, name, hidden: false }];
}

function allColumns({ columns, payload }: ScopeRelation): readonly ScopeColumn[] {
  return [...columns, ...payload];
}

/** Whether the two tokens before an index are `Reg.`. */
export function isBehindRegistry(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.tokenType === Dot && isRegistrySchema(textOf(tokens[index - 2]) ?? '');
}
