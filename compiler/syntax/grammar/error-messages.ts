import type { IParserErrorMessageProvider, TokenType } from '../chevrotain.ts';
import { LParen, Name, QueryParen, RParen, Star } from '../tokens/vocabulary.ts';

/**
 * The construct that the grammar expected where it failed, in the words of the language. The message of a chevrotain error is only this
 * phrase; `syntax-error.ts` makes the diagnostic from it.
 */
const wantedByRule: Readonly<Record<string, string>> = {
  operand: 'an expression',
  selectItem: 'an expression or *',
  literal: 'a literal',
  storeValue: 'a value',
  templateArgument: "a literal or a list of fields in '('…')'",
  queryTerm: 'a query (SELECT …)',
  relationTerm: 'a relation',
  relation: 'a relation',
  alias: 'an alias',
  statement: 'a statement',
  aggregateField: 'a field name',
  command: 'a field name',
  commandField: 'a field name',
  eventField: 'a field name',
  oldField: 'a field name',
  assignment: 'a field name',
  branch: 'SELECT EVENT',
  commonTable: 'a query in parentheses',
  describe: 'a kind of block, like EVENT or EVENTS',
  frame: 'a frame bound',
  frameBound: 'a frame bound',
  values: "'('",
  enumValue: 'a string',
  functionParameter: 'a name',
  valuesRow: 'an expression',
  case: 'WHEN',
  template: 'the statements of the template',
  typeName: 'a number',
  visible: 'WHERE or TO ALL',
  commandDefault: 'a literal, CURRENT_USER or CLAIM(name)',
};

/** Rules that read a list: where the list may end, it may also continue. */
const lists: ReadonlySet<string> = new Set([
  ...[
    'aggregate',
    'command',
    'event',
    'upcast',
    'assignments',
    'eventStore',
    'template',
    'apply',
    'fieldList',
    'execute',
  ],
  ...['nameList', 'typeName', 'inList', 'valuesRow', 'arguments', 'storeValue', 'enum', 'function'],
]);

/** The possible first elements of lists that may be empty. */
const firstOfList: Readonly<Record<string, string>> = {
  arguments: 'an expression',
  assignments: 'a field name',
  aggregate: 'a field name',
  event: 'a field name',
  upcast: 'a field name',
  function: 'the name of a parameter',
  fieldList: 'a field name',
  eventStore: 'a key, like durable.type',
  apply: 'the name of a parameter',
  execute: 'an option',
};

/** The name of a token type in a diagnostic. */
function tokenLabelOf(tokenType: TokenType): string {
  return tokenType.LABEL ?? tokenType.name;
}

function closing(ruleName: string, previous: TokenType): string {
  const first = previous === LParen ? firstOfList[ruleName] : undefined;
  if (first !== undefined) return `${first} or ')'`;
  return lists.has(ruleName) ? "',' or ')'" : "')'";
}

function labels(paths: readonly (readonly TokenType[])[]): string {
  const types = paths.flatMap((path) => path[0] ?? []);
  const found = [...new Set(types.map(tokenLabelOf))];
  if (found.length > 8 && types.includes(Name)) return types.includes(Star) ? 'an expression or *' : 'an expression';
  if (types.includes(QueryParen) && types.includes(Name)) return 'a relation';
  const last = found.pop() ?? '';
  return found.length === 0 ? last : `${found.join(', ')} or ${last}`;
}

export const errorMessages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, previous, ruleName }) =>
    expected === RParen ? closing(ruleName, previous.tokenType) : tokenLabelOf(expected),
  buildNoViableAltMessage: ({ expectedPathsPerAlt, ruleName }) =>
    wantedByRule[ruleName] ?? labels(expectedPathsPerAlt.flat()),
  buildEarlyExitMessage: ({ expectedIterationPaths, ruleName }) =>
    wantedByRule[ruleName] ?? labels(expectedIterationPaths),
  buildNotAllInputParsedMessage: () => 'the end of the statement',
};
