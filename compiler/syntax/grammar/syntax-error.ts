import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic, Fix } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { blockKeywords } from '../../../language/contract/block-kind.ts';
import { placeOf as placeInFile, type SourceFile } from '../../../language/source/source-file.ts';
import type { Span } from '../../../language/source/span.ts';
import type { IRecognitionException } from '../chevrotain.ts';
import { findSyntaxHabit } from '../habits/syntax-habits.ts';
import type { FoundHabit, Place } from '../habits/habit.ts';
import { isReservedWord } from '../../../language/source/reserved-words.ts';
import { isWord, shortened } from '../tokens/token-text.ts';
import type { Token } from '../tokens/token.ts';
import { Assign, Identifier, QuotedIdentifier, StringToken } from '../tokens/vocabulary.ts';
import { openBefore, startOfNext } from './next-statement.ts';

/** The tokens of a statement, and its end for an error that finds nothing more: its `;`, or the place after its last token. */
export interface StatementEnd {
  readonly tokens: readonly Token[];
  readonly last: Token;
  readonly end: Token | undefined;
}

/** The words that may follow the type of a field. */
const marksByRule: Readonly<Record<string, readonly string[]>> = {
  command: ['KEY', 'SENSITIVE', 'NULL', 'DEFAULT'],
  fieldList: ['KEY', 'SENSITIVE', 'NULL', 'DEFAULT'],
  event: ['SENSITIVE', 'VOLATILE', 'TAG'],
  aggregate: ['KEY', 'DEFAULT', 'AS'],
};

/** The text of the tokens, and how its spans are made. */
export interface ErrorSource {
  readonly file: SourceFile;
  readonly spanAt: (start: number, end: number) => Span;
}

/** The meaning of a bare name, by the rule that requires it. */
const namesByRule: Readonly<Record<string, string>> = {
  aggregate: 'the name of an aggregate',
  command: 'the name of a command',
  event: 'the name of an event',
  upcast: 'the name of an event',
  decision: 'a name',
  projection: 'the name of a projection',
  eventStore: 'the name of an event store',
  template: 'the name of a template',
  enum: 'the name of an enum',
  claim: 'the name of a claim',
  function: 'the name of a function',
  functionParameter: 'the name of a parameter',
  table: 'the name of a table',
  branch: 'the label of the branch',
  emit: 'the name of an event',
  emitTarget: 'the name of an aggregate',
  execute: 'the name of a command',
  apply: 'the name of a template',
  commonTable: 'the name of a table',
  nameList: 'a column name',
  extract: 'a part of a date, like YEAR',
  templateParameter: 'the name of a parameter',
  templateArgument: 'the name of a parameter',
  executeOption: 'an option',
  storeOption: 'a key, like durable.type',
  commandField: 'a field name',
  eventField: 'a field name',
  oldField: 'a field name',
  aggregateField: 'a field name',
  assignment: 'a field name',
  typeName: 'a type',
  relationName: 'the name of a relation',
  alias: 'an alias',
  named: 'a name',
};

/** The diagnostic for an error of chevrotain, whose message is the expected construct. */
export function syntaxError(error: IRecognitionException, place: StatementEnd, source: ErrorSource): Diagnostic {
  const found = Number.isNaN(error.token.startOffset) ? undefined : (error.token as Token);
  const habit = habitAt(error, place);
  if (habit !== undefined) return habitDiagnostic(habit, found, place, source);
  if (found?.fault !== undefined) return found.fault;
  const rule = error.context.ruleStack.at(-1) ?? '';
  const outer = rule === 'name' || rule === 'fieldName' ? error.context.ruleStack.at(-2) : rule;
  const isName = error.message === 'a name' || error.message === 'an alias';
  const expected = (isName ? namesByRule[outer ?? ''] : undefined) ?? error.message;
  const unterminated = found === undefined ? undefined : unterminatedBefore(place.tokens, found, error, source.file);
  const separator = unterminated ?? (found === undefined ? undefined : missingComma(error, place.tokens, found));
  const reserved = isName && found !== undefined && isReservedWord(found.image);
  const marks = found === undefined || !isWord(found) || error.message !== "',' or ')'" ? undefined : marksByRule[rule];
  const hint =
    separator?.question ??
    (marks === undefined || nearestNames(found?.image ?? '', marks).length > 0
      ? undefined
      : `after the type of a field may come ${marks.slice(0, -1).join(', ')} and ${marks.at(-1) ?? ''}`) ??
    (reserved ? `${found.image.toUpperCase()} is reserved, put it in double quotes to use it as a name` : undefined);
  const at = unterminated === undefined ? found : unterminated.next;
  return diagnose(
    'E0101',
    at === undefined ? endSpan(place, source) : spanOf(at, at, source),
    {
      expected: unterminated === undefined ? expected : 'the end of the statement',
      found: at === undefined ? foundEnd(place) : describe(at),
      nearest:
        at?.tokenType === Identifier
          ? nearestNames(at.image, [...(expected.match(/\b[A-Z]{2,}\b/g) ?? []), ...(marks ?? [])])
          : [],
      ...(hint === undefined ? {} : { hint }),
    },
    separator === undefined ? {} : { fix: insertion(separator, source) },
  );
}

