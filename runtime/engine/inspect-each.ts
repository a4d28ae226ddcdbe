/**
 * Decides recorded commands again, each against the state just before its own entry (docs/language.md#recorded-commands).
 * Takes the log in order; states evolve with the recorded events, so an outcome never influences the next one.
 */
import type { Domain } from '../../language/contract/domain.ts';
import type { CommandField } from '../../language/contract/command.ts';
import type { FailureKind } from '../../language/failure/define.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { createDraws, seedOf } from '../../language/values/draws.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import { ExactNumber, type JsonValue } from '../../language/values/json.ts';
import type { CommandCells } from '../store/cells.ts';
import type { CommandEntry, LogEntry } from '../store/entry.ts';
import type { Moment } from '../store/past/moment.ts';
import type { Store } from '../store/store.ts';
import { requireChecks } from './command-checks.ts';
import type { Explain } from './explain.ts';
import { createHandlers, type Handler, type Handlers } from './handlers.ts';
import { createHotFolds } from './hot-folds.ts';
import type { InspectedEvent, InspectedPage } from './inspect.ts';
import type { Rejection } from './outcome.ts';
import { rejectionOf, rejectionText } from './rejection.ts';
import { evaluate, type StateReader } from './state.ts';
import { createStreamHeads, type StreamHeads } from './stream-heads.ts';

/** The outcome of one recorded command under the domain. */
export interface InspectedCommand extends InspectedPage {
  /** Its instant. */
  readonly at: bigint;
  /** The global position that its first event would have had. */
  readonly position: number;
}

export interface EachOptions {
  readonly command: string;
  /** Adds terms to rejections. */
  readonly explain?: Explain;
  /** The numbers of the entries that are decided; all if absent. */
  readonly chosen?: ReadonlySet<number>;
  /** Only commands after this entry. */
  readonly after?: number;
  /** Called after each entry; the next one waits for the result. */
  readonly pause?: Pause;
}

/** Lets other work have its turn, if it is time. */
export type Pause = () => Promise<void> | undefined;

