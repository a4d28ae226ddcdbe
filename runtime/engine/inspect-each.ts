/**
 * Decides recorded commands again, each against the state just before its own entry (docs/language.md#recorded-commands).
 * Takes the log in order; states evolve with the recorded events, so an outcome never influences the next one.
 */
import type { Domain } from '../../language/contract/domain.ts';
import type { CommandField } from '../../language/contract/command.ts';
import type { FailureKind } from '../../language/failure/define.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject, JsonValue } from '../../language/values/json.ts';
import type { CommandCells } from '../store/cells.ts';
import type { CommandEntry, LogEntry } from '../store/entry.ts';
import type { Moment } from '../store/past/moment.ts';
import type { Store } from '../store/store.ts';
import { requireChecks } from './command-checks.ts';
import { createHandlers, type Handler, type Handlers } from './handlers.ts';
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
  let row = 0;
  if (chosen?.size === 0) return;
  const isAsked = (entry: CommandEntry & LogEntry): boolean =>
    entry.command === command && chosen?.has(entry.number) !== false;
  for await (const { entry, page, position } of decideRecorded(store, domain, { isAsked, randomBytes })) {
    const branches = page.branches.map((branch) => ({ ...branch, row }));
    yield { ...page, branches, at: BigInt(entry.at), position };
    row += 1;
    if (row === chosen?.size) return;
  }
}

/** A recorded command and its outcome under a domain. */
export interface DecidedAgain {
  readonly entry: CommandEntry & LogEntry;
  readonly page: InspectedPage;
  /** The global position that its first event would have had. */
  readonly position: number;
  /** Its arguments, or one that the decision reads, were not recorded. */
  readonly undecidable: boolean;
}

export interface DecideRecordedOptions {
  readonly isAsked: (entry: CommandEntry & LogEntry) => boolean;
  readonly randomBytes: (length: number) => Uint8Array;
}

/** Decides the recorded commands that are asked for, in the order of the log. */
export async function* decideRecorded(
  store: Store,
  domain: Domain,
  { isAsked, randomBytes }: DecideRecordedOptions,
): AsyncGenerator<DecidedAgain, void, undefined> {
  const handlers = createHandlers(domain);
  const folds = createHotFolds(domain);
  const heads = new Map<string, number>();
  let position = 0;
  for await (const entry of store.read(1)) {
    if (entry.kind !== 'command') continue;
    const isRecorded = entry.cells?.arguments !== undefined || entry.commandId !== undefined;
    if (isRecorded && isAsked(entry)) {
      const turn = turnBefore(store, domain, entry, position, heads);
      const again = await decideAgain({ turn, folds }, handlers, entry, randomBytes);
      yield { ...again, entry, position: position + 1 };
    }
    folds.evolve(entry.events, BigInt(entry.at));
    for (const { streamType, streamId, seq, position: at } of entry.events) {
      heads.set(headKey(streamType, streamId), seq);
      position = at;
    }
  }
}

export function headKey(streamType: string, streamId: string): string {
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
  return turnAt(store, domain, { position, entry: entry.number - 1, at: BigInt(entry.at) }, heads);
}

/** Reads the store as it was after an entry, which has events up to `position`; `heads` are the streams of then. */
export function turnAt(
  store: Store,
  domain: Domain,
  after: Pick<Moment, 'position' | 'entry' | 'at'>,
  heads: ReadonlyMap<string, number>,
): StateReader['turn'] {
  const moment = { ...after, cut: false, final: true };
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

/** Kinds of failures by which a definition refuses a command: it is not there, or it cannot take the arguments or decide on this data. */
const expectedKinds: ReadonlySet<FailureKind> = new Set<FailureKind>(['schema', 'input', 'missing']);

async function decideAgain(
  reader: StateReader,
  handlers: Handlers,
  entry: CommandEntry & LogEntry,
  randomBytes: (length: number) => Uint8Array,
): Promise<Pick<DecidedAgain, 'page' | 'undecidable'>> {
  const alone = (event: Partial<InspectedEvent>): InspectedPage => ({
    rows: 1,
    events: [{ streamType: entry.streamType, streamId: entry.streamId, seq: 0, ...event }],
    branches: [],
    rejected: 1,
  });
  try {
    const handler = handlers.of(entry.command);
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
      branches.push({ row: 0, branch: branch + 1, emitted: emissions !== null, eventType, streamId: entry.streamId });
      for (const emission of emissions ?? []) {
        const streamId = emission.stream ?? entry.streamId;
        const key = headKey(emission.aggregate, streamId);
        const seq = (heads.get(key) ?? (await reader.turn.head(emission.aggregate, streamId))) + 1;
        heads.set(key, seq);
        events.push({ streamType: emission.aggregate, streamId, seq, emission });
      }
    }
    const rejected = (): InspectedPage => ({
      ...alone({ rejection: rejectionText(rejectionOf(handler, shown, outcome.row)) }),
      branches,
    });
    return { page: events.length > 0 ? { rows: 1, events, branches, rejected: 0 } : rejected(), undecidable: false };
  } catch (error) {
    if (!(error instanceof Failure) || !expectedKinds.has(error.kind)) throw error;
    const page = alone({ failed: true, rejection: `${error.code} ${error.message}` });
    return { page, undecidable: error instanceof NotRecorded };
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

class NotRecorded extends Failure {}

function notRecorded(what: string): Failure {
  const { code, message } = fail('R0506', { what, problem: 'not recorded' });
  return new NotRecorded(code, message);
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
