import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OpenSession } from '../server/session/open-session.ts';
import type { Known } from '../server/session/known.ts';
import type { Session } from '../server/session/session.ts';
import type { Engine } from '../runtime/engine/engine.ts';
import type { ReadModelStart } from '../runtime/store/tables/live/read-model-options.ts';
import type { Store } from '../runtime/store/store.ts';
import { fail } from '../language/failure/failure.ts';
import { withProgress } from './progress.ts';
import type { Settings } from './settings/settings.ts';
import type { Shell } from './shell.ts';
import { chooseNamed, openChosen } from './store-choice.ts';
import type { StoreChoice } from '../server/start/choose-store.ts';
import { productVersion } from './version.ts';

export interface SessionNeeds {
  /** A payload field that no event carries yet is NULL, as in an interactive session. */
  readonly lenientPayload?: boolean;
  /** The session mostly ends without a query or command, so in memory no thread is started ahead. */
  readonly seldomReads?: boolean;
  /** The command itself prints where the session is. */
  readonly greets?: boolean;
  /** The moment at which the time of a session in memory begins. */
  readonly begins?: bigint;
}

/** The session of a command, in this process or in a server that owns the data directory. */
export interface ToolSession extends Session {
  readonly known: () => Known;
  /** In words: `in memory`, `on /data`, `on /data, in the server that runs there (process 12)`. */
  readonly where: string;
}

export type SessionSettings = Pick<
  Settings,
  'sessionData' | 'sessionEventstore' | 'config' | 'out' | 'acceptLoss' | 'wait'
>;

/** Whether the settings name no store. */
export function isInMemory({ sessionData, sessionEventstore }: SessionSettings): boolean {
  return sessionData === undefined && sessionEventstore === undefined;
}

/** Where a session is: the directory that it owns or shares with a server, and the chosen event store, if it is named. */
interface SessionPlace {
  readonly directory?: string;
  readonly chosen?: StoreChoice;
}

async function sessionPlace(shell: Shell, settings: SessionSettings): Promise<SessionPlace> {
  const { sessionData, sessionEventstore } = settings;
  if (sessionEventstore === undefined) return sessionData === undefined ? {} : { directory: sessionData };
  const chosen = await chooseNamed(shell, sessionEventstore, settings, sessionData);
  return { chosen, ...(chosen.directory !== undefined && { directory: chosen.directory }) };
}

/**
 * Runs `work` with a session on the settings' event store or data directory, or in memory without one, and closes it in any case. If a server owns the
 * directory, the session is in that server.
 */
export async function withSession<T>(
  shell: Shell,
  settings: SessionSettings,
  work: (session: ToolSession) => Promise<T>,
  needs: SessionNeeds = {},
): Promise<T> {
  const place = await sessionPlace(shell, settings);
  const { directory } = place;
  const joined = directory === undefined ? undefined : await joinedSession(directory, needs);
  if (joined !== undefined && needs.greets !== true) shell.messages.write(`schemac: ${joined.where}\n`);
  const session =
    joined ?? (await withProgress(shell, 'opening the store', () => ownSession(shell, settings, place, needs)));
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

type Closable = ToolSession & { readonly close: () => Promise<void> };
type Own = Closable & Pick<OpenSession, 'engine'>;

async function joinedSession(
  directory: string,
  { lenientPayload = false }: SessionNeeds,
): Promise<Closable | undefined> {
  const { joinServer } = await import('../server/session/socket/join-server.ts');
  const session = await joinServer(directory, { lenientPayload });
  if (session === undefined) return undefined;
  return { ...session, where: `on ${directory}, in the server that runs there (process ${session.process})` };
}

async function ownSession(
  shell: Shell,
  settings: SessionSettings,
  { directory, chosen }: SessionPlace,
  { lenientPayload = false, seldomReads = false, begins }: SessionNeeds,
): Promise<Own> {
  const opening =
    chosen === undefined
      ? openStore(directory, seldomReads ? 'when asked' : 'ahead')
      : openChosen(shell, chosen, settings);
  // In memory it is open at once, and its thread starts while this one loads the compiler. Others are opened meanwhile.
  if (chosen === undefined && directory === undefined) await opening;
  const [store, { openSession }, { locateStore }, { findLimits }] = await Promise.all([
    opening,
    import('../server/session/open-session.ts'),
    import('../server/start/locate-store.ts'),
    import('../server/start/settings/limits.ts'),
    import('../compiler/index.ts').then(({ prepareParser }) => prepareParser()),
  ]);
  const { config } = settings;
  const session = await openSession({
    store,
    readModel: 'worker',
    version: productVersion(),
    limits: findLimits(config, shell.environment),
    locate: (stores, name) => locateStore(stores, name, { base: config.folder, environment: shell.environment }),
    readSchema: (path) => readCandidate(shell.cwd, path),
    ...(directory === undefined ? {} : { modules: join(directory, 'modules') }),
    lenientPayload,
    ...(begins === undefined ? {} : { begins }),
  });
  const { kind, location } = store;
  const where = kind === 'memory' ? 'in memory' : `on ${location}`;
  return { ...session, where };
}

/** The file of WITH SCHEMA FILE. */
function readCandidate(folder: string, path: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    throw fail('R0511', { path, problem: error instanceof Error ? error.message : String(error) });
  }
}

/** Runs `work` with the engine of the settings' data directory, which no other process may own meanwhile. */
export async function withOwnEngine<T>(
  shell: Shell,
  settings: SessionSettings,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const place = await sessionPlace(shell, settings);
  const { engine, close } = await withProgress(shell, 'opening the store', () =>
    ownSession(shell, settings, place, {}),
  );
  try {
    return await work(engine);
  } finally {
    await close();
  }
}

/** Runs `work` with a session of its own in memory. */
export async function withMemorySession<T>(
  work: (session: OpenSession) => Promise<T>,
  begins: Pick<SessionNeeds, 'begins'>,
): Promise<T> {
  const [store, { openSession }] = await Promise.all([
    // A statement has a time limit, which must not include the start of a thread.
    openStore(undefined, 'at once'),
    import('../server/session/open-session.ts'),
  ]);
  const session = await openSession({
    store,
    readModel: 'worker',
    version: productVersion(),
    ...begins,
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** In its own thread the read model leaves this one free to show progress and to stop it. */
async function openStore(directory: string | undefined, starts: ReadModelStart): Promise<Store> {
  if (directory === undefined) {
    const { openMemoryStore } = await import('../runtime/store/memory-store.ts');
    return openMemoryStore({ readModel: 'worker', starts });
  }
  const { openEmbeddedStore } = await import('../runtime/store/embedded/embedded-store.ts');
  return openEmbeddedStore({ directory, readModel: 'worker' });
}