export async function* inspectEach(
  store: Store,
  domain: Domain,
  { command, explain, chosen, after = 0, pause }: EachOptions,
): AsyncGenerator<InspectedCommand, void, undefined> {
  let row = 0;
  if (chosen?.size === 0) return;
  const isAsked = (entry: CommandEntry & LogEntry): boolean =>
    entry.command === command && entry.number > after && chosen?.has(entry.number) !== false;
  const each = (again: DecidedAgain): DecidedAgain => again;
  for await (const { entry, page, position, rejected } of decideRecorded(store, domain, {
    isAsked,
    each,
    ...(pause && { pause }),
  })) {
    const branches = page.branches.map((branch) => ({ ...branch, row }));
    const events =
      rejected === undefined || explain === undefined
        ? page.events
        : page.events.map((event) => ({ ...event, rejection: rejectionText(explain(rejected)) }));
    yield { ...page, events, branches, at: BigInt(entry.at), position };
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
  /** Its guards without terms, if it was rejected. */
  readonly rejected?: Rejection;
}

export interface DecideRecordedOptions<T> {
  readonly isAsked: (entry: CommandEntry & LogEntry) => boolean;
  /** What is given for each command; a generator around this one would cost as much as reading an entry. */
  readonly each: (again: DecidedAgain) => T;
  readonly pause?: Pause;
}

/** Decides the recorded commands that are asked for, in the order of the log. */
export async function* decideRecorded<T>(
  store: Store,
  domain: Domain,
  { isAsked, each, pause }: DecideRecordedOptions<T>,
): AsyncGenerator<T, void, undefined> {
  const handlers = createHandlers(domain);
  const folds = createHotFolds(domain, store.secret);
  const heads = createStreamHeads();
  /** The end of the history that the present command is decided on. */
  let [number, position, at] = [0, 0, 0n];
  const turn = turnAt(store, domain, () => ({ position, entry: number - 1, at }), heads);
  const reader: StateReader = { turn, folds };
  for await (const entry of store.read(1)) {
    if (entry.kind !== 'command') continue;
    const paused = pause?.();
    if (paused !== undefined) await paused;
    number = entry.number;
    at = BigInt(entry.at);
    const isRecorded = entry.cells?.arguments !== undefined || entry.commandId !== undefined;
    if (isRecorded && isAsked(entry)) {
      const again = await decideAgain(reader, handlers, entry, at);
      yield each({ ...again, entry, position: position + 1 });
    }
    folds.evolve(entry.events, at);
    for (const event of entry.events) {
      heads.set(event.streamType, event.streamId, event.seq);
      position = event.position;
    }
  }
}

/**
 * Reads the store as it was after an entry, which has events up to `position`; `heads` are the streams of then. What a state needs beyond its folds
 * comes from a read model of then. The moment is asked for when it is needed.
 */
export function turnAt(
  store: Store,
  domain: Domain,
  after: () => Pick<Moment, 'position' | 'entry' | 'at'>,
  heads: StreamHeads,
): StateReader['turn'] {
  return {
    head: heads.get,
    query: async (query, parameters, options) => {
      const past = await store.past({ ...after(), cut: false, final: true }, domain.readModel);
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
  at: bigint,
): Promise<Pick<DecidedAgain, 'page' | 'undecidable' | 'rejected'>> {
  const alone = (event: Partial<InspectedEvent>): InspectedPage => ({
    rows: 1,
    events: [{ streamType: entry.streamType, streamId: entry.streamId, seq: 0, ...event }],
    branches: [],
    rejected: 1,
  });
  try {
    const handler = handlers.of(entry.command);
    const { shown, decoded } = argumentsOf(handler, entry.cells);
    const seed = entry.cells?.seed ?? seedOf(`entry ${entry.number}`);
    const context = { now: at, ...createDraws(() => seed), seed: () => seed };
    requireChecks(handler.command, decoded, context);
    const outcome = await evaluate(reader, handler, decoded, context);
    const heads = createStreamHeads();
    const events: InspectedEvent[] = [];
    const branches: { -readonly [K in keyof InspectedPage]: InspectedPage[K] }['branches'][number][] = [];
    for (const [branch, emissions] of outcome.decided.entries()) {
      const eventType = emissions?.[0]?.event ?? null;
      branches.push({ row: 0, branch: branch + 1, emitted: emissions !== null, eventType, streamId: entry.streamId });
      for (const emission of emissions ?? []) {
        const streamId = emission.stream ?? entry.streamId;
        const before = heads.get(emission.aggregate, streamId) || reader.turn.head(emission.aggregate, streamId);
        const seq = (typeof before === 'number' ? before : await before) + 1;
        heads.set(emission.aggregate, streamId, seq);
        events.push({ streamType: emission.aggregate, streamId, seq, emission });
      }
    }
    if (events.length > 0) return { page: { rows: 1, events, branches, rejected: 0 }, undecidable: false };
    const rejected = rejectionOf(handler, shown, outcome.row, context.now);
    return { page: { ...alone({ rejection: rejectionText(rejected) }), branches }, undecidable: false, rejected };
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
  // The payload forms of fields: their numbers are those of JavaScript.
  const recorded = Object.entries(JSON.parse(cells.arguments) as Readonly<Record<string, unknown>>);
  const withheld = command.fields.filter(({ name }) => cells.withheld?.includes(name) === true);
  const sent = new Map<string, JsonValue>();
  for (const [name, value] of recorded) {
    if (cells.defaulted?.includes(name) === true) continue;
    const isJson = command.fields.find((field) => field.name === name)?.type.kind === 'JSON';
    sent.set(name, isJson && typeof value === 'string' ? trustedJson(value) : sentValue(value));
  }
  for (const field of withheld) sent.set(field.name, standIn(field));
  const shown = command.decode(sent);
  if (withheld.length === 0) return { shown, decoded: shown };
  const decoded = { ...shown };
  for (const { name } of withheld)
    Object.defineProperty(decoded, name, {
      get: () => {
        throw notRecorded(`the value of argument '${name}' is`);
      },
    });
  return { shown, decoded };
}

function sentValue(value: unknown): JsonValue {
  if (typeof value === 'number') return new ExactNumber(String(value));
  return typeof value === 'object' && value !== null ? trustedJson(JSON.stringify(value)) : (value as JsonValue);
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
