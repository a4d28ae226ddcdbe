import { diagnose } from '../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { Expression, Node, Statement } from './ast.ts';
import { grammar } from './grammar/parser.ts';
import type { Grammar } from './grammar/statements.ts';
import { checkHead } from './grammar/statement-head.ts';
import { syntaxError } from './grammar/syntax-error.ts';
import { noContext, type NodeContext, type Rule } from './grammar/words.ts';
import type { IRecognitionException } from './chevrotain.ts';
import { maximumNesting } from './scan/nesting.ts';
import type { StatementTokens } from './scan/split.ts';
import type { Token } from './tokens/token.ts';
import { walk } from './walk.ts';

/** The source text of tokens, and how its spans are made. */
export interface ParseContext {
  readonly file: SourceFile;
  readonly spanAt: (start: number, end: number) => Span;
  readonly literalOf?: NodeContext['literalOf'];
}

/** A parsed tree, or the first error in its text. */
export type Parsed<N> =
  | { readonly node: N; readonly fault?: undefined; readonly error?: undefined }
  | { readonly node?: undefined; readonly fault: Diagnostic; readonly error?: IRecognitionException };

/** Parses the tokens of one statement. `error` is set when the grammar refused them. */
export function parseStatement(found: StatementTokens, context: ParseContext): Parsed<Statement> {
  const fault = found.fault ?? checkHead(found.tokens, (token) => spanOfToken(context, token));
  if (fault !== undefined) return { fault };
  return parseRule(found, context, ({ statement }) => statement);
}

export function parseExpressionTokens(found: StatementTokens, context: ParseContext): Parsed<Expression> {
  if (found.fault !== undefined) return { fault: found.fault };
  return parseRule(found, context, ({ expression }) => expression);
}

function parseRule<N extends Node>(
  found: StatementTokens,
  context: ParseContext,
  ruleOf: (parser: Grammar) => Rule<N>,
): Parsed<N> {
  try {
    const parser = grammar();
    const faults: Diagnostic[] = [];
    parser.input = [...found.tokens];
    parser.context = { ...context, report: (fault) => faults.push(fault) };
    const node = ruleOf(parser).call(parser);
    const error = parser.errors[0];
    if (error !== undefined) return { fault: syntaxError(error, found, context), error };
    const [first] = faults.sort((a, b) => a.span.start - b.span.start);
    const fault = first ?? checkDepth(node, found);
    return fault === undefined ? { node } : { fault };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { fault: tooDeep(spanOfToken(context, found.last), maximumNesting) };
  }
}

/** The first token that the grammar refuses in the tokens of a statement; undefined also if they are nested too deeply to tell. */
export function refusedIn(tokens: readonly Token[]): IRecognitionException | undefined {
  try {
    const parser = grammar();
    parser.input = [...tokens];
    parser.context = noContext;
    parser.statement();
    return parser.errors[0];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** A tree cannot be deeper than its number of tokens, so short statements need no check. */
function checkDepth(node: Node, found: StatementTokens): Diagnostic | undefined {
  if (found.tokens.length <= maximumDepth) return undefined;
  const deep = findDeepNode(node);
  return deep === undefined ? undefined : tooDeep(deep.span, maximumDepth);
}

/** The free stack differs between callers; if it ends before the limit of nesting, the error is the same. */
function tooDeep(span: Span, limit: number): Diagnostic {
  return diagnose('E0112', span, { limit });
}

function spanOfToken(context: ParseContext, token: Token): Span {
  return context.spanAt(token.startOffset, token.endOffset + 1);
}

/**
 * Maximum depth of a tree, in nodes, so that it can be read by recursion. Trees get deep by long chains of operators, joins and set
 * operations, which lean to the left; 200 nested subqueries stay below.
 */
const maximumDepth = 1_200;

/** The first node that is deeper than that, if any. */
function findDeepNode(root: Node): Node | undefined {
  let found: Node | undefined;
  walk(root, (node, depth) => {
    if (depth > maximumDepth) found ??= node;
    return found === undefined;
  });
  return found;
}
