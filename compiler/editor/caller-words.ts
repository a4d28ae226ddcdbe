/** The words for the caller (docs/callers.md#the-caller), for hovers and choices. */
import type { Token } from '../syntax/tokens/token.ts';
import { keyword, LParen } from '../syntax/tokens/vocabulary.ts';

export interface CallerWord {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly insert: string;
}

export const callerWords: readonly CallerWord[] = [
  {
    name: 'CURRENT_USER',
    usage: 'CURRENT_USER STRING',
    summary: 'The subject of the caller; NULL without one.',
    insert: 'CURRENT_USER',
  },
  {
    name: 'HAS_ROLE',
    usage: "HAS_ROLE('role') BOOLEAN",
    summary: 'Whether the caller has the role; FALSE without a caller.',
    insert: "HAS_ROLE('",
  },
  {
    name: 'CLAIM',
    usage: 'CLAIM(name)',
    summary: 'The value of a claim of the caller, which CREATE CLAIM declares; NULL where the token has none.',
    insert: 'CLAIM(',
  },
];

/** Whether the name of a claim follows these tokens. */
export function namesClaim(before: readonly Token[]): boolean {
  return before.at(-1)?.tokenType === LParen && before.at(-2)?.image.toUpperCase() === 'CLAIM';
}

/** Whether the caller is known at the place before token `index`: in queries, in decisions, and in the clauses about callers. */
export function knowsCaller(tokens: readonly Token[], index: number): boolean {
  const before = tokens.slice(0, index).map(({ tokenType }) => tokenType);
  const [first, second] = before;
  if (first !== keyword.CREATE) return first === keyword.SELECT || first === keyword.WITH;
  switch (second === keyword.OR ? before[3] : second) {
    case keyword.DECISION:
    case keyword.TABLE:
      return true;
    case keyword.COMMAND:
      return before.includes(keyword.ALLOW) || before.at(-1) === keyword.DEFAULT;
    case keyword.AGGREGATE:
      return clauseBefore(tokens, index);
    case keyword.PROJECTION:
      return clauseBefore(tokens, index) && !opensQuery(tokens, index);
    default:
      return false;
  }
}

/** Whether the place is behind VISIBLE or CLEAR. */
export function clauseBefore(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(3, index).some(({ tokenType }) => tokenType === keyword.VISIBLE || tokenType === keyword.CLEAR);
}

/** Whether the query of a projection begins before the place. */
function opensQuery(tokens: readonly Token[], index: number): boolean {
  return tokens
    .slice(0, index)
    .some(
      ({ tokenType }, at) =>
        tokenType === keyword.AS &&
        [keyword.SELECT, keyword.WITH, keyword.VALUES].some((word) => tokens[at + 1]?.tokenType === word),
    );
}
