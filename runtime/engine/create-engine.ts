import type { Domain } from '../../language/contract/domain.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { AnnouncedChange } from '../store/side/announcements.ts';
import { namingCell } from '../store/query-failure.ts';
import { Overtaken, type Store, type StoreFollower, type Turn } from '../store/store.ts';
import { createEventIds, randomUuid, type EventIds } from '../../language/values/uuid.ts';
import { createSeeding, type DecideEnvironment, type DecidingState, type Seeding } from './decide.ts';
import { decideInputs, dryTurn, type AskedCommand, type DecidedCommand, type Ground } from './dry-turn.ts';
import { RegistryMoved, type CompileEntry, type Engine } from './engine.ts';
import { createExecutor } from './executor.ts';
import { createHandlers, type Handlers } from './handlers.ts';
import { createHotFolds } from './hot-folds.ts';
import type { JsonObject } from '../../language/values/json.ts';
import type { Caller, ExecuteRequest, Outcome } from './outcome.ts';
import { defaultEngineLimits, type EngineLimits } from './limits.ts';
import { lastEventId } from './last-event-id.ts';
import { watchLog, type Watch } from './meanwhile.ts';
import { raw, type Raw } from './raw.ts';
import type { Reactor, ReactorParts } from './reactions.ts';
import { createRecordingBound } from './recording-bound.ts';
import { randomFraction } from '../../language/values/draws.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly domain: Domain;
  /** µs since 1970. */
  readonly clock: () => bigint;
  /** Fills with random bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly readOnly?: boolean;
  /** Name of the event store whose rules commands follow; without it the domain's only or default one. */
  readonly eventStore?: string | undefined;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>;
  /** Milliseconds on a clock that never decreases. */
  readonly monotonic?: () => number;
}

/** Commands wait while a change is put in force, queries wait for each step of building it. */
const adoptionLimits = { stepMilliseconds: 10_000, swapMilliseconds: 200 } as const;
const adoptionAttempts = 3;

/** Milliseconds after which a slice of an inspection leaves the turn to commands. */
const sliceMilliseconds = 1;

