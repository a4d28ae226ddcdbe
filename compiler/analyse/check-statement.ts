import { diagnose } from '../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { Statement, WrittenCaller } from '../syntax/ast.ts';
import { findAll } from '../syntax/walk.ts';
import { bindCaller, bindExecute, bindMoment, bindQuery } from './bind-statement.ts';
import type { BindScope, Registry } from './environment/registry.ts';

const scope: BindScope = { tables: [], cleared: false };

/**
 * A statement other than a block, in files given to `check`, `build` or `dev`: checked as far as possible without a session, and never run,
 * which a warning says (docs/language.md#scripts).
 */
export function checkStatement(
  registry: Registry,
  statement: Statement,
  sessionTables: ReadonlySet<string>,
): readonly Diagnostic[] {
  const found = checkOutsideSession(registry, statement, sessionTables);
  return [...found, diagnose('E0912', statement.span, { statement: wordsOf(statement) })];
}

/** Errors of such a statement, as far as they are known without its session. */
export function checkOutsideSession(
  registry: Registry,
  statement: Statement,
  sessionTables: ReadonlySet<string>,
): readonly Diagnostic[] {
  const readsSession = findAll(statement, 'NamedRelation').some(
    ({ schema, name }) => schema === undefined && sessionTables.has(name.text.toLowerCase()),
  );
  return readsSession ? [] : checked(registry, statement);
}

function checked(registry: Registry, statement: Statement): readonly Diagnostic[] {
  if (statement.kind === 'Execute') return bindExecute(registry, statement, scope).diagnostics;
  if (statement.kind === 'QueryStatement') {
    const { query, asOf } = statement;
    const moment = asOf === undefined ? [] : bindMoment(registry, asOf, scope).diagnostics;
    return [...bindQuery(registry, query, scope).diagnostics, ...moment];
  }
  const caller = callerWritten(statement);
  return caller === undefined ? [] : bindCaller(registry, caller, scope).diagnostics;
}

function callerWritten(statement: Statement): WrittenCaller | undefined {
  if (statement.kind === 'SetCaller') return statement.caller;
  return statement.kind === 'Explain' && statement.target.type === 'access' ? statement.target.caller : undefined;
}

/** The first word of the statement, as written in the language. */
function wordsOf(statement: Statement): string {
  const text = statement.span.file.text.slice(statement.span.start, statement.span.end);
  return /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? statement.kind;
}
