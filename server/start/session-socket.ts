/**
 * Lets tools of the same user join a running server (docs/tool.md#where-a-session-is): a socket in its data directory, whose permissions
 * are the only key. Takes an engine, gives the function that closes the socket; knows nothing of HTTP.
 */
import { chmod, lstat, rename, rm, stat } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import type { StatementOutcome } from '../session/outcome.ts';
import type { GuestSession } from '../session/socket/serve-session.ts';
import type { StoreLocation } from '../place/store-location.ts';
import { protocolVersion, socketName, type Greeting } from '../session/socket/protocol.ts';
import { latePart } from './late-part.ts';
import { listenPrivately, startingName } from '../../runtime/store/disk/private-socket.ts';
import { shortPath } from '../../runtime/store/disk/short-path.ts';
import type { Standings } from '../../runtime/delivery/standing.ts';

export interface SessionSocketOptions {
  /** The data directory, which this process owns. */
  readonly directory: string;
  readonly version: string;
  readonly engine: Engine;
  readonly live: () => Promise<LiveRegistry>;
  readonly standings: Standings;
  /** The place of the store that an EVENTSTORE block names. */
  readonly locate: (stores: readonly EventStoreDefinition[], name: string) => StoreLocation;
  readonly onFault: (error: unknown) => void;
  /** A tool has put that many changed blocks in force. */
  readonly onChange: (change: { readonly registry_version: number; readonly blocks: number }) => void;
  /** A tool has set its caller, whose subject is NULL if it is anonymous, or reset it. */
  readonly onCaller: (said: { readonly session: string; readonly subject?: string | null }) => void;
}

export interface SessionSocket {
  /** Ends every session after its current statement, and removes the socket. */
  readonly close: () => Promise<void>;
}

export async function openSessionSocket(options: SessionSocketOptions): Promise<SessionSocket> {
  const { directory, version } = options;
  const { dev, ino } = await stat(directory, { bigint: true });
  const greeting: Greeting = {
    schemac: version,
    protocol: protocolVersion,
    process: process.pid,
    device: String(dev),
    inode: String(ino),
  };
  const guests = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const served = serveGuest(socket, greeting, options).finally(() => guests.delete(socket));
    guests.set(socket, served);
  });
  const short = await shortPath(directory);
  const path = join(short.path, socketName);
  const starting = join(short.path, startingName());
  await listenPrivately(server, starting);
  await chmod(starting, 0o600);
  const own = await lstat(starting);
  // An existing socket is replaced: it belongs to a dead process, because this process owns the directory.
  await rename(starting, path);
  return {
    close: async () => {
      // After a lost lock the name is that of the next owner's socket. The comparison holds until the server is closed, as long as its inode is in use.
      const there = await lstat(path).catch(() => undefined);
      // A failed disk may be read-only by now; the next owner replaces the dead socket.
      if (there?.dev === own.dev && there.ino === own.ino) await rm(path, { force: true }).catch(() => undefined);
      server.close();
      for (const socket of guests.keys()) socket.destroy();
      await Promise.all(guests.values());
      await short.remove();
    },
  };
}

let guestCount = 0;

/** Loads the part that serves tools, so that the first tool does not wait for it. Fails with R0411 if it cannot be loaded. */
export const loadSessions = latePart('the part that serves sessions of tools', async () => {
  const [{ serveSession }, { openGuestSession }] = await Promise.all([
    import('../session/socket/serve-session.ts'),
    import('../session/open-guest-session.ts'),
  ]);
  return { serveSession, openGuestSession };
});

/** A tool that cannot be served is disconnected; it reports that the server does not answer. */
async function serveGuest(socket: Socket, greeting: Greeting, options: SessionSocketOptions): Promise<void> {
  const { onFault } = options;
  try {
    const { serveSession } = await loadSessions();
    await serveSession(socket, { greeting, onFault, open: (given) => openGuest(options, given.lenientPayload) });
  } catch (error) {
    socket.destroy();
    onFault(error);
  }
}

async function openGuest(options: SessionSocketOptions, lenientPayload: boolean): Promise<GuestSession> {
  const { openGuestSession } = await loadSessions();
  const { engine, version, locate, standings, onChange, onCaller } = options;
  const prefix = `guest${++guestCount}`;
  const guest = await openGuestSession({
    engine,
    live: await options.live(),
    version,
    locate,
    standings,
    lenientPayload,
    prefix,
  });
  const tell = (blocks: number): void => {
    if (blocks > 0) onChange({ registry_version: engine.registryVersion(), blocks });
  };
  return {
    ...guest,
    replace: async (wanted) => {
      const replaced = await guest.replace(wanted);
      if (replaced.outcome === 'replaced') tell(replaced.changes.length);
      return replaced;
    },
    async *run(file, given) {
      const before = engine.registryVersion();
      let blocks = 0;
      try {
        for await (const outcome of guest.run(file, given)) {
          if (outcome.kind === 'caller')
            onCaller({ session: prefix, ...(outcome.subject !== undefined && { subject: outcome.subject }) });
          blocks += changedBlocks(outcome);
          yield outcome;
        }
      } finally {
        if (engine.registryVersion() !== before) tell(blocks);
      }
    },
  };
}

function changedBlocks(outcome: StatementOutcome): number {
  if (outcome.kind === 'create') return outcome.change === 'unchanged' ? 0 : 1;
  return outcome.kind === 'drop' ? 1 : outcome.kind === 'apply' ? outcome.created.length : 0;
}
