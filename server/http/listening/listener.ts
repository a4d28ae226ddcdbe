import type { Handle } from '../pipeline/one-at-a-time.ts';
import { createHttpServer, drain, listen, portOf, type ServerParts } from './http-server.ts';
import { answersWhileStarting } from './while-starting.ts';

/** A port that is open before the store is: until there is an application, only `/health` answers with success. */
export interface Listener {
  readonly host: string;
  /** The port that it listens on, even if 0 was requested. */
  readonly port: number;
  /** Every request that comes after this is answered by `handle`. */
  readonly serve: (handle: Handle) => void;
  /** Refuses new connections, lets running requests finish for at most this long, then cuts the rest. */
  readonly stop: (milliseconds: number) => Promise<void>;
}

/** Rejects with Node's own error (`code` EADDRINUSE and the like) when it cannot listen. */
export async function openListener(
  parts: ServerParts,
  { host, port }: { readonly host: string; readonly port: number },
  /** The work that the start waits for, as a clause. */
  starting: () => string | undefined = () => undefined,
): Promise<Listener> {
  let handle = answersWhileStarting(parts, starting);
  const { server, connections } = createHttpServer(
    parts,
    (request, response) => handle(request, response),
    'GET, HEAD, POST, OPTIONS',
  );
  await listen(server, port, host);
  return {
    host,
    port: portOf(server),
    serve: (application) => {
      handle = application;
    },
    stop: (milliseconds) => drain(server, connections, milliseconds),
  };
}
