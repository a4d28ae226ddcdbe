/**
 * Choices of text for a place: the words that the grammar takes there, and the names that the blocks and the statement give. Takes a text
 * and the known blocks; gives choices with the range that they replace. Works in a text that does not parse.
 */
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { expectedAfter, type ExpectedWords } from '../syntax/grammar/expected-words.ts';
import { retyped, type Token } from '../syntax/tokens/token.ts';
import { isTypeWord } from '../syntax/expand/parameter-type.ts';
import { isWord } from '../syntax/tokens/token-text.ts';
import { Comma, keyword, LParen, QueryParen } from '../syntax/tokens/vocabulary.ts';
import { namesClaim } from './caller-words.ts';
import { cursorAt, type Cursor } from './cursor.ts';
import { blockNames, fieldsToGive, listedNames, storeKeyNames, typeChoices } from './completion/names.ts';
import { expressionChoices } from './completion/expressions.ts';
import { relationChoices } from './completion/relations.ts';
import { snippetsBehindCreate, statementSnippets } from './completion/snippets.ts';
import { valueChoices } from './completion/values.ts';
import type { Choice } from './completion/choice.ts';

export type { Choice } from './completion/choice.ts';

export interface Completions {
  /** Range that a choice replaces. */
  readonly start: number;
  readonly end: number;
  /** Best first. */
  readonly choices: readonly Choice[];
}

/** More are never useful: the next letter narrows them. */
const mostChoices = 500;

export function completionsAt(file: SourceFile, offset: number, catalog: Catalog): Completions {
  const cursor = cursorAt(file, offset);
  const { start, end } = cursor;
  const choices = choicesAt(file, cursor, catalog);
  const seen = new Set<string>();
  const once = choices.filter(({ label }) => !seen.has(label) && seen.add(label));
  return { start, end, choices: once.slice(0, mostChoices) };
}

function choicesAt(file: SourceFile, cursor: Cursor, catalog: Catalog): readonly Choice[] {
  if (cursor.inside === 'comment') return [];
  if (cursor.inside === 'string') return valueChoices(cursor.tokens, cursor.index, catalog);
  if (cursor.inside === 'parameter') {
    return cursor.parameters.flatMap((name): readonly Choice[] => [
      { label: name, kind: 'parameter', insert: closed(file, cursor, name) },
      {
        label: `${name}Assignments`,
        kind: 'parameter',
        insert: closed(file, cursor, `${name}Assignments`),
        detail: 'of a list of fields: f := :f, …',
      },
    ]);
  }
  const before = cursor.tokens.slice(0, cursor.index);
  if (isParameterOfCommand(file, cursor)) return commandFields(cursor.tokens, catalog);
  const expected = expectedHere(before);
  const names = namesHere(cursor, before, expected, catalog);
  const isName = cursor.inside === 'name' || namesClaim(before);
  const words = expected === undefined || isName ? [] : keywordChoices(expected, before);
  const snippets = cursor.inside === 'code' ? snippetsBehind(before, catalog) : [];
  return [...names, ...snippets, ...words];
}

function snippetsBehind(before: readonly Token[], catalog: Catalog): readonly Choice[] {
  if (before.length === 0) return statementSnippets(catalog);
  return before.length === 1 && before[0]?.tokenType === keyword.CREATE ? snippetsBehindCreate(catalog) : [];
}

/** `}}` unless it is there. */
function closed({ text }: SourceFile, { end }: Cursor, name: string): string {
  return /^\s*\}\}/.test(text.slice(end, end + 20)) ? name : `${name}}}`;
}

function isParameterOfCommand({ text }: SourceFile, { start }: Cursor): boolean {
  return text.charAt(start - 1) === ':' && text.charAt(start - 2) !== ':';
}

/** Words that the grammar takes behind these tokens; behind a parenthesis also those that begin a query. */
function expectedHere(before: readonly Token[]): ExpectedWords | undefined {
  const plain = expectedAfter(before);
  const last = before.at(-1);
  if (last?.tokenType !== LParen) return plain;
  const query = expectedAfter([...before.slice(0, -1), retyped(last, QueryParen)]);
  if (plain === undefined || query === undefined) return plain ?? query;
  return { ...plain, words: new Set([...plain.words, ...query.words]) };
}