/** The form of another SQL that the grammar refused, if it is one. */
export function habitAt(
  error: IRecognitionException,
  { tokens }: Pick<StatementEnd, 'tokens'>,
): FoundHabit | undefined {
  const at = Number.isNaN(error.token.startOffset) ? tokens.length : tokens.indexOf(error.token as Token);
  // A word in the place of the block's name is not one of its fields.
  const isName = blockKeywords.some((kind) => tokens[at - 1]?.image.toUpperCase() === kind);
  return findSyntaxHabit({ tokens, at, place: isName ? 'other' : placeInBlock(error) });
}

/** The innermost rule that makes a difference to what people write. */
const placesByRule: Readonly<Record<string, Place>> = {
  command: 'command',
  commandField: 'command',
  fieldList: 'command',
  event: 'event',
  eventField: 'event',
  aggregate: 'aggregate',
  aggregateField: 'aggregate',
  table: 'table',
  nameList: 'other',
  expression: 'other',
  assignments: 'assignments',
  storeValue: 'store',
};

/** The part of a statement in which the grammar refused a token. */
export function placeInBlock(error: IRecognitionException): Place {
  const rules = error.context.ruleStack;
  if (rules.at(-2) === 'table') return 'table';
  const rule = rules.findLast((name) => placesByRule[name] !== undefined);
  return (rule === undefined ? undefined : placesByRule[rule]) ?? 'other';
}

function habitDiagnostic(
  { habit, first, last }: FoundHabit,
  found: Token | undefined,
  place: StatementEnd,
  source: ErrorSource,
): Diagnostic {
  const from = first ?? found;
  const span = from === undefined ? endSpan(place, source) : spanOf(from, last ?? place.last, source);
  const { instead, fix } = habit;
  const title = fix === '' ? 'leave it out' : `write ${(fix ?? '').trim()}`;
  return diagnose('E0120', span, { instead }, fix === undefined ? {} : { fix: { title, span, replacement: fix } });
}

interface MissingSign {
  readonly question: string;
  /** The token after which it is missing. */
  readonly after: Token;
  readonly sign: string;
}

/** In a list, two elements without a comma: the refused one begins as elements do. */
function missingComma(error: IRecognitionException, tokens: readonly Token[], found: Token): MissingSign | undefined {
  const at = tokens.indexOf(found);
  const [after, next] = [tokens[at - 1], tokens[at + 1]];
  if (error.message !== "',' or ')'" || after === undefined || next === undefined || !isWord(found)) return undefined;
  const rule = error.context.ruleStack.at(-1);
  const begins = rule === 'assignments' ? next.tokenType === Assign : declaresFields.has(rule ?? '') && isWord(next);
  return begins ? { question: `is a ',' missing before '${shortened(found.image)}'?`, after, sign: ',' } : undefined;
}

const declaresFields: ReadonlySet<string> = new Set(['command', 'event', 'upcast', 'aggregate', 'fieldList']);

/** The next statement begins where the grammar refused a token, or one token before, and the one before it has no `;`. */
function unterminatedBefore(
  tokens: readonly Token[],
  found: Token,
  error: IRecognitionException,
  file: SourceFile,
): (MissingSign & { readonly next: Token }) | undefined {
  const start = startOfNext(tokens, tokens.indexOf(found), error, file);
  const [after, next] = [tokens[(start ?? 0) - 1], tokens[start ?? 0]];
  if (start === undefined || after === undefined || next === undefined) return undefined;
  const sign = `${')'.repeat(Math.max(0, openBefore(tokens, start)))};`;
  const before = placeInFile(file, after.endOffset);
  const where = placeInFile(file, next.startOffset).line === before.line ? 'here' : `at the end of line ${before.line}`;
  return { question: `is a '${sign}' missing ${where}?`, after, sign, next };
}

function insertion({ after, sign }: MissingSign, { spanAt }: ErrorSource): Fix {
  const end = after.endOffset + 1;
  return { title: `insert '${sign}'`, span: spanAt(end, end), replacement: sign };
}

function spanOf(first: Token, last: Token, { spanAt }: ErrorSource): Span {
  return spanAt(first.startOffset, last.endOffset + 1);
}

function endSpan({ last, end }: StatementEnd, { spanAt }: ErrorSource): Span {
  if (end !== undefined) return spanAt(end.startOffset, end.endOffset + 1);
  return spanAt(last.endOffset + 1, last.endOffset + 1);
}

function foundEnd({ end }: StatementEnd): string {
  return end === undefined ? 'the end of the text' : "';'";
}

function describe(token: Token): string {
  const text = shortened(token.image);
  if (token.tokenType === StringToken) return `the string ${text}`;
  return token.tokenType === QuotedIdentifier ? `the name ${text}` : `'${text}'`;
}
