/**
 * A prompt's target that is a remote server: each statement becomes the equivalent request. Takes a URL and a token, gives a `Target`; a
 * statement that HTTP cannot express is refused.
 */
import type { Registry } from '../../compiler/index.ts';
import { isBlockStatement, type AsOf, type Statement, type WrittenCaller } from '../../compiler/syntax/ast.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { findMetaRelation } from '../../language/contract/meta-relations.ts';
import { standingColumns } from '../../language/contract/standing.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { JsonValue } from '../../language/values/json.ts';
import { accessColumns } from '../../server/operation/access/access-columns.ts';
import type { DescribedFrom } from '../../server/operation/describe/describe.ts';
import type { Problem, StatementOutcome, StatementResult } from '../../server/session/outcome.ts';
import type { RunOptions } from '../../server/session/session.ts';
import { isList, isObject } from '../../language/values/json.ts';
import type { Target } from '../repl/target.ts';
import { executeRemotely } from './execute.ts';
import { knownTo, registryReader, remoteScope, type ReadRegistry } from './registry.ts';
import { Refusal, remoteServer, type RemoteServer } from './server.ts';
import { typedTable, untypedTable } from './values.ts';

/** Everything that an answer to a statement needs. */
interface Remote {
  readonly server: RemoteServer;
  readonly registry: ReadRegistry;
  /** The moment of all answers, if it is not now. */
  readonly asOf: string | undefined;
  readonly warn: (diagnostic: Diagnostic) => void;
}

export async function openRemote(url: string, token: string | undefined): Promise<Target> {
  let signal: AbortSignal | undefined;
  const server = remoteServer(url, { token, stopping: () => signal });
  const { parseScript } = await import('../../compiler/index.ts');
  const registry = await registryReader(server);
  let known = knownTo(await registry());
  async function* run(file: SourceFile, options: RunOptions): AsyncGenerator<StatementOutcome> {
    const { keepGoing = false, asOf } = options;
    ({ signal } = options);
    for (const { statement, span, textSpan, diagnostics } of parseScript(file).statements) {
      const text = file.text.slice(textSpan.start, textSpan.end);
      const problems = diagnostics.map((diagnostic): Problem => ({ ...diagnostic, diagnostic }));
      const warnings = statement === undefined ? [] : [...diagnostics];
      const remote: Remote = { server, registry, asOf, warn: (warning) => void warnings.push(warning) };
      const result: StatementResult =
        statement === undefined
          ? { kind: 'error', problems }
          : await guarded(statement, span, () => answer(remote, statement, text));
      if (result.kind === 'create') known = knownTo(await registry());
      yield { span, warnings, ...result };
      if (result.kind === 'error' && !keepGoing) return;
    }
  }
  return { greeting: `schemac, on ${new URL(url).origin}`, run, known: () => known };
}

/** A refusal is the statement's outcome. */
async function guarded(
  statement: Statement,
  span: StatementOutcome['span'],
  work: () => Promise<StatementResult>,
): Promise<StatementResult> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof Refusal || error instanceof Failure)) throw error;
    const code = error instanceof Refusal ? `H${error.status}` : error.code;
    return { kind: 'error', problems: [{ code, message, span: placeOf(statement) ?? span }] };
  }
}

/** The name in the statement that a refusal is about, as a local session shows it. */
function placeOf(statement: Statement): Span | undefined {
  if (statement.kind === 'Describe') return statement.name.span;
  return statement.kind === 'Execute' ? statement.command.span : undefined;
}