/** Signs of the grammar that are words only for compatibility. */
const unusual: ReadonlySet<string> = new Set(['DEREG', 'USE', 'TIMESTAMP', 'DATE', 'ENV']);

function keywordChoices({ words, tokens }: ExpectedWords, before: readonly Token[]): readonly Choice[] {
  const found = Array.from(words).filter((word) => !unusual.has(word));
  // An operator may follow; only its words are worth a choice.
  const logical = tokens.has('Logical') ? ['AND', 'OR'] : [];
  const isLost = before.at(-1)?.tokenType === keyword.CREATE ? ['OR REPLACE'] : [];
  const all = [...found.filter((word) => word !== 'OR' || isLost.length === 0), ...logical, ...isLost];
  return [...new Set(all)].sort().map((word): Choice => ({ label: word, kind: 'keyword', insert: word }));
}

/** The names that a CHECK or the body of a function reads: fields and parameters declared in the same statement. */
function ownInputs(tokens: readonly Token[]): readonly Choice[] {
  const [create, second] = tokens;
  const kind = second?.tokenType === keyword.OR ? tokens[3] : second;
  if (create?.tokenType !== keyword.CREATE) return [];
  if (kind?.tokenType !== keyword.COMMAND && kind?.tokenType !== keyword.FUNCTION) return [];
  return tokens.flatMap((token, at): readonly Choice[] => {
    const before = tokens[at - 1]?.tokenType;
    const declares =
      (before === LParen || before === Comma) && isWord(token) && isTypeWord(tokens[at + 1]?.image ?? '');
    return declares ? [{ label: token.image, kind: 'field', insert: token.image }] : [];
  });
}

/** Fields of the command whose decision these tokens are. */
function commandFields(tokens: readonly Token[], catalog: Catalog): readonly Choice[] {
  const at = tokens.findIndex(
    ({ tokenType }, index) => tokenType === keyword.COMMAND && tokens[index - 1]?.tokenType === keyword.ON,
  );
  const name = tokens[at + 1]?.image.toLowerCase();
  const command = at < 0 ? undefined : catalog.blocks.command.find((block) => block.name.toLowerCase() === name);
  return command === undefined ? [] : listedNames(command.fields, command.docs);
}

function namesHere(
  { tokens, index, inside }: Cursor,
  before: readonly Token[],
  expected: ExpectedWords | undefined,
  catalog: Catalog,
): readonly Choice[] {
  const rules = expected?.rules ?? [];
  const rule = rules.findLast((each) => each !== 'name' && each !== 'fieldName' && each !== 'named') ?? '';
  const given = fieldsToGive(tokens, index, catalog);
  if (given !== undefined && (expected === undefined || rules.at(-1) === 'fieldName' || expected.tokens.has('Word')))
    return given;
  // Only a relation may begin with LATERAL.
  const namesRelation = rule === 'relationName' || expected?.words.has('LATERAL') === true;
  const relations = relationChoices(tokens, index, catalog, namesRelation);
  if (relations !== undefined) return relations;
  const blocks = blockNames(before, rule, catalog);
  if (blocks !== undefined) return blocks;
  if (rule === 'typeName' || rules.at(-1) === 'typeName') return typeChoices(catalog);
  if (rule === 'storeOption' || (rule === 'eventStore' && expected?.tokens.has('Word') === true))
    return storeKeyNames(before);
  const isExpression =
    rules.includes('expression') || rules.includes('operand') || expected?.tokens.has('Bind') === true;
  const isBehindDot = before.at(-1)?.image === '.';
  if (expected === undefined || isBehindDot || (isExpression && expected.tokens.has('Bind')))
    return expressionChoices(tokens, index, catalog, {
      quoted: inside === 'name',
      parameters: commandFields(tokens, catalog),
      inputs: ownInputs(tokens),
    });
  return [];
}
