/**
 * A rehearsal by a running server (docs/http.md#inspections): takes the changes of the files, gives the findings of the server, as a
 * rehearsal of a store does.
 */
import type { Catalog } from '../../compiler/index.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { writeJsonValue } from '../../language/values/json-write.ts';
import type { RehearsalKind, RehearsedCommand, ShownEvent, ShownOutcome } from '../../runtime/engine/rehearse.ts';
import type { ProjectionChanges, RehearsalCounts } from '../../server/operation/rehearse/rehearsal-json.ts';
import { environmentFault, inputFault, usageFault } from '../exit-fault.ts';
import { Refusal, remoteServer, type ComparedServer } from './server.ts';

/** The statements that make one registry of the other: DROP for removed blocks, CREATE for new or different ones. */
export async function changeText(old: Catalog, next: Catalog): Promise<string> {
  const { exportOrder, printName, writtenText } = await import('../../compiler/index.ts');
  const named = (catalog: Catalog): ReadonlyMap<string, string> =>
    new Map(
      exportOrder(catalog).flatMap((block) =>
        block.kind === 'eventstore' ? [] : [[`${block.kind} ${block.name}`, writtenText(block)] as const],
      ),
    );
  const [was, is] = [named(old), named(next)];
  const gone = exportOrder(old)
    .toReversed()
    .filter(({ kind, name }) => kind !== 'eventstore' && !is.has(`${kind} ${name}`))
    .map(({ kind, name }) => `DROP ${kind.toUpperCase()} ${printName({ text: name })};`);
  const made = [...is].filter(([key, text]) => was.get(key) !== text).map(([, text]) => text);
  return [...gone, ...made].join('\n');
}

export interface RehearsedOverHttp {
  readonly differences: readonly RehearsedCommand[];
  readonly decisions: ReadonlyMap<string, RehearsalCounts>;
  readonly commands: number;
  readonly undecidable: number;
  readonly projections: readonly ProjectionChanges[];
}

export async function rehearseOverHttp(
  { url, token }: ComparedServer,
  asked: { readonly schema: string; readonly decision?: string; readonly since?: string },
): Promise<RehearsedOverHttp> {
  const body = JSON.stringify({ rehearse: true, ...asked });
  const answer = await remoteServer(url, { token, timeout: 600_000 })
    .post('/api/inspect', body)
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const { status, message } = error;
      if (status === 404 && asked.decision === undefined)
        throw environmentFault(`${url} takes no rehearsals: it needs --enable-inspect (${message})`);
      if (status === 404) throw usageFault(`--decision ${asked.decision ?? ''}: ${message}`);
      throw status === 400 ? inputFault(`${url}: ${message}`) : environmentFault(`${url}: ${message}`);
    });
  const report = objectOf(answer.body);
  return {
    differences: listOf(report, 'differences').map(commandOf),
    decisions: new Map(listOf(report, 'decisions').map((one) => [textOf(one, 'decision'), countsOf(one)])),
    commands: numberOf(report, 'commands'),
    undecidable: numberOf(report, 'not_decidable'),
    projections: listOf(report, 'projections').map(projectionOf),
  };
}

function commandOf(one: JsonObject): RehearsedCommand {
  const [was, is] = [outcomeOf(objectOf(one.get('was'))), outcomeOf(objectOf(one.get('is')))];
  return {
    entry: numberOf(one, 'entry'),
    command: textOf(one, 'command'),
    decision: textOf(one, 'decision'),
    streamId: textOf(one, 'stream_id'),
    kind: textOf(one, 'kind') as RehearsalKind, // of a server of the same interface
    was: () => was,
    is: () => is,
  };
}

function outcomeOf(one: JsonObject): ShownOutcome {
  const reason = one.get('reason');
  return {
    outcome: textOf(one, 'outcome') as ShownOutcome['outcome'], // of a server of the same interface
    events: listOf(one, 'events').map((event): ShownEvent => ({
      event_type: textOf(event, 'event_type'),
      stream_type: textOf(event, 'stream_type'),
      stream_id: textOf(event, 'stream_id'),
      data: new Map(Array.from(objectOf(event.get('data')), ([name, value]) => [name, writeJsonValue(value)])),
    })),
    ...(typeof reason === 'string' && { reason }),
  };
}

function countsOf(one: JsonObject): RehearsalCounts {
  return {
    same: numberOf(one, 'same'),
    other_events: numberOf(one, 'other_events'),
    now_rejected: numberOf(one, 'now_rejected'),
    now_accepted: numberOf(one, 'now_accepted'),
    failed: numberOf(one, 'failed'),
  };
}

function projectionOf(one: JsonObject): ProjectionChanges {
  const name = textOf(one, 'name');
  const problem = one.get('problem');
  if (typeof problem === 'string') return { name, problem };
  const examples = objectOf(one.get('examples'));
  const rows = (of: string): readonly string[] => listOf(examples, of).map(writeJsonValue);
  return {
    name,
    added: numberOf(one, 'added'),
    gone: numberOf(one, 'gone'),
    changed: numberOf(one, 'changed'),
    examples: {
      added: rows('added'),
      gone: rows('gone'),
      changed: listOf(examples, 'changed').map((pair) => ({
        was: writeJsonValue(pair.get('was') ?? null),
        is: writeJsonValue(pair.get('is') ?? null),
      })),
    },
  };
}

function unreadable(): Error {
  return environmentFault('the answer is no rehearsal: the server may be of another version');
}
function objectOf(value: JsonValue | undefined): JsonObject {
  if (value instanceof Map) return value;
  throw unreadable();
}
function listOf(holder: JsonObject, name: string): readonly JsonObject[] {
  const value = holder.get(name);
  if (Array.isArray(value)) return value.map((item: JsonValue) => objectOf(item));
  throw unreadable();
}
function textOf(holder: JsonObject, name: string): string {
  const value = holder.get(name);
  if (typeof value === 'string') return value;
  throw unreadable();
}
function numberOf(holder: JsonObject, name: string): number {
  const value = holder.get(name);
  const number = value instanceof ExactNumber ? Number(value.text) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw unreadable();
}
