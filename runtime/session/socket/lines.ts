import type { Socket } from 'node:net';
import { mostCharacters } from './protocol.ts';

/** The lines that come in over a socket, ended by its end. A line that never ends ends it. */
export async function* readLines(socket: Socket): AsyncGenerator<string, void, undefined> {
  let rest = '';
  socket.setEncoding('utf8');
  for await (const text of socket as AsyncIterable<string>) {
    rest += text;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.slice(0, end);
      rest = rest.slice(end + 1);
    }
    if (rest.length > mostCharacters) {
      socket.destroy();
      return;
    }
  }
}

/** Writes a line; resolves when there is room for the next. Nothing happens where nobody listens any more. */
export async function writeLine(socket: Socket, line: string): Promise<void> {
  if (socket.destroyed || socket.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
  });
}
