import type { Execute, Expression } from '../../compiler/syntax/ast.ts';
import type { EmittedEvent, ExplainedTerm, Outcome, Rejection } from '../../runtime/engine/outcome.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { isList, isObject, readExactJson } from '../expectations/exact-json.ts';
import { Refusal, type HttpClient } from './http-client.ts';
import { remoteNamed } from './remote-values.ts';

const headerOf: Readonly<Record<string, string>> = {
  command_id: 'Idempotency-Key',
  expected_seq: 'If-Match',
  correlation_id: 'X-Correlation-Id',
  causation_id: 'X-Causation-Id',
};

/** EXECUTE as a POST to the aggregate of the command's decision. */
export async function executeRemotely(client: HttpClient, statement: Execute): Promise<Outcome> {
  const command = statement.command.text;
  const aggregate = await aggregateOf(client, command);
  const fields = statement.arguments.map(({ field, value }) => `${JSON.stringify(field.text)}:${jsonOf(value)}`);
  const headers = Object.fromEntries(
    statement.options.map(({ name, value }) => {
      const header = headerOf[name.text.toLowerCase()];
      if (header === undefined) throw new Refusal(0, `EXECUTE has no option '${name.text}'`);
      const text = jsonOf(value);
      return [header, header === 'If-Match' ? `"${text}"` : String(JSON.parse(text))];
    }),
  );
  const path = `/api/aggregates/${encodeURIComponent(aggregate)}/execute/${encodeURIComponent(command)}?explain=true`;
  const answer = await client.post(path, `{"params":{${fields.join(',')}}}`, headers);
  const outcome = outcomeOf(
    aggregate,
    isList(answer.body) ? answer.body.filter(isObject) : [],
    answer.headers.get('Idempotent-Replayed') === 'true',
  );
  return { ...outcome, entry: Number(answer.headers.get('Schemac-Entry') ?? 0) };
}

async function aggregateOf(client: HttpClient, command: string): Promise<string> {
  const decisions = await client.get('/api/reg/decisions');
  const found = (isList(decisions) ? decisions : []).find((row) => isObject(row) && row.get('command') === command);
  const aggregate = isObject(found) ? found.get('aggregate') : undefined;
  if (typeof aggregate !== 'string') throw new Refusal(404, `there is no command '${command}' with a decision`);
  return aggregate;
}

/** A literal as JSON; any value that must be computed needs the server's own tool. */
function jsonOf(value: Expression): string {
  switch (value.kind) {
    case 'StringLiteral':
    case 'TypedLiteral':
      return JSON.stringify(value.value);
    case 'NumberLiteral':
      return value.text.startsWith('.') ? `0${value.text}` : value.text;
    case 'BooleanLiteral':
      return String(value.value);
    case 'NullLiteral':
      return 'null';
    case 'Unary':
      if (value.operator === '-' && value.operand.kind === 'NumberLiteral') return `-${jsonOf(value.operand)}`;
      break;
    default:
      break;
  }
  throw new Refusal(0, 'over HTTP, the values of EXECUTE must be literals');
}

function outcomeOf(streamType: string, rows: readonly JsonObject[], replayed: boolean): Omit<Outcome, 'entry'> {
  const [first] = rows;
  const streamId = text(first?.get('stream_id'));
  const rejection =
    first?.get('status') === 'rejected' ? rejectionOf(readExactJson(text(first.get('fields')))) : undefined;
  const events = rejection === undefined ? rows.map((row) => eventOf(row, streamType)) : [];
  const head = events.at(-1)?.seq ?? 0;
  const outcome = {
    outcome: rejection === undefined ? 'emitted' : 'rejected',
    replayed,
    streamType,
    streamId,
    head,
    events,
  } as const;
  return rejection === undefined ? outcome : { ...outcome, rejection };
}

function eventOf(row: JsonObject, streamType: string): EmittedEvent {
  const fields = readExactJson(text(row.get('fields')));
  return {
    type: text(row.get('event_type')),
    streamType,
    streamId: text(row.get('stream_id')),
    seq: Number(text(row.get('seq'))),
    fields: isObject(fields) ? remoteNamed(fields) : [],
  };
}

function rejectionOf(json: JsonValue): Rejection {
  const found = isObject(json) ? json : new Map<string, JsonValue>();
  const guards = found.get('guards');
  const named = (key: string): Rejection['command'] => {
    const value = found.get(key);
    return isObject(value) ? remoteNamed(value) : [];
  };
  return {
    decision: text(found.get('decision')),
    guards: (isList(guards) ? guards : []).filter(isObject).map((guard) => ({
      branch: textOrNull(guard.get('branch')),
      guard: textOrNull(guard.get('guard')),
      ...termsOf(guard),
    })),
    state: named('state'),
    command: named('command'),
  };
}

/** The terms that the server shows; a repeated answer has none. */
function termsOf(holder: JsonObject): { readonly terms?: readonly ExplainedTerm[] } {
  const terms = holder.get('terms');
  if (!isList(terms)) return {};
  return {
    terms: terms.filter(isObject).map((term): ExplainedTerm => {
      const [value, failed, operands] = [term.get('value'), term.get('failed'), term.get('operands')];
      return {
        term: text(term.get('term')),
        ...((typeof value === 'boolean' || value === null) && { value }),
        ...(typeof failed === 'string' && { failed }),
        ...(term.get('masked') === true && { masked: true }),
        ...(isObject(operands) && { operands: remoteNamed(operands) }),
        ...termsOf(term),
      };
    }),
  };
}

function text(value: JsonValue | undefined): string {
  return value instanceof ExactNumber ? value.text : typeof value === 'string' ? value : '';
}
function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
