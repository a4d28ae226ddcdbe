import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a port of this machine that delays everything by this number of ms in each direction; nothing is lost, and order is kept. */
export interface SlowWay {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function openSlowWay(to: number, milliseconds: number): Promise<SlowWay> {
  const sockets = new Set<Socket>();
  const later = (from: Socket, other: Socket): void => {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => setTimeout(() => other.write(bytes), milliseconds));
    from.on('error', () => undefined); // its end is what the other side sees
    from.on('close', () => {
      sockets.delete(from);
      setTimeout(() => other.destroy(), milliseconds);
    });
  };
  const server = createServer((program) => {
    const database = connect(to, '127.0.0.1');
    later(program, database);
    later(database, program);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
