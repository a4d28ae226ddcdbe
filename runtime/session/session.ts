/**
 * Runs script text against an engine, statement by statement (language.md section 11). Takes source texts, gives one outcome a
 * statement; never prints, and never shows a sensitive value.
 */
import type { CreateTemplate, Diagnostic, ParsedStatement, SourceFile, Statement } from '../../compiler/index.ts';
import { Failure } from '../failure/failure.ts';
import type { Problem, StatementOutcome, StatementResult } from './outcome.ts';
import { errorOf } from './problems.ts';
import { readScript, type Script } from './script.ts';
import { runBlock, runDrop } from './statements/blocks.ts';
import { runApply } from './statements/apply.ts';
import { runDescribe, runDescribeAll, runExplain, runExport, runValidate } from './statements/describe.ts';
import { runExecute } from './statements/execute.ts';
import { runInspectDecision, runInspectProjection } from './statements/inspect.ts';
import { runCreateTable, runDropTable, runQuery } from './statements/queries.ts';
import type { SessionContext, StatementContext } from './context.ts';

export interface Session {
  /** Runs a text. After a failed statement it ends, unless `keepGoing`; a text that does not parse runs nothing, unless `keepGoing`. */
  readonly run: (file: SourceFile, options?: RunOptions) => AsyncGenerator<StatementOutcome>;
}
export interface RunOptions {
  readonly keepGoing?: boolean;
}

export function createSession(context: SessionContext): Session {
  const knownTemplate = (name: string): CreateTemplate | undefined => {
    const tree = context.live.registry().tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };

  async function* run(file: SourceFile, { keepGoing = false }: RunOptions = {}): AsyncGenerator<StatementOutcome> {
    const script = readScript(file, knownTemplate);
    const refuse = script.broken && !keepGoing;
    for (const [index, parsed] of script.statements.entries()) {
      if (refuse && parsed.statement !== undefined) continue;
      const outcome = await runStatement(context, script, parsed, index);
      yield outcome;
      if (outcome.kind === 'error' && !keepGoing && !refuse) return;
    }
  }
  return { run };
}

async function runStatement(
  context: SessionContext,
  script: Script,
  parsed: ParsedStatement,
  index: number,
): Promise<StatementOutcome> {
  const warnings: Diagnostic[] = [];
  const at: StatementContext = {
    ...context,
    span: parsed.span,
    text: typedText(parsed),
    forward: script.forward(index),
    warn: (warning) => warnings.push(warning),
  };
  const result = parsed.statement === undefined ? errorOf(parsed.diagnostics) : await guarded(at, parsed.statement);
  return { span: parsed.span, warnings, ...result };
}

function typedText({ textSpan }: ParsedStatement): string {
  return textSpan.file.text.slice(textSpan.start, textSpan.end);
}

/** A `Failure` is the statement's outcome; anything else is a bug and goes on as it is. */
async function guarded(context: StatementContext, statement: Statement): Promise<StatementResult> {
  try {
    return await dispatch(context, statement);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      kind: 'error',
      problems: [
        { code: error.code, message: error.message, span: placeOfFailure(context, statement, error), failure: error },
      ],
    };
  }
}

function placeOfFailure(context: StatementContext, statement: Statement, failure: Failure): Problem['span'] {
  if (failure.code === 'R0106' && (statement.kind === 'Describe' || statement.kind === 'DropTable'))
    return statement.name.span;
  if (statement.kind !== 'Execute') return context.span;
  const argument = statement.arguments.find((given) => given.field.text === failure.field);
  return argument?.span ?? statement.command.span;
}

function dispatch(context: StatementContext, statement: Statement): Promise<StatementResult> {
  switch (statement.kind) {
    case 'CreateAggregate':
    case 'CreateCommand':
    case 'CreateEvent':
    case 'CreateDecision':
    case 'CreateProjection':
    case 'CreateEventStore':
    case 'CreateTemplate':
      return runBlock(context, statement);
    case 'ApplyTemplate':
      return runApply(context, statement);
    case 'DropBlock':
      return runDrop(context, statement);
    case 'Execute':
      return runExecute(context, statement);
    case 'QueryStatement':
      return runQuery(context, statement);
    case 'CreateTable':
      return runCreateTable(context, statement);
    case 'DropTable':
      return runDropTable(context, statement);
    case 'InspectDecision':
      return runInspectDecision(context, statement);
    case 'InspectProjection':
      return runInspectProjection(context, statement);
    case 'Describe':
      return runDescribe(context, statement);
    case 'DescribeAll':
      return runDescribeAll(context, statement);
    case 'Validate':
      return runValidate(context);
    case 'Explain':
      return runExplain(context, statement);
    case 'Export':
      return runExport(context);
    default:
      return statement satisfies never;
  }
}
