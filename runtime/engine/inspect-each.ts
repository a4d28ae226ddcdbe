/**
 * Decides recorded commands again, each against the state just before its own entry (docs/language.md#recorded-commands).
 * Takes the log in order; states evolve with the recorded events, so an outcome never influences the next one.
 */
import type { Domain } from '../../language/contract/domain.ts';
import type { CommandField } from '../../language/contract/command.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject, JsonValue } from '../../language/values/json.ts';
import type { CommandCells } from '../store/cells.ts';
import type { CommandEntry, LogEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import { requireChecks } from './command-checks.ts';
import { createHandlers, type Handler } from './handlers.ts';
import { createHotFolds } from './hot-folds.ts';
import type { InspectedEvent, InspectedPage } from './inspect.ts';
import { createDraws } from './recording.ts';
import { rejectionOf, rejectionText } from './rejection.ts';
import { evaluate, type StateReader } from './state.ts';

/** The outcome of one recorded command under the domain. */
export interface InspectedCommand extends InspectedPage {
  /** Its instant. */
  readonly at: bigint;
  /** The global position that its first event would have had. */
  readonly position: number;
}

export interface EachOptions {
  readonly command: string;
  readonly randomBytes: (length: number) => Uint8Array;
  /** The numbers of the entries that are decided; all if absent. */
  readonly chosen?: ReadonlySet<number>;
}

export async function* inspectEach(
  store: Store,
  domain: Domain,
  { command, randomBytes, chosen }: EachOptions,
): AsyncGenerator<InspectedCommand, void, undefined> {
  const handler = createHandlers(domain).of(command);
  const folds = createHotFolds(domain);
  const heads = new Map<string, number>();
  let position = 0;
  let row = 0;
  if (chosen?.size === 0) return;
  for await (const entry of store.read(1)) {
    if (entry.kind !== 'command') continue;
    const isRecorded = entry.cells?.arguments !== undefined || entry.commandId !== undefined;
    if (entry.command === command && isRecorded && chosen?.has(entry.number) !== false) {
      const turn = turnBefore(store, domain, entry, position, heads);
      const page = await decideAgain({ turn, folds }, handler, entry, row, randomBytes);
      yield { ...page, at: BigInt(entry.at), position: position + 1 };
      row += 1;
      if (row === chosen?.size) return;
    }
    folds.evolve(entry.events, BigInt(entry.at));
    for (const { streamType, streamId, seq, position: at } of entry.events) {
      heads.set(headKey(streamType, streamId), seq);
      position = at;
    }
  }
}

function headKey(streamType: string, streamId: string): string {
  return `${streamType}\n${streamId}`;
}

/** Reads the store as it was before an entry. What a state needs beyond its folds comes from a read model of then. */
function turnBefore(
  store: Store,
  domain: Domain,
  entry: LogEntry,
  position: number,
  heads: ReadonlyMap<string, number>,
): StateReader['turn'] {
  const moment = { position, entry: entry.number - 1, cut: false, at: BigInt(entry.at), final: true };
  return {
    head: (streamType, streamId) => heads.get(headKey(streamType, streamId)) ?? 0,
    query: async (query, parameters, options) => {
      const past = await store.past(moment, domain.readModel);
      try {
        return await past.query(query, parameters, options);
      } finally {
        await past.close();
      }
    },
  };
}

async function decideAgain(
  reader: StateReader,
  handler: Handler,
  entry: CommandEntry & LogEntry,
  row: number,
  randomBytes: (length: number) => Uint8Array,
): Promise<InspectedPage> {
  const { aggregate } = handler.decision;
  const alone = (event: Partial<InspectedEvent>): InspectedPage => ({
    rows: 1,
    events: [{ streamType: aggregate, streamId: entry.streamId, seq: 0, ...event }],
    branches: [],
    rejected: 1,
  });
  try {
    const { shown, decoded } = argumentsOf(handler, entry.cells);
    const draws = createDraws(randomBytes, entry.cells?.seed);
    const context = { now: BigInt(entry.at), random: draws.random, uuid: draws.uuid };
    requireChecks(handler.command, decoded, context);
    const outcome = await evaluate(reader, handler, decoded, context);
    const heads = new Map<string, number>();
    const events: InspectedEvent[] = [];
    const branches: { -readonly [K in keyof InspectedPage]: InspectedPage[K] }['branches'][number][] = [];
    for (const [branch, emissions] of outcome.decided.entries()) {
      const eventType = emissions?.[0]?.event ?? null;
      branches.push({ row, branch: branch + 1, emitted: emissions !== null, eventType, streamId: entry.streamId });
      for (const emission of emissions ?? []) {
        const streamId = emission.stream ?? entry.streamId;
        const key = headKey(emission.aggregate, streamId);
        const seq = (heads.get(key) ?? (await reader.turn.head(emission.aggregate, streamId))) + 1;
        heads.set(key, seq);
        events.push({ streamType: emission.aggregate, streamId, seq, emission });
      }
    }
    if (events.length > 0) return { rows: 1, events, branches, rejected: 0 };
    return { ...alone({ rejection: rejectionText(rejectionOf(handler, shown, outcome.row)) }), branches };
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'schema' && error.kind !== 'input')) throw error;
    return alone({ failed: true, rejection: `${error.code} ${error.message}` });
  }
}

/**
 * The recorded arguments as the command of today reads them. `decoded` fails where it is asked for a value that was not
 * kept; `shown` has another value there, which is masked.
 */
function argumentsOf(
  { command }: Handler,
  cells: CommandCells | undefined,
): { readonly shown: object; readonly decoded: object } {
  if (cells?.arguments === undefined) throw notRecorded('the arguments are');
  const recorded = trustedJson(cells.arguments) as JsonObject;
  const withheld = command.fields.filter(({ name }) => cells.withheld?.includes(name) === true);
  const sent = new Map<string, JsonValue>();
  for (const [name, value] of recorded) {
    if (cells.defaulted?.includes(name) === true) continue;
    const isJson = command.fields.find((field) => field.name === name)?.type.kind === 'JSON';
    sent.set(name, isJson && typeof value === 'string' ? trustedJson(value) : value);
  }
  for (const field of withheld) sent.set(field.name, standIn(field));
  const shown = command.decode(sent);
  const decoded = { ...shown };
  for (const { name } of withheld)
    Object.defineProperty(decoded, name, {
      get: () => {
        throw notRecorded(`the value of argument '${name}' is`);
      },
    });
  return { shown, decoded };
}

function notRecorded(what: string): Failure {
  return fail('R0506', { what, problem: 'not recorded' });
}

/** Any value of the type, never used: reading the argument fails. */
function standIn({ type }: CommandField): JsonValue {
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'DOUBLE':
      return '0';
    case 'BOOLEAN':
      return false;
    case 'DATE':
    case 'TIMESTAMP':
      return '2000-01-01';
    case 'UUID':
      return '00000000-0000-0000-0000-000000000000';
    default:
      return '';
  }
}
