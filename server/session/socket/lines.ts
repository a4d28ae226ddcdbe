import type { Socket } from 'node:net';

/** The lines that arrive on a socket, until it ends. A line with more bytes ends it. */
export async function* readLines(socket: Socket, mostBytes: number): AsyncGenerator<string, void, undefined> {
  let unfinished: string[] = [];
  let bytes = 0;
  socket.setEncoding('utf8');
  for await (const text of socket as AsyncIterable<string>) {
    let begin = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
      const line = unfinished.join('') + text.slice(begin, end);
      unfinished = [];
      bytes = 0;
      begin = end + 1;
      yield line;
    }
    const rest = text.slice(begin);
    unfinished.push(rest);
    bytes += Buffer.byteLength(rest);
    if (bytes > mostBytes) {
      socket.destroy();
      return;
    }
  }
}

/** Writes a line; resolves when there is room for the next. Does nothing if the peer is gone. */
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
