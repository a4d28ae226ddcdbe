/**
 * A prompt's target that is a remote server: each statement becomes the equivalent request. Takes a URL and a token, gives a `Target`; a
 * statement that HTTP cannot express is refused.
 */
import type { SourceFile } from '../../language/source/source-file.ts';
import { isBlockStatement, type AsOf, type Statement } from '../../compiler/syntax/ast.ts';
import type { Problem, StatementOutcome, StatementResult } from '../../server/session/outcome.ts';
import type { RunOptions } from '../../server/session/session.ts';
import type { JsonValue } from '../../language/values/json.ts';
import { isList, isObject } from '../expectations/exact-json.ts';
import { createHttpClient, Refusal, type HttpClient } from './http-client.ts';
import type { Known } from '../../server/session/known.ts';
import { executeRemotely } from './remote-execute.ts';
import { remoteTable } from './remote-values.ts';
import type { Target } from './target.ts';

export async function openRemote(url: string, token: string | undefined): Promise<Target> {
  let signal: AbortSignal | undefined;
  const client = createHttpClient(url, token, () => signal);
  const { parseScript } = await import('../../compiler/index.ts');
  let known = await readKnown(client);
  async function* run(file: SourceFile, options: RunOptions): AsyncGenerator<StatementOutcome> {
    const { keepGoing = false, asOf } = options;
    ({ signal } = options);
    for (const { statement, span, textSpan, diagnostics } of parseScript(file).statements) {
      const text = file.text.slice(textSpan.start, textSpan.end);
      const problems = diagnostics.map((diagnostic): Problem => ({ ...diagnostic, diagnostic }));
      const result: StatementResult =
        statement === undefined
          ? { kind: 'error', problems }
          : await guarded(span, () => answer(client, statement, text, known, asOf));
      if (result.kind === 'create') known = await readKnown(client);
      yield { span, warnings: statement === undefined ? [] : diagnostics, ...result };
      if (result.kind === 'error' && !keepGoing) return;
    }
  }
  return { greeting: `schemac, on ${new URL(url).origin}`, run, known: () => known };
}

/** A refusal is the statement's outcome. */
async function guarded(span: StatementOutcome['span'], work: () => Promise<StatementResult>): Promise<StatementResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      kind: 'error',
      problems: [{ code: `H${error.status}`, message: error.message, span }],
    };
  }
}

async function answer(
  client: HttpClient,
  statement: Statement,
  text: string,
  known: Known,
  asOf: string | undefined,
): Promise<StatementResult> {
  const then = asOf === undefined ? '' : `?as_of=${encodeURIComponent(asOf)}`;
  if (isBlockStatement(statement))
    return created((await client.post('/api/lang/create', JSON.stringify({ lang: text }))).body);
  switch (statement.kind) {
    case 'QueryStatement': {
      const path = statement.asOf === undefined ? `/api/query${then}` : '/api/query';
      const { body, headers } = await client.post(path, JSON.stringify({ sql: text.replace(/;\s*$/, '') }));
      const shown = headers.get('schemac-as-of');
      return { kind: 'select', table: remoteTable(body), ...(shown === null ? {} : { asOf: Number(shown) }) };
    }
    case 'Execute':
      if (asOf !== undefined) throw new Refusal(0, `EXECUTE is decided now, and answers are as of ${asOf}`);
      return { kind: 'execute', outcome: await executeRemotely(client, statement) };
    case 'Describe': {
      const what = statement.what ?? kindNamed(known, statement.name.text);
      const path = `/api/reg/${what}s/${encodeURIComponent(statement.name.text)}`;
      return { kind: 'describe', table: remoteTable(await client.get(path)) };
    }
    case 'DescribeAll':
      return { kind: 'describe', table: remoteTable(await client.get(`/api/reg/${statement.what}s`)) };
    case 'Export':
      return {
        kind: 'export',
        text: await client.text(
          `/api/lang/export${statement.asOf === undefined ? then : `?as_of=${literalOf(statement.asOf)}`}`,
        ),
      };
    default:
      throw new Refusal(0, 'this statement cannot be run over HTTP; open the data directory with --data');
  }
}

/** A moment that can be a parameter of a request. */
function literalOf({ position, time }: AsOf): string {
  if (position !== undefined) return String(position);
  if (time?.kind === 'StringLiteral' || time?.kind === 'TypedLiteral') return encodeURIComponent(time.value);
  throw new Refusal(0, 'over HTTP, EXPORT takes the moment as a position or as a literal time');
}

/** The kind of the one block of a name that the server lets the caller see. */
function kindNamed({ blocks }: Known, name: string): string {
  const [only, ...others] = blocks.filter((block) => block.name.toLowerCase() === name.toLowerCase());
  if (only !== undefined && others.length === 0) return only.kind;
  throw new Refusal(0, `say which kind of block '${name}' is, as in DESCRIBE EVENT ${name}`);
}

function created(body: JsonValue): StatementResult {
  const list = isObject(body) ? body.get('created') : undefined;
  const [first] = isList(list) ? list : [];
  if (!isObject(first)) throw new Refusal(0, 'the server did not say what was created');
  const word = (key: string): string => textOf(first.get(key));
  return { kind: 'create', block: word('kind'), name: word('name'), change: word('change') as 'created' };
}

/** Names for completion; none if the server does not let the caller read them. */
async function readKnown(client: HttpClient): Promise<Known> {
  const rows = async (group: string): Promise<readonly string[]> => {
    const found = await client.get(`/api/reg/${group}`).catch((error: unknown) => {
      if (error instanceof Refusal) return [];
      throw error;
    });
    return (isList(found) ? found : []).map((row) => (isObject(row) ? textOf(row.get('name')) : ''));
  };
  const [aggregates, commands, projections] = await Promise.all([
    rows('aggregates'),
    rows('commands'),
    rows('projections'),
  ]);
  const blocks = Object.entries({ aggregate: aggregates, command: commands, projection: projections });
  return {
    blocks: blocks.flatMap(([kind, names]) => names.map((name) => ({ kind, name }))),
    // The server does not say which fields are sensitive, so every EXECUTE is left out of the history.
    commands: commands.map((name) => ({ name, fields: [{ name: '', sensitive: true }] })),
    relations: [
      ...aggregates.flatMap((name) => [`"${name}$Events"`, `"${name}$Agg"`]),
      ...projections.map((name) => `"${name}"`),
    ],
    payload: [],
    columns: [],
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
