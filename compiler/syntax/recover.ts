/**
 * The errors of a broken statement after its first one. Takes its tokens and the first refusal; repairs the text there in the ways that people
 * forget things, and looks for the next refusal. A repair counts only if the grammar then accepts everything up to the next `,`, `)` or clause,
 * so that no error is reported that only follows from another one.
 */
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { IRecognitionException, TokenType } from './chevrotain.ts';
import { startOfNext } from './grammar/next-statement.ts';
import { habitAt, placeInBlock, syntaxError } from './grammar/syntax-error.ts';
import { parseStatement, refusedIn, type ParseContext } from './parse-statement.ts';
import type { StatementTokens } from './scan/split.ts';
import { createTokenAt, type Token } from './tokens/token.ts';
import { Comma, keyword, LParen, NumberToken, QueryParen, RParen, Unreadable } from './tokens/vocabulary.ts';

/** Bounds of the work for one statement: each repair is parsed from its beginning. */
const mostTokens = 1_000;
const mostFaults = 8;

/** After these errors it is not known where the faulty text ends. */
const swallowing: ReadonlySet<string> = new Set(['E0105', 'E0106', 'E0107', 'E0110']);

/** Clauses at which a query continues after an error. */
const clauses: ReadonlySet<TokenType> = new Set([
  ...[keyword.FROM, keyword.WHERE, keyword.GROUP, keyword.HAVING, keyword.ORDER, keyword.LIMIT],
  ...[keyword.UNION, keyword.INTERSECT, keyword.EXCEPT, keyword.EMIT],
]);

/** The errors after the first one, in order. */
export function furtherFaults(
  found: StatementTokens,
  first: IRecognitionException,
  context: ParseContext,
): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  if (found.tokens.length > mostTokens) return faults;
  let { tokens } = found;
  for (let error: IRecognitionException | undefined = first; error !== undefined && faults.length < mostFaults;) {
    const start = startOfNext(tokens, tokens.indexOf(error.token as Token), error, context.file);
    if (start !== undefined) return [...faults, ...faultsOf({ ...found, tokens: tokens.slice(start) }, context)];
    const repair = repaired(tokens, error, found, context);
    if (repair === undefined) return faults;
    ({ tokens, error } = repair);
    if (error !== undefined) faults.push(syntaxError(error, found, context));
  }
  return faults;
}

/** Errors of a statement that begins without a `;` before it. */
function faultsOf(found: StatementTokens, context: ParseContext): readonly Diagnostic[] {
  const { node, fault, error } = parseStatement(found, context);
  if (node !== undefined) return [];
  return error === undefined ? [fault] : [fault, ...furtherFaults(found, error, context)];
}

interface Repair {
  readonly tokens: readonly Token[];
  /** The next refusal. */
  readonly error: IRecognitionException | undefined;
}

function repaired(
  tokens: readonly Token[],
  error: IRecognitionException,
  found: StatementTokens,
  context: ParseContext,
): Repair | undefined {
  const refused = error.token as Token;
  const at = tokens.indexOf(refused);
  if (at < 0 || swallowing.has(refused.fault?.code ?? '')) return undefined;
  const habit = habitAt(error, found);
  if (habit?.habit.rest === 'statement') return undefined;
  if (habit?.habit.rest === 'comment') return withoutLine(tokens, tokens.indexOf(habit.first ?? refused), context);
  const open = enclosing(tokens, at);
  const sync = nextSync(tokens, at, open);
  if (sync === undefined || isHealedByParenthesis(tokens, at, error)) return undefined;
  const place = placeInBlock(error);
  const inList = place !== 'other' && place !== 'store';
  for (const candidate of candidates(tokens, { at, open, sync, inList })) {
    const next = refusedIn(candidate.tokens);
    // A refusal at the end, which is no token, says that something is open: that may be the work of the repair.
    const index = next === undefined ? Infinity : candidate.tokens.indexOf(next.token as Token);
    if (index > candidate.sync) return { tokens: candidate.tokens, error: next };
  }
  return undefined;
}

