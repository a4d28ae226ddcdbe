import type { Registry } from '../../compiler/index.ts';
import type { Execute, Expression } from '../../compiler/syntax/ast.ts';
import type { Column } from '../../language/contract/query.ts';
import type { EmittedEvent, ExplainedTerm, Outcome, Rejection } from '../../runtime/engine/outcome.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isList, isObject } from '../../language/values/json.ts';
import { aggregateOf, Refusal, type RemoteServer } from './server.ts';
import { remoteNamed, type TypeOf } from './values.ts';

const headerOf: Readonly<Record<string, string>> = {
  command_id: 'Idempotency-Key',
  expected_seq: 'If-Match',
  correlation_id: 'X-Correlation-Id',
  causation_id: 'X-Causation-Id',
};

/** EXECUTE as a POST to the aggregate of the command's decision. */
export async function executeRemotely(
  server: RemoteServer,
  statement: Execute,
  registry: Registry | undefined,
): Promise<Outcome> {
  const command = statement.command.text;
  const types = outcomeTypes(registry, command);
  const aggregate = types.aggregate ?? (await aggregateOf(server, command));
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
  const answer = await server.post(path, `{"params":{${fields.join(',')}}}`, headers);
  const outcome = outcomeOf(
    { ...types, aggregate },
    isList(answer.body) ? answer.body.filter(isObject) : [],
    answer.headers.get('Idempotent-Replayed') === 'true',
  );
  return { ...outcome, entry: Number(answer.headers.get('Schemac-Entry') ?? 0) };
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

/** The definitions by which an outcome is read; nothing is known to a caller who may not read the registry. */
interface OutcomeTypes {
  readonly aggregate: string | undefined;
  /** The aggregate to whose stream the decision appends an event. */
  readonly streamTypeOf: (event: string) => string | undefined;
  readonly fieldOf: (event: string) => TypeOf;
  readonly state: TypeOf;
  readonly command: TypeOf;
}

function outcomeTypes(registry: Registry | undefined, command: string): OutcomeTypes {
  const blocks = registry?.catalog.blocks;
  const decision = blocks?.decision.find((each) => each.command === command);
  const emits = decision?.branches.flatMap((branch) => branch.emits) ?? [];
  const among =
    (columns: readonly Pick<Column, 'name' | 'type' | 'sensitive'>[] = []): TypeOf =>
    (name) =>
      columns.find((column) => column.name === name);
  return {
    aggregate: decision?.aggregate,
    // A decision that appends an event to streams of several aggregates appends it to its own one first.
    streamTypeOf: (event) => {
      const aggregates = emits.filter((emit) => emit.event === event).map((emit) => emit.aggregate);
      return aggregates.find((aggregate) => aggregate === decision?.aggregate) ?? aggregates[0];
    },
    fieldOf: (event) => among(blocks?.event.find(({ name }) => name === event)?.fields),
    state: among(decision?.state?.columns),
    command: among(blocks?.command.find(({ name }) => name === command)?.fields),
  };
}

type KnownTypes = OutcomeTypes & { readonly aggregate: string };

function outcomeOf(types: KnownTypes, rows: readonly JsonObject[], replayed: boolean): Omit<Outcome, 'entry'> {
  const [first] = rows;
  const streamId = text(first?.get('stream_id'));
  const rejection =
    first?.get('status') === 'rejected' ? rejectionOf(readExactJson(text(first.get('fields'))), types) : undefined;
  const events = rejection === undefined ? rows.map((row) => eventOf(row, types)) : [];
  const head = events.at(-1)?.seq ?? 0;
  const outcome = {
    outcome: rejection === undefined ? 'emitted' : 'rejected',
    replayed,
    streamType: types.aggregate,
    streamId,
    head,
    events,
  } as const;
  return rejection === undefined ? outcome : { ...outcome, rejection };
}

function eventOf(row: JsonObject, types: KnownTypes): EmittedEvent {
  const type = text(row.get('event_type'));
  const fields = readExactJson(text(row.get('fields')));
  return {
    type,
    streamType: types.streamTypeOf(type) ?? types.aggregate,
    streamId: text(row.get('stream_id')),
    seq: Number(text(row.get('seq'))),
    fields: isObject(fields) ? remoteNamed(fields, types.fieldOf(type)) : [],
  };
}

function rejectionOf(json: JsonValue, types: KnownTypes): Rejection {
  const found = isObject(json) ? json : new Map<string, JsonValue>();
  const [guards, state, command] = [found.get('guards'), found.get('state'), found.get('command')];
  return {
    decision: text(found.get('decision')),
    guards: (isList(guards) ? guards : []).filter(isObject).map((guard) => ({
      branch: textOrNull(guard.get('branch')),
      guard: textOrNull(guard.get('guard')),
      ...termsOf(guard, types),
    })),
    ...(isObject(state) && { state: remoteNamed(state, types.state) }),
    command: isObject(command) ? remoteNamed(command, types.command) : [],
  };
}

/** The terms that the server shows; a repeated answer has none. */
function termsOf(holder: JsonObject, types: KnownTypes): { readonly terms?: readonly ExplainedTerm[] } {
  const terms = holder.get('terms');
  if (!isList(terms)) return {};
  const typeOf: TypeOf = (name) => (name.startsWith(':') ? types.command(name.slice(1)) : types.state(name));
  return {
    terms: terms.filter(isObject).map((term): ExplainedTerm => {
      const [value, failed, operands] = [term.get('value'), term.get('failed'), term.get('operands')];
      return {
        term: text(term.get('term')),
        ...((typeof value === 'boolean' || value === null) && { value }),
        ...(typeof failed === 'string' && { failed }),
        ...(term.get('masked') === true && { masked: true }),
        ...(isObject(operands) && { operands: remoteNamed(operands, typeOf) }),
        ...termsOf(term, types),
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