/** Adopts the domain in the store and starts taking commands and queries. `createReactor` makes what answers its events. */
export async function createEngine(
  options: EngineOptions,
  createReactor: (parts: ReactorParts) => Reactor,
): Promise<Engine> {
  const { store } = options;
  const limits: EngineLimits = { ...defaultEngineLimits, ...options.limits };
  const handlersOf = (domain: Domain): Handlers =>
    createHandlers(domain, { eventStore: options.eventStore, streamIdCharacters: limits.streamIdCharacters });
  let handlers = handlersOf(options.domain);
  let version = store.log.schema().length;
  await store.tables.adopt(options.domain.readModel);
  const environment = createEnvironment(options, limits, await lastEventId(store));
  const folds = createHotFolds(options.domain, store.secret);
  const monotonic = options.monotonic ?? (() => performance.now());
  const deciding = (): DecidingState => ({ handlers, folds });
  const executor = createExecutor(store, deciding, environment, limits, monotonic);
  const reactor = createReactor({ store, executor, deciding, environment, clock: options.clock, monotonic });
  reactor.adopt(handlers);
  let changing: Promise<unknown> | undefined;
  const showViews = (): void => {
    if (options.readOnly !== true && version > 0) store.views?.show(handlers.domain, version);
  };

  /** The read model comes first, since it can refuse; a logged change is in force. */
  async function swap(
    next: Handlers,
    swapTables: () => Promise<void>,
    change: AnnouncedChange | undefined,
    watch: Watch | undefined,
  ): Promise<void> {
    if (watch !== undefined) {
      watching = watch;
      await store.turns.exclusively(() => undefined, 'reads'); // all turns before it are durable then
      await watch.catchUp();
    }
    await swapTables();
    try {
      if (change !== undefined)
        await store.turns.exclusively((turn) => {
          if (turn.schemaEntries() !== change.base) throw new RegistryMoved();
          watch?.takeOthers();
          turn.append(change.entry, environment.instant(store.turns.position().at));
        });
    } catch (error) {
      await store.tables.adopt(handlers.domain.readModel);
      throw error;
    }
    putInForce(next);
  }

  async function adopt(domain: Domain, change: AnnouncedChange | undefined, watch: Watch | undefined): Promise<void> {
    const next = handlersOf(domain);
    const swapTables = await store.tables.prepare(domain.readModel, adoptionLimits).catch(async (error: unknown) => {
      await watch?.catchUp(); // names the event that came in meanwhile and is wrong, if there is one
      throw error;
    });
    await watch?.catchUp();
    if (change !== undefined) await store.announcements?.announce(change);
    for (let attempt = 1; ; attempt++) {
      try {
        await executor.between(() => {
          const done = swap(next, swapTables, change, watch);
          changing = done.catch(() => undefined); // reported to the caller of the change
          return done;
        });
        return;
      } catch (error) {
        // Other work of the machine may have made it slow.
        if (!(error instanceof Failure) || error.code !== 'R0504' || attempt === adoptionAttempts) throw error;
      }
    }
  }

  function putInForce(next: Handlers): void {
    handlers = next;
    folds.swap(next.domain);
    version = store.log.schema().length;
    reactor.adopt(next);
    showViews();
  }

  /** A change of another process: no turn runs, and nothing after it is in the tables yet. */
  async function takeOver(domain: Domain): Promise<void> {
    const next = handlersOf(domain);
    const ready = prepared?.domain === domain ? prepared.swapTables : undefined;
    prepared = undefined;
    const done = ready === undefined ? store.tables.adopt(domain.readModel) : ready();
    changing = done.catch(() => undefined); // reported to the store
    await done;
    putInForce(next);
  }
  function requireSendable({ command, commandId }: ExecuteRequest): void {
    if (options.readOnly === true) throw fail('R0109', { what: 'executing a command' });
    handlers.of(command);
    if (commandId?.startsWith('$') === true) throw fail('R0602', { given: commandId.slice(0, 40) });
    if (handlers.rules.commandIdRequired && commandId === undefined) throw fail('R0110', { command });
  }
  function executeFor(request: ExecuteRequest, caller: Caller<Raw<Outcome>>): void {
    try {
      requireSendable(request);
    } catch (error) {
      caller.reject(error);
      return;
    }
    // The caller of a raw outcome takes the outcome itself.
    executor.submit(request, caller as unknown as Caller<Outcome>);
  }
  let compileEntry: CompileEntry | undefined;
  /** Built for a change that another server has announced. */
  let prepared: { readonly domain: Domain; readonly swapTables: () => Promise<void> } | undefined;
  /** Changes of this server that are being put in force. */
  let adopting = 0;
  /** The change that is swapped in now. */
  let watching: Watch | undefined;
  const follower: StoreFollower = {
    appended: (entries) => {
      for (const entry of entries) {
        if (entry.kind !== 'command' || entry.events.length === 0) continue;
        folds.evolve(entry.events, BigInt(entry.at));
        environment.eventId.after(entry.events.at(-1)?.id ?? '');
      }
      watching?.appended(entries);
    },
    durable: (entries) => reactor.durable(entries),
    takenBack: (entries) => {
      for (const entry of entries) if (entry.kind === 'command') folds.forget(entry.events, BigInt(entry.at));
    },
    adopt: async (entry) => {
      if (compileEntry === undefined) throw new Error('nothing compiles the changes of other servers yet');
      await compileEntry(entry, takeOver);
    },
  };
  /** The end of the log, for commands that are decided at `now` without effect. */
  function dry(turn: Turn, now: bigint): Ground {
    const { at } = store.turns.position();
    const instant = now > at ? now : at;
    const seeding = (): Seeding => createSeeding(environment.randomBytes);
    return dryTurn({ turn, folds }, handlers, { ...environment, instant: () => instant, seeding });
  }
  store.turns.attach(follower);
  showViews();

  return {
    store,
    readOnly: options.readOnly === true,
    rules: { limits, eventStore: options.eventStore },
    domain: () => handlers.domain,
    steady: async () => {
      await changing;
      return handlers.domain;
    },
    registryVersion: () => version,
    execute: (request) => new Promise((resolve, reject) => executeFor(request, { resolve, reject })),
    executeFor,
    inspect: async (asked, inputs, now, take) => {
      await store.turns.fresh();
      return executor.exclusive((turn) => take(inspected(dry(turn, now), asked, inputs)));
    },
    async *inspectInSlices(asked, inputs, now, domain) {
      await store.turns.fresh();
      for (let begun = 0; begun < inputs.length;) {
        const slice = (turn: Turn): Promise<readonly DecidedCommand[]> => {
          if (handlers.domain !== domain) throw new Overtaken();
          const end = monotonic() + sliceMilliseconds;
          return decideInputs(dry(turn, now), asked, inputs.slice(begun), begun, () => monotonic() > end);
        };
        // A turn among commands can append, which takes the log of several servers, and a log that is only read has no such turn.
        const isAlone = store.shared || options.readOnly === true || store.turns.refusesWrites() !== undefined;
        const page = await (isAlone ? executor.exclusive(slice) : executor.runOwn(slice));
        begun += page.length;
        yield page;
      }
    },
    inspectState: async (take) => {
      await store.turns.fresh();
      return executor.exclusive((turn) => take({ turn, folds }));
    },
    query: async (query, parameters, options) => {
      const { columns } = query;
      const rows = await store.tables.query(query, parameters, options).catch((error: unknown) => {
        throw namingCell(error, columns, 'row');
      });
      return raw({ columns, rows });
    },
    columns: async (query, parameters, options) =>
      raw(
        await store.tables.columns(query, parameters, options).catch((error: unknown) => {
          throw namingCell(error, query.columns, 'row');
        }),
      ),
    compileWith: (compile, prepare) => {
      compileEntry = compile;
      if (prepare === undefined || options.readOnly === true) return;
      store.announcements?.join(async (change) => {
        // Only one change is built at a time, and that of this server has begun.
        if (adopting === 0 && change.base === version) await prepare(change);
      });
    },
    prepare: async (domain) => {
      prepared = { domain, swapTables: await store.tables.prepare(domain.readModel) };
    },
    adopt: async (domain, entry, base = version, meanwhile) => {
      const watch = meanwhile && watchLog(store, meanwhile);
      adopting += 1;
      try {
        await adopt(domain, entry === undefined ? undefined : { entry, base }, watch);
      } finally {
        adopting -= 1;
        if (watching === watch) watching = undefined;
      }
    },
    reactions: reactor,
    close: async () => {
      await reactor.close();
      await executor.idle();
      await store.close();
    },
  };
}

/** The outcomes of pages of inputs, as pages: a run of any length takes the memory of one page. */
async function* inspected(
  ground: Ground,
  asked: AskedCommand,
  inputs: AsyncIterable<readonly JsonObject[]>,
): AsyncGenerator<readonly DecidedCommand[], void, undefined> {
  let begun = 0;
  for await (const page of inputs) {
    yield await decideInputs(ground, asked, page, begun);
    begun += page.length;
  }
}

/** `lastId`: id of the store's last event. Every new id is greater, however the clock has moved meanwhile. */
function createEnvironment(
  { store, clock, randomBytes }: EngineOptions,
  limits: EngineLimits,
  lastId: string | undefined,
): DecideEnvironment & { readonly eventId: EventIds } {
  return {
    secret: store.secret,
    limits,
    instant: (last) => {
      const now = clock();
      return now > last ? now : last;
    },
    random: () => randomFraction(randomBytes(8)),
    uuid: () => randomUuid(randomBytes),
    randomBytes,
    seeding: (recorded) => (recorded === 'keyed' ? undefined : createSeeding(randomBytes)),
    recordingBound: createRecordingBound(),
    eventId: createEventIds(randomBytes, lastId),
  };
}
