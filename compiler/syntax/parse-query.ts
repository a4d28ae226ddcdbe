import { diagnose } from '../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { AsOf, Expression, Node, Query } from './ast.ts';
import type { IRecognitionException } from './chevrotain.ts';
import { parseStatement, type ParseContext } from './parse-statement.ts';
import { checkSize, contextOf } from './parse.ts';
import { createScanner } from './scan/scanner.ts';
import { nextStatement, type StatementTokens } from './scan/split.ts';
import { isWord, shortened } from './tokens/token-text.ts';
import type { Token } from './tokens/token.ts';
import { keyword, LParen, QueryParen } from './tokens/vocabulary.ts';
import { findAll } from './walk.ts';

/**
 * The meaning of a text for a console that answers one query (docs/http.md#schema-and-console). All outcomes but `query` carry their
 * diagnostic; `error` is an ordinary error, the other three are refused in any case: `not-a-query`: the first word is not SELECT or WITH,
 * or a part of a WITH is not a query; `second-statement`: there is a second statement; `clause`: the query continues with INTO or FOR.
 */
export type ParsedQuery =
  | {
      readonly outcome: 'query';
      readonly query: Query;
      /** The moment of the whole query, if it names one. */
      readonly asOf?: AsOf;
      readonly span: Span;
      readonly diagnostics: readonly [];
      /** The parameters that the text names, in lower case. */
      readonly used: ReadonlySet<string>;
    }
  | {
      readonly outcome: 'error' | 'not-a-query' | 'second-statement' | 'clause';
      readonly diagnostics: readonly [Diagnostic];
    };

/** A value for `:name`, which then means the literal of that value and is typed where it is used. Numbers are exact, as JSON spells them. */
export type ParameterValue =
  | { readonly form: 'text' | 'number'; readonly text: string }
  | { readonly form: 'boolean'; readonly value: boolean }
  | { readonly form: 'null' };

/** By name, in lower case. */
export type QueryParameters = ReadonlyMap<string, ParameterValue>;

/** Parses a single SELECT or WITH statement. A byte order mark does not count as white space here. */
export function parseQuery(file: SourceFile, parameters?: QueryParameters): ParsedQuery {
  const tooLarge = checkSize(file);
  if (tooLarge !== undefined) return refused('error', tooLarge);
  const used = new Set<string>();
  const literalOf = (name: string, span: Span): Expression | undefined => {
    const value = parameters?.get(name.toLowerCase());
    if (value === undefined) return undefined;
    used.add(name.toLowerCase());
    return literal(value, span);
  };
  const context = { ...contextOf(file), literalOf };
  const scanner = createScanner({ text: file.text, start: 0, end: file.text.length, spanAt: context.spanAt });
  const found = nextStatement(scanner, context.spanAt);
  if (found === undefined) return refused('error', nothing(context));
  const first = found.tokens.find((token) => token.tokenType !== LParen && token.tokenType !== QueryParen);
  if (first !== undefined && isWord(first) && !startsQuery(first)) {
    return refused('not-a-query', diagnose('E0117', spanOf(first, context), { found: shortened(first.image) }));
  }
  const broken = found.fault ?? found.unreadable;
  if (broken !== undefined) return refused('error', parseStatement(found, context).fault ?? broken);
  const more = nextStatement(scanner, context.spanAt);
  const second = more?.tokens[0];
  if (second !== undefined) {
    if (second.fault !== undefined) return refused('error', second.fault);
    return refused('second-statement', diagnose('E0118', spanOf(second, context), {}));
  }
  const result = parsed(found, context);
  if (result.outcome !== 'query' || parameters === undefined) return result;
  const parts = [result.query, ...(result.asOf === undefined ? [] : [result.asOf])];
  for (const part of parts) {
    const wrong = misused(part, file, parameters);
    if (wrong !== undefined) return wrong;
  }
  return { ...result, used };
}

function literal(value: ParameterValue, span: Span): Expression {
  switch (value.form) {
    case 'text':
      return { kind: 'StringLiteral', span, value: value.text };
    case 'number': {
      const digits: Expression = { kind: 'NumberLiteral', span, text: value.text.replace(/^-/, '').toLowerCase() };
      return value.text.startsWith('-') ? { kind: 'Unary', span, operator: '-', operand: digits } : digits;
    }
    case 'boolean':
      return { kind: 'BooleanLiteral', span, value: value.value };
    case 'null':
      return { kind: 'NullLiteral', span };
  }
}

/** Reports a parameter without a value, or one that would choose the columns to read: the key of a JSON access. */
function misused(part: Node, file: SourceFile, parameters: QueryParameters): ParsedQuery | undefined {
  const [missing] = findAll(part, 'BindParameter');
  if (missing !== undefined) {
    const known = [...parameters.keys()];
    return refused('error', diagnose('E0217', missing.span, { name: missing.name.text, known }));
  }
  const key = findAll(part, 'JsonGet').find((access) => file.text[access.key.span.start] === ':')?.key;
  return key === undefined ? undefined : refused('error', diagnose('E0312', key.span, {}));
}

function parsed(found: StatementTokens, context: ParseContext): ParsedQuery {
  const { node, fault, error } = parseStatement(found, context);
  if (node === undefined) return (error && refusal(error, context)) ?? refused('error', fault);
  if (node.kind === 'QueryStatement')
    return {
      outcome: 'query',
      query: node.query,
      ...(node.asOf === undefined ? {} : { asOf: node.asOf }),
      span: node.span,
      diagnostics: [],
      used: new Set(),
    };
  return refused('not-a-query', diagnose('E0117', node.span, { found: node.kind }));
}

function refused(outcome: Exclude<ParsedQuery['outcome'], 'query'>, diagnostic: Diagnostic): ParsedQuery {
  return { outcome, diagnostics: [diagnostic] };
}

/** The diagnostic if a query continues with INTO or FOR, or a WITH with something other than a query. */
function refusal(error: IRecognitionException, context: ParseContext): ParsedQuery | undefined {
  const token = error.token as Token;
  const rules = error.context.ruleStack;
  const rule = rules.at(-1);
  const endsQuery = rule === undefined || rule === 'statement' || rule === 'subquery' || rule === 'commonTable';
  if (endsQuery && (token.tokenType === keyword.INTO || token.tokenType === keyword.FOR)) {
    return refused('clause', diagnose('E0119', spanOf(token, context), { clause: token.image.toUpperCase() }));
  }
  const inWith = rules.length === 3 || rules.at(-3) === 'commonTable';
  if (rule === 'queryTerm' && inWith && isWord(token)) {
    return refused('not-a-query', diagnose('E0117', spanOf(token, context), { found: shortened(token.image) }));
  }
  return undefined;
}

function startsQuery(token: Token): boolean {
  return token.tokenType === keyword.SELECT || token.tokenType === keyword.WITH;
}

function nothing(context: ParseContext): Diagnostic {
  const end = context.file.text.length;
  return diagnose('E0101', context.spanAt(end, end), {
    expected: 'a query',
    found: 'the end of the text',
    nearest: [],
  });
}

function spanOf(token: Token, { spanAt }: ParseContext): Span {
  return spanAt(token.startOffset, token.endOffset + 1);
}
