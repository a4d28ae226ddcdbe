import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Span } from '../../../language/source/span.ts';
import type { IRecognitionException } from '../chevrotain.ts';
import { isReservedWord } from '../tokens/keywords.ts';
import { shortened } from '../tokens/token-text.ts';
import type { Token } from '../tokens/token.ts';
import { Identifier, QuotedIdentifier, StringToken } from '../tokens/vocabulary.ts';

/** The end of a statement, for an error that finds nothing more: its `;`, or the place after its last token. */
export interface StatementEnd {
  readonly last: Token;
  readonly end: Token | undefined;
}

/** The meaning of a bare name, by the rule that requires it. */
const namesByRule: Readonly<Record<string, string>> = {
  aggregate: 'the name of an aggregate',
  command: 'the name of a command',
  event: 'the name of an event',
  decision: 'a name',
  projection: 'the name of a projection',
  eventStore: 'the name of an event store',
  template: 'the name of a template',
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
  aggregateField: 'a field name',
  assignment: 'a field name',
  typeName: 'a type',
  relationName: 'the name of a relation',
  alias: 'an alias',
  named: 'a name',
};

/** The diagnostic for chevrotain's first error, whose message is the expected construct. */
export function syntaxError(
  error: IRecognitionException,
  place: StatementEnd,
  spanAt: (start: number, end: number) => Span,
): Diagnostic {
  const found = Number.isNaN(error.token.startOffset) ? undefined : (error.token as Token);
  const rule = error.context.ruleStack.at(-1) ?? '';
  const outer = rule === 'name' || rule === 'fieldName' ? error.context.ruleStack.at(-2) : rule;
  const isName = error.message === 'a name' || error.message === 'an alias';
  const expected = (isName ? namesByRule[outer ?? ''] : undefined) ?? error.message;
  const span = found === undefined ? endSpan(place, spanAt) : spanAt(found.startOffset, found.endOffset + 1);
  const reserved = isName && found !== undefined && isReservedWord(found.image);
  return diagnose('E0101', span, {
    expected,
    found: found === undefined ? foundEnd(place) : describe(found),
    nearest: found?.tokenType === Identifier ? nearestNames(found.image, expected.match(/\b[A-Z]{2,}\b/g) ?? []) : [],
    ...(reserved
      ? { hint: `${found.image.toUpperCase()} is reserved, put it in double quotes to use it as a name` }
      : {}),
  });
}

function endSpan({ last, end }: StatementEnd, spanAt: (start: number, end: number) => Span): Span {
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
