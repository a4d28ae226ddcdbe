import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { Steps } from '../../../language/source/steps.ts';
import type { Span } from '../../../language/source/span.ts';
import {
  isBlockStatement,
  type ApplyTemplate,
  type BlockStatement,
  type CreateTemplate,
  type Statement,
} from '../ast.ts';
import { parseStatement, type ParseContext } from '../parse-statement.ts';
import { createScanner } from '../scan/scanner.ts';
import { nextInSteps, usualLimits, type StatementTokens } from '../scan/split.ts';
import type { Token } from '../tokens/token.ts';

/** The statements allowed in a template's body. */
export type BodyStatement = Exclude<BlockStatement, CreateTemplate> | ApplyTemplate;

/** Makes the spans of a body; inside an expansion they contain the APPLY that expands it. */
export function bodyContext({ body }: CreateTemplate, applied?: Span): ParseContext {
  const place = applied === undefined ? {} : { applied };
  return { file: body.file, spanAt: (start, end) => ({ file: body.file, start, end, ...place }) };
}

/** Takes the statements of a body as tokens, including placeholders; a step for each, and for some text. */
export function* eachOfBody(
  { body }: CreateTemplate,
  { spanAt }: ParseContext,
  take: (found: StatementTokens) => void,
  most = usualLimits,
): Steps<void> {
  const scanner = createScanner({ text: body.file.text, start: body.start, end: body.end, spanAt });
  scanner.inTemplate = true;
  for (;;) {
    const found = yield* nextInSteps(scanner, spanAt, most);
    if (found === undefined) return;
    take(found);
    yield;
  }
}

/** Parses a statement of a body, its tokens replaced by `fill`. */
export function parseBodyStatement(
  found: StatementTokens,
  context: ParseContext,
  fill: (token: Token) => Token | Diagnostic,
): BodyStatement | Diagnostic {
  if (found.fault !== undefined) return found.fault;
  const tokens: Token[] = [];
  for (const token of found.tokens) {
    const filled = fill(token);
    if (!('tokenType' in filled)) return filled;
    tokens.push(filled);
  }
  const { node, fault } = parseStatement({ ...found, tokens }, context);
  if (node === undefined) return fault;
  if (isBodyStatement(node)) return node;
  return diagnose('E0511', node.span, { statement: nameOfKind(node) });
}

function isBodyStatement(node: Statement): node is BodyStatement {
  return node.kind === 'ApplyTemplate' || (isBlockStatement(node) && node.kind !== 'CreateTemplate');
}

function nameOfKind(node: Statement): string {
  switch (node.kind) {
    case 'CreateTemplate':
      return 'CREATE TEMPLATE';
    case 'CreateTable':
      return 'CREATE TABLE';
    case 'DropBlock':
    case 'DropTable':
      return 'DROP';
    case 'QueryStatement':
      return 'a query';
    case 'InspectDecision':
    case 'InspectProjection':
    case 'InspectReaction':
      return 'INSPECT';
    case 'Advance':
      return 'ADVANCE CLOCK';
    case 'SetCaller':
      return node.caller === undefined ? 'RESET CALLER' : 'SET CALLER';
    case 'DescribeAll':
      return 'DESCRIBE';
    default:
      return node.kind.toUpperCase();
  }
}
