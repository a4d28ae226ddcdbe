/**
 * Text to syntax trees. Takes source files; gives the statements of a script in order, each with its place and its first error, or one
 * query, or one expression. Never throws on any text, never resolves a name.
 */
import { diagnose } from '../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { atOnce, type Steps } from '../../language/source/steps.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { Expression, Statement } from './ast.ts';
import { lostBlocks, type LostBlocks } from './grammar/lost-blocks.ts';
import { parseExpressionTokens, parseStatement, type ParseContext } from './parse-statement.ts';
import { furtherFaults } from './recover.ts';
import { createScanner } from './scan/scanner.ts';
import { nextInSteps, nextStatement, usualLimits, type StatementLimits, type StatementTokens } from './scan/split.ts';
import { checkTemplate } from './expand/check-template.ts';

/** A non-empty statement of a script, in the order of the text. */
export interface ParsedStatement {
  /** From its first token to its last, the `;` excluded. */
  readonly span: Span;
  /** The span with the `;`: the statement as typed. */
  readonly textSpan: Span;
  /** Absent when the statement is broken; then `diagnostics` says why. */
  readonly statement?: Statement;
  /** Blocks that a broken statement would have created. */
  readonly lost?: LostBlocks;
  /** With a statement, warnings only. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParsedScript {
  readonly statements: readonly ParsedStatement[];
  /** Diagnostics of all statements and of the text as a whole, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** docs/language.md#scripts. */
const maximumBytes = 10 * 1024 * 1024;
export const maximumStatements = 200_000;

/** After this many errors in a text, only the first one of each further statement is looked for. */
const mostFaults = 1_000;

/** All statements of a text, including broken ones: an error does not affect the next statement. */
export function parseScript(file: SourceFile): ParsedScript {
  return atOnce(parseInSteps(file));
}

/** `parseScript` in steps of one statement, also of a template's body; `most` is the maximum for one statement. */
export function* parseInSteps(file: SourceFile, most = usualLimits): Steps<ParsedScript> {
  const tooLarge = checkSize(file);
  if (tooLarge !== undefined) return { statements: [], diagnostics: [tooLarge] };
  const context = contextOf(file);
  const scanner = createScanner({
    text: file.text,
    start: textStart(file),
    end: file.text.length,
    spanAt: context.spanAt,
  });
  const statements: ParsedStatement[] = [];
  const diagnostics: Diagnostic[] = [];
  let faults = 0;
  const report = createReporter();
  for (;;) {
    const found = yield* nextInSteps(scanner, context.spanAt, most);
    if (found === undefined) break;
    if (statements.length === maximumStatements) {
      const { span } = spansOf(found, context);
      diagnostics.push(diagnose('E0113', span, { limit: maximumStatements, what: 'statements in one text' }));
      break;
    }
    const statement = yield* statementInSteps(found, context, faults < mostFaults, most);
    statements.push(statement);
    diagnostics.push(...report(statement));
    faults += statement.diagnostics.length;
    yield;
  }
  return { statements, diagnostics };
}

/**
 * Gives the diagnostics of the statements of one text, one after the other, without those that only follow from a broken template: the rest of its
 * body. Only the first placeholder outside any body is reported.
 */
export function createReporter(): (statement: ParsedStatement) => readonly Diagnostic[] {
  let inBody = false;
  return ({ statement, lost, span, diagnostics }) => {
    if (diagnostics.length === 0 && statement !== undefined) return diagnostics;
    const isRest = ({ code }: Diagnostic): boolean =>
      code === 'E0501' || (code === 'E0101' && span.file.text.startsWith(')', span.start));
    const reported = inBody ? diagnostics.filter((found) => !isRest(found)) : diagnostics;
    const isTemplate = statement === undefined && lost?.named.some(({ kind }) => kind === 'template') === true;
    inBody ||= isTemplate || diagnostics.some(({ code }) => code === 'E0501');
    return reported;
  };
}

/** Parses a statement; of a broken one finds all independent errors, or only the first. */
export function parsedStatement(found: StatementTokens, context: ParseContext): ParsedStatement {
  return atOnce(statementInSteps(found, context, true, usualLimits));
}

function* statementInSteps(
  found: StatementTokens,
  context: ParseContext,
  wantsAll: boolean,
  most: StatementLimits,
): Steps<ParsedStatement> {
  const spans = spansOf(found, context);
  const { node, fault, error } = parseStatement(found, context);
  const more = error === undefined || !wantsAll ? [] : furtherFaults(found, error, context);
  const ofBody = node?.kind === 'CreateTemplate' ? yield* checkTemplate(node, most) : [];
  const diagnostics = node === undefined ? [fault, ...more] : ofBody;
  const isSound = diagnostics.every(({ severity }) => severity !== 'error');
  if (node !== undefined && isSound) return { ...spans, statement: node, diagnostics };
  const lost = lostBlocks(found.tokens);
  // A comment without an end includes the statements after it.
  const swallowed = (found.fault ?? found.unreadable) !== undefined && found.end === undefined;
  return { ...spans, lost: { ...lost, others: lost.others || swallowed }, diagnostics };
}

/** A text with exactly one expression. */
export function parseExpression(file: SourceFile): {
  readonly expression?: Expression;
  readonly diagnostics: readonly Diagnostic[];
} {
  const tooLarge = checkSize(file);
  if (tooLarge !== undefined) return { diagnostics: [tooLarge] };
  const context = contextOf(file);
  const scanner = createScanner({
    text: file.text,
    start: textStart(file),
    end: file.text.length,
    spanAt: context.spanAt,
  });
  const found = nextStatement(scanner, context.spanAt);
  if (found === undefined || found.end !== undefined) return { diagnostics: [missing(found, context)] };
  const { node, fault } = parseExpressionTokens(found, context);
  return node === undefined ? { diagnostics: [fault] } : { expression: node, diagnostics: [] };
}

function missing(found: StatementTokens | undefined, context: ParseContext): Diagnostic {
  const expected = found === undefined ? 'an expression' : 'the end of the expression';
  const place = found?.end;
  const end = context.file.text.length;
  const span = place === undefined ? context.spanAt(end, end) : context.spanAt(place.startOffset, place.endOffset + 1);
  return diagnose('E0101', span, { expected, found: place === undefined ? 'the end of the text' : "';'", nearest: [] });
}

/** The diagnostic of a text that is too large to read. */
export function checkSize(file: SourceFile): Diagnostic | undefined {
  const { text } = file;
  if (text.length * 3 <= maximumBytes || (text.length <= maximumBytes && Buffer.byteLength(text) <= maximumBytes))
    return undefined;
  return diagnose('E0111', { file, start: 0, end: 0 }, { limit: '10 MiB' });
}

export function contextOf(file: SourceFile): ParseContext {
  return { file, spanAt: (start, end) => ({ file, start, end }) };
}

/** The start of a text: after a byte order mark. */
export function textStart(file: SourceFile): number {
  return file.text.startsWith('\ufeff') ? 1 : 0;
}

function spansOf(found: StatementTokens, { spanAt }: ParseContext): Pick<ParsedStatement, 'span' | 'textSpan'> {
  const start = found.tokens[0]?.startOffset ?? 0;
  const end = found.last.endOffset + 1;
  return { span: spanAt(start, end), textSpan: spanAt(start, found.end === undefined ? end : found.end.endOffset + 1) };
}
