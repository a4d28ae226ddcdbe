import type { Domain } from '../../language/contract/domain.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { SchemaEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import { createEventIds, randomUuid } from '../../language/values/uuid.ts';
import type { DecideEnvironment } from './decide.ts';
import type { Engine } from './engine.ts';
import { createExecutor } from './executor.ts';
import { createHandlers, type Handlers } from './handlers.ts';
import { createHotFolds } from './hot-folds.ts';
import { inspectDecision } from './inspect.ts';
import { defaultEngineLimits, type EngineLimits } from './limits.ts';
import { lastEventId } from './last-event-id.ts';
import { maskColumns } from './mask-columns.ts';
import { maskTable } from './mask.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly domain: Domain;
  /** µs since 1970. */
  readonly clock: () => bigint;
  /** Fills with random bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly readOnly?: boolean;
  /** Name of the event store whose rules commands follow; without it the domain's only or default one. */
  readonly eventStore?: string;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>;
  /** Milliseconds on a clock that never decreases. */
  readonly monotonic?: () => number;
}

/** Commands wait while a change is put in force, queries wait for each step of building it. */
const adoptionLimits = { stepMilliseconds: 10_000, swapMilliseconds: 200 } as const;
const adoptionAttempts = 3;

/** Adopts the domain in the store and starts taking commands and queries. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { store } = options;
  const limits: EngineLimits = { ...defaultEngineLimits, ...options.limits };
  const handlersOf = (domain: Domain): Handlers =>
    createHandlers(domain, { eventStore: options.eventStore, streamIdCharacters: limits.streamIdCharacters });
  let handlers = handlersOf(options.domain);
  // One more than the changes in the log, so that it does not decrease after a restart.
  let version = 1 + store.schema().length;
  await store.adopt(options.domain.readModel);
  const environment = createEnvironment(options, limits, await lastEventId(store));
  const folds = createHotFolds(options.domain);
  const executor = createExecutor(
    store,
    () => ({ handlers, folds }),
    environment,
    limits,
    options.monotonic ?? (() => performance.now()),
  );
  let changing: Promise<unknown> | undefined;

  /** The read model comes first, since it can refuse; a logged change is in force. */
  async function swap(next: Handlers, swapTables: () => Promise<void>, entry?: SchemaEntry): Promise<void> {
    await swapTables();
    try {
      if (entry !== undefined)
        await store.exclusively((turn) => turn.append(entry, environment.instant(store.knownPosition().at)));
    } catch (error) {
      await store.adopt(handlers.domain.readModel);
      throw error;
    }
    handlers = next;
    folds.swap(next.domain);
    version += 1;
  }

  return {
    store,
    readOnly: options.readOnly === true,
    domain: () => handlers.domain,
    steady: async () => {
      await changing;
      return handlers.domain;
    },
    registryVersion: () => version,
    execute: async (request) => {
      if (options.readOnly === true) throw fail('R0109', { what: 'executing a command' });
      handlers.of(request.command);
      if (handlers.rules.commandIdRequired && request.commandId === undefined)
        throw fail('R0110', { command: request.command });
      return executor.submit(request);
    },
    inspect: (command, inputs, context, take) =>
      executor.exclusive((turn) => take(inspectDecision({ turn, folds }, handlers, command, inputs, context))),
    query: async (query, parameters, { cleared, ...options }) => {
      const rows = await store.query(query, parameters, options);
      const table = { columns: query.columns, rows };
      return cleared ? table : maskTable(table);
    },
    columns: async (query, parameters, { cleared, ...options }) => {
      const batch = await store.columns(query, parameters, options);
      return cleared ? batch : maskColumns(batch, query.columns);
    },
    adopt: async (domain, entry) => {
      const next = handlersOf(domain);
      const swapTables = await store.prepare(domain.readModel, adoptionLimits);
      for (let attempt = 1; ; attempt++) {
        try {
          await executor.between(() => {
            const done = swap(next, swapTables, entry);
            changing = done.catch(() => undefined); // reported to the caller of the change
            return done;
          });
          return;
        } catch (error) {
          // Other work of the machine may have made it slow.
          if (!(error instanceof Failure) || error.code !== 'R0504' || attempt === adoptionAttempts) throw error;
        }
      }
    },
    close: async () => {
      await executor.idle();
      await store.close();
    },
  };
}

/** `lastId`: of the store's last event. Every new id is greater, however the clock has moved meanwhile. */
function createEnvironment(
  { store, clock, randomBytes }: EngineOptions,
  limits: EngineLimits,
  lastId: string | undefined,
): DecideEnvironment {
  return {
    secret: store.secret,
    limits,
    instant: (last) => {
      const now = clock();
      return now > last ? now : last;
    },
    random: () => randomFraction(randomBytes(8)),
    uuid: () => randomUuid(randomBytes),
    eventId: createEventIds(randomBytes, lastId),
  };
}

/** A DOUBLE in [0, 1) from 53 random bits. */
function randomFraction(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return ((view.getUint32(0) >>> 5) * 2 ** 26 + (view.getUint32(4) >>> 6)) / 2 ** 53;
}
