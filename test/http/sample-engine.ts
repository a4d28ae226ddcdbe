import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createRegistryServices, type RegistryServices } from '../../server/start/registry-services.ts';
import { defaultLimits, type Limits } from '../../server/start/settings/limits.ts';
import { openSession } from '../../server/session/open-session.ts';
import type { Trouble } from '../../runtime/store/journal.ts';
import type { CommandEntry, LogEntry } from '../../runtime/store/entry.ts';
import { openServedStore } from '../kit/tested-engine.ts';

export interface SampleSwitches {
  refusesWrites: Trouble | undefined;
  /** Thrown by the next query or execution. */
  failNext: Error | undefined;
  /** Queries fail after this many. */
  failAfter: number;
}

export interface SampleEngine {
  readonly engine: Engine;
  readonly services: RegistryServices;
  readonly switches: SampleSwitches;
  /** Appends a number of events of ten (or more) streams, without deciding, each with a payload of a given size. */
  readonly append: (count: number, size: number, streams?: number) => Promise<void>;
  readonly entries: () => Promise<readonly LogEntry[]>;
  readonly close: () => Promise<void>;
}

/** An engine that a test made itself, without the means to fail or to append by which the sample's own differs. */
export function sampleOver(
  engine: Engine,
  services: RegistryServices,
  close: SampleEngine['close'] = () => Promise.resolve(),
): SampleEngine {
  const refused = (): Promise<never> => Promise.reject(new Error('this engine is of the test itself'));
  const switches = { refusesWrites: undefined, failNext: undefined, failAfter: Infinity };
  return { engine, services, switches, append: refused, entries: refused, close };
}

const schema = readFileSync(new URL('./bike.schema', import.meta.url), 'utf8');

/** A real engine, in memory unless the environment says otherwise, with `bike.schema`; failures are added around it, because a healthy one has none. */
export async function createSampleEngine(
  readOnly: boolean,
  readModel: 'inline' | 'worker' = 'inline',
  limits: Limits = defaultLimits,
): Promise<SampleEngine> {
  const store = await openServedStore(readModel);
  const session = await openSession({ store, version: '0.1.0', limits });
  for await (const outcome of session.run({ name: 'bike.schema', text: schema })) {
    if (outcome.kind === 'error') throw new Error(outcome.problems.map((problem) => problem.message).join('; '));
  }
  const switches: SampleSwitches = { refusesWrites: undefined, failNext: undefined, failAfter: Infinity };
  const { engine } = session;
  return {
    engine: withFaults(engine, switches, readOnly),
    services: createRegistryServices(engine, { version: '0.1.0', modules: undefined, limits, warn: () => undefined }),
    switches,
    append: (count, size, streams = 10) =>
      store.turns.exclusively(async (turn) => {
        const heads: number[] = [];
        for (let stream = 0; stream < streams; stream++) heads.push(await turn.head('Bike', `S-${stream}`));
        turn.append(rides(turn.nextPosition(), heads, count, size), store.turns.position().at);
      }),
    entries: async () => {
      const entries: LogEntry[] = [];
      for await (const entry of store.log.read(1)) entries.push(entry);
      return entries;
    },
    close: session.close,
  };
}

function rides(first: number, heads: readonly number[], count: number, size: number): CommandEntry {
  const data = JSON.stringify({ rider: 'r'.repeat(size) });
  const events = Array.from({ length: count }, (_, at) => ({
    position: first + at,
    id: randomUUID(),
    type: 'BikeRented',
    version: 1,
    streamType: 'Bike',
    streamId: `S-${at % heads.length}`,
    seq: (heads[at % heads.length] ?? 0) + Math.floor(at / heads.length) + 1,
    data,
  }));
  return { kind: 'command', command: 'RentBike', streamType: 'Bike', streamId: 'S-0', events };
}

function withFaults(engine: Engine, switches: SampleSwitches, readOnly: boolean): Engine {
  let queries = 0;
  const takeFailure = (): void => {
    const error = switches.failNext;
    switches.failNext = undefined;
    if (error !== undefined) throw error;
  };
  const beforeRead = async (): Promise<void> => {
    await Promise.resolve();
    takeFailure();
    if (++queries > switches.failAfter) throw new Error('the disk of /var/secret failed');
  };
  return {
    ...engine,
    readOnly,
    store: {
      ...engine.store,
      turns: {
        ...engine.store.turns,
        refusesWrites: () => switches.refusesWrites ?? engine.store.turns.refusesWrites(),
      },
    },
    execute: async (request) => {
      await Promise.resolve();
      takeFailure();
      return engine.execute(request);
    },
    executeFor: (request, caller) => {
      try {
        takeFailure();
      } catch (error) {
        caller.reject(error);
        return;
      }
      engine.executeFor(request, caller);
    },
    query: async (query, parameters, options) => {
      await beforeRead();
      return engine.query(query, parameters, options);
    },
    columns: async (query, parameters, options) => {
      await beforeRead();
      return engine.columns(query, parameters, options);
    },
  };
}
