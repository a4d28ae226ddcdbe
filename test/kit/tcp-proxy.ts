import { connect, createServer, type Socket } from 'node:net';

/** A network between a program and a server on this machine, which can fail in the ways that networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Changes its behaviour from now on, also for open connections: `silent` delivers nothing and says nothing, in both directions. */
  readonly become: (state: 'open' | 'silent' | 'deaf to answers' | 'holding requests') => void;
  /** Ends all connections of the program; those to the server stay open while it holds requests. */
  readonly cut: () => void;
  /**
   * Ends the connection on which the next request with this text comes: before it is delivered, after, or when its
   * answer comes, which is then not delivered. Resolves when it has.
   */
  readonly cutAt: (text: string, moment: 'before' | 'after' | 'answered') => Promise<void>;
  /** Delivers the held requests to the server, whose program is gone by now. */
  readonly deliver: () => void;
  /** Resolves when it holds a request of at least this number of bytes. */
  readonly held: (bytes: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Line {
  readonly program: Socket;
  readonly server: Socket;
  held: Buffer[];
  /** Bytes were swallowed, so nothing after them may arrive either. */
  isBroken: boolean;
  /** Cuts it in place of delivering the next answer. */
  cutAtAnswer: (() => void) | undefined;
}

export async function startTcpProxy(to: number): Promise<TcpProxy> {
  let state: Parameters<TcpProxy['become']>[0] = 'open';
  const lines = new Set<Line>();
  const waiting = new Set<() => void>();
  let trap:
    | { readonly text: string; readonly moment: 'before' | 'after' | 'answered'; readonly done: () => void }
    | undefined;
  const spring = (line: Line, bytes: Buffer): void => {
    if (trap === undefined) return;
    const { moment, done } = trap;
    trap = undefined;
    const end = (): void => {
      line.program.destroy();
      done();
    };
    if (moment !== 'before') line.server.write(bytes);
    if (moment === 'answered') line.cutAtAnswer = end;
    else end();
  };
  const proxy = createServer((program) => {
    const server = connect(to, '127.0.0.1');
    const line: Line = { program, server, held: [], isBroken: false, cutAtAnswer: undefined };
    lines.add(line);
    program.on('data', (bytes: Buffer) => {
      if (state === 'silent') line.isBroken = true;
      if (trap !== undefined && bytes.includes(trap.text)) spring(line, bytes);
      else if (state === 'holding requests') {
        line.held.push(bytes);
        for (const look of waiting) look();
      } else if (!line.isBroken) server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (state === 'silent') line.isBroken = true;
      if (line.cutAtAnswer !== undefined) line.cutAtAnswer();
      else if (state === 'open' && !line.isBroken) program.write(bytes);
    });
    for (const socket of [program, server]) socket.on('error', () => undefined);
    server.on('close', () => {
      lines.delete(line);
      if (state !== 'silent') program.destroy();
    });
    program.on('close', () => {
      if (line.held.length === 0) server.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    become: (next) => {
      state = next;
    },
    cut: () => {
      for (const { program } of lines) program.destroy();
    },
    cutAt: (text, moment) => new Promise((done) => (trap = { text, moment, done })),
    deliver: () => {
      for (const line of lines) {
        for (const bytes of line.held) line.server.write(bytes);
        line.held = [];
        // Else each request that was held would keep a connection of the database.
        if (line.program.destroyed) line.server.end();
      }
    },
    held: (bytes) =>
      new Promise((resolve) => {
        const look = (): void => {
          const most = Math.max(0, ...[...lines].map(({ held }) => Buffer.concat(held).length));
          if (most < bytes) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      for (const { program, server } of lines) {
        program.destroy();
        server.destroy();
      }
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