/** Whether one parenthesis before a token makes the statement right; then nothing else is wrong. */
function isHealedByParenthesis(tokens: readonly Token[], at: number, { message }: IRecognitionException): boolean {
  const { startOffset, tokenType } = tokens[at] as Token; // `at` is in range
  const isQuery = tokenType === keyword.SELECT;
  const missing = [
    ...(message.includes("')'") ? [createTokenAt(RParen, ')', startOffset, startOffset)] : []),
    ...(message.includes("'('") || isQuery || tokenType === NumberToken
      ? [createTokenAt(isQuery ? QueryParen : LParen, '(', startOffset, startOffset)]
      : []),
  ];
  // In `MIN data.day)` the name after the function was taken for its alias, and the dot is refused.
  const before = tokens[at - 1];
  const opened = before === undefined ? undefined : createTokenAt(LParen, '(', before.startOffset, before.startOffset);
  return (
    missing.some((parenthesis) => refusedIn(tokens.toSpliced(at, 0, parenthesis)) === undefined) ||
    (tokens[at]?.image === '.' && opened !== undefined && refusedIn(tokens.toSpliced(at - 1, 0, opened)) === undefined)
  );
}

/** The tokens without those from an index to the end of its line, which were meant as a comment. */
function withoutLine(tokens: readonly Token[], from: number, { file }: ParseContext): Repair | undefined {
  const end = file.text.indexOf('\n', tokens[from]?.startOffset ?? 0);
  if (end < 0) return undefined;
  const kept = tokens.filter(({ startOffset }, index) => index < from || startOffset > end);
  return kept.length === 0 ? undefined : { tokens: kept, error: refusedIn(kept) };
}

interface Candidate {
  readonly tokens: readonly Token[];
  /** The index in them of the token that ends the faulty element. */
  readonly sync: number;
}

/** Indexes of tokens around a refused one. */
interface Surroundings {
  readonly at: number;
  /** The parenthesis around it, or -1. */
  readonly open: number;
  /** The end of its element. */
  readonly sync: number;
  /** Whether it is in a list of declarations or assignments, of which one may be left out. */
  readonly inList: boolean;
}

/** The repairs of a list's element, the smallest first. */
function* candidates(tokens: readonly Token[], { at, open, sync, inList }: Surroundings): Generator<Candidate> {
  const { startOffset } = tokens[at] as Token; // `at` is in range
  const start = startOfElement(tokens, at, open);
  if (at < sync && inList) {
    const comma = createTokenAt(Comma, ',', startOffset, startOffset);
    yield { tokens: tokens.toSpliced(at, 0, comma), sync: sync + 1 };
  }
  if (at < sync) {
    yield { tokens: tokens.toSpliced(at, 1), sync: sync - 1 };
    yield { tokens: tokens.toSpliced(at, sync - at), sync: at };
  }
  if (!inList) return;
  if (tokens[sync]?.tokenType === Comma) yield { tokens: tokens.toSpliced(start, sync + 1 - start), sync: start };
  else if (tokens[start - 1]?.tokenType === Comma)
    yield { tokens: tokens.toSpliced(start - 1, sync + 1 - start), sync: start - 1 };
}

/** The index of the parenthesis around a token; -1 without one. */
function enclosing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const type = tokens[index]?.tokenType;
    if (type === RParen) depth++;
    else if (type === LParen || type === QueryParen) {
      if (depth === 0) return index;
      depth--;
    }
  }
  return -1;
}

/** The index of the token that ends the element of a token: the next `,` or clause, or the `)` around it. */
function nextSync(tokens: readonly Token[], at: number, open: number): number | undefined {
  const inQuery = open < 0 || tokens[open]?.tokenType === QueryParen;
  let depth = 0;
  for (let index = at; index < tokens.length; index++) {
    const type = tokens[index]?.tokenType;
    const image = tokens[index]?.image;
    if (type === LParen || type === QueryParen || image === '[') depth++;
    else if (type === RParen || image === ']') {
      if (depth === 0) return open < 0 || image === ']' ? undefined : index;
      depth--;
    } else if (depth === 0 && type !== undefined && (type === Comma || (inQuery && clauses.has(type)))) return index;
    else if (type === Unreadable && swallowing.has(tokens[index]?.fault?.code ?? '')) return undefined;
  }
  return undefined;
}

/** The index of the first token of the list's element that has the token. */
function startOfElement(tokens: readonly Token[], at: number, open: number): number {
  let depth = 0;
  for (let index = at - 1; index > open; index--) {
    const type = tokens[index]?.tokenType;
    if (type === RParen) depth++;
    else if (type === LParen || type === QueryParen) depth--;
    else if (type === Comma && depth === 0) return index + 1;
  }
  return open + 1;
}