async function answer(remote: Remote, statement: Statement, text: string): Promise<StatementResult> {
  const { server, registry, asOf } = remote;
  const then = asOf === undefined ? '' : `?as_of=${encodeURIComponent(asOf)}`;
  if (isBlockStatement(statement))
    return created((await server.post('/api/lang/create', JSON.stringify({ lang: text }))).body);
  const { bindExecute, bindQuery } = await import('../../compiler/index.ts');
  const { describe, describeAll } = await import('../../server/operation/describe/describe.ts');
  switch (statement.kind) {
    case 'QueryStatement': {
      const known = await registry();
      const bound = known && bindQuery(known, statement.query, remoteScope(known));
      if (bound !== undefined && bound.value === undefined) return refusedBy(bound.diagnostics);
      bound?.diagnostics.forEach(remote.warn);
      const path = statement.asOf === undefined ? `/api/query${then}` : '/api/query';
      const { body, headers } = await server.post(path, JSON.stringify({ sql: text.replace(/;\s*$/, '') }));
      const shown = headers.get('schemac-as-of');
      const table = bound?.value === undefined ? untypedTable(body) : typedTable(body, bound.value.columns);
      return { kind: 'select', table, ...(shown === null ? {} : { asOf: Number(shown) }) };
    }
    case 'Execute': {
      if (asOf !== undefined) throw new Refusal(0, `EXECUTE is decided now, and answers are as of ${asOf}`);
      const known = await registry();
      const bound = known && bindExecute(known, statement, remoteScope(known));
      if (bound !== undefined && bound.value === undefined) return refusedBy(bound.diagnostics);
      bound?.diagnostics.forEach(remote.warn);
      return { kind: 'execute', outcome: await executeRemotely(server, statement, known) };
    }
    case 'Describe':
      return { kind: 'describe', table: await describe(await readable(registry), statement, describedFrom(server)) };
    case 'DescribeAll':
      return { kind: 'describe', table: await describeAll(await readable(registry), statement, describedFrom(server)) };
    case 'Export':
      return {
        kind: 'export',
        text: await server.text(
          `/api/lang/export${statement.asOf === undefined ? then : `?as_of=${literalOf(statement.asOf)}`}`,
        ),
      };
    case 'Explain':
      if (statement.target.type === 'access') return access(server, statement.target.caller);
      throw new Refusal(0, notOverHttp);
    case 'SetCaller':
      throw new Refusal(0, 'over HTTP the token says who is asking; SET CALLER is for a session on a log, with --data');
    default:
      throw new Refusal(0, notOverHttp);
  }
}

const notOverHttp = 'this statement cannot be run over HTTP; open the data directory with --data';

/** The server tells its sender about itself alone. */
async function access(server: RemoteServer, named: WrittenCaller | undefined): Promise<StatementResult> {
  if (named !== undefined)
    throw new Refusal(
      0,
      'over HTTP the token says who is asking; EXPLAIN ACCESS tells about its holder, without FOR CALLER',
    );
  return { kind: 'explain', table: typedTable(await server.get('/api/access'), accessColumns) };
}

function refusedBy(diagnostics: readonly Diagnostic[]): StatementResult {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { kind: 'error', problems: errors.map((diagnostic): Problem => ({ ...diagnostic, diagnostic })) };
}

async function readable(registry: ReadRegistry): Promise<Registry> {
  const known = await registry();
  if (known === undefined) throw new Refusal(403, "DESCRIBE needs the right 'read:meta_*', to read all definitions");
  return known;
}

/** The server says how far blocks have come, and what it has recorded. */
function describedFrom(server: RemoteServer): DescribedFrom {
  return {
    inspections: async () => {
      const { columns = [] } = findMetaRelation('meta_inspections') ?? {};
      return typedTable(await server.get('/api/reg/inspections'), columns).rows;
    },
    standing: async (relation, name) => {
      const group = relation.slice('meta_'.length);
      const found = await server.get(`/api/reg/${group}/${encodeURIComponent(name)}`);
      return typedTable(found, standingColumns[relation]).rows[0];
    },
  };
}

/** A moment that can be a parameter of a request. */
function literalOf({ position, time }: AsOf): string {
  if (position !== undefined) return String(position);
  if (time?.kind === 'StringLiteral' || time?.kind === 'TypedLiteral') return encodeURIComponent(time.value);
  throw new Refusal(0, 'over HTTP, EXPORT takes the moment as a position or as a literal time');
}

function created(body: JsonValue): StatementResult {
  const list = isObject(body) ? body.get('created') : undefined;
  const [first] = isList(list) ? list : [];
  if (!isObject(first)) throw new Refusal(0, 'the server did not say what was created');
  const word = (key: string): string => textOf(first.get(key));
  return { kind: 'create', block: word('kind'), name: word('name'), change: word('change') as 'created' };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
