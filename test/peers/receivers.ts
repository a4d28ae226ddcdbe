/**
 * Receivers that behave badly, in a process of its own: `node … receivers.ts` listens on the loopback and prints its port. The path of a request says
 * how it is answered; `/open` tells how many connections are open for each of them.
 */
import { createServer, type Socket } from 'node:net';

/** Writes without an end, as fast as the other side reads. */
function pour(socket: Socket, text: string): void {
  const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const more = (): void => {
    while (socket.writable && socket.write(bytes));
    socket.once('drain', more);
  };
  more();
}

/** Writes a piece every few milliseconds, without an end. */
function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
}

const ok = 'HTTP/1.1 200 OK\r\n';
const withBody = (length: number | string): string => `${ok}Content-Length: ${length}\r\n\r\n`;
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

/** Answers of each receiver, once the head of the request has come. */
export const receivers: Readonly<Record<string, (socket: Socket) => void>> = {
  answers: (socket) => socket.end(withBody(2) + '{}'),
  'endless-body': (socket) => {
    socket.write(chunked);
    pour(socket, '4000\r\n' + 'x'.repeat(0x4000) + '\r\n');
  },
  'body-that-never-ends': (socket) => void socket.write(withBody(100) + '{'),
  'trickled-body': (socket) => {
    socket.write(chunked);
    trickle(socket, '1\r\nx\r\n');
  },
  'kept-alive': (socket) => void socket.write(`${ok}Connection: keep-alive\r\nContent-Length: 0\r\n\r\n`),
  'too-long-body': (socket) => socket.end(withBody(1) + 'x'.repeat(1000)),
  'too-short-body': (socket) => socket.end(withBody(1000) + 'x'),
  'chunk-extensions': (socket) => {
    socket.write(chunked);
    pour(socket, `1;${'e'.repeat(8000)}\r\nx\r\n`);
  },
  'endless-trailers': (socket) => {
    socket.write(`${chunked}0\r\n`);
    pour(socket, 'T: x\r\n');
  },
  'redirects-to-itself': (socket) =>
    socket.end('HTTP/1.1 307 Temporary Redirect\r\nLocation: /redirects-to-itself\r\n\r\n'),
  'answers-twice': (socket) => void socket.write(withBody(0).repeat(2000)),
  silent: () => undefined,
  'endless-head': (socket) => {
    socket.write(ok);
    pour(socket, `X-Filler: ${'x'.repeat(100)}\r\n`);
  },
  'giant-header': (socket) => {
    socket.write(`${ok}X-Filler: `);
    pour(socket, 'x');
  },
  'trickled-head': (socket) => {
    socket.write(ok);
    trickle(socket, 'X: y\r\n');
  },
  'informational-flood': (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'trickled-hints': (socket) => trickle(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  'continue-flood': (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'switches-protocols': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  resets: (socket) => void socket.resetAndDestroy(),
  'half-closes': (socket) => void socket.end(),
  garbage: (socket) => pour(socket, '\u0016\u0003\u0001\u0000\u0000\n'),
  'other-protocol': (socket) => void socket.write('SSH-2.0-x\r\n'),
};

if (process.argv[1]?.endsWith('receivers.ts') === true) {
  const open = new Map<string, number>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let head = '';
    socket.on('error', () => undefined); // a sender that cuts
    const read = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read).resume();
      const path = /^\S+ \/(\S*)/.exec(head)?.[1] ?? '';
      if (path === 'open') {
        socket.end(`${ok}Connection: close\r\n\r\n${JSON.stringify(Object.fromEntries(open))}`);
        return;
      }
      open.set(path, (open.get(path) ?? 0) + 1);
      socket.once('close', () => open.set(path, (open.get(path) ?? 0) - 1));
      // The sender closed: nothing more is written to it.
      socket.once('end', () => socket.destroy());
      receivers[path]?.(socket);
    };
    socket.on('data', read);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(typeof address === 'object' && address !== null ? address.port : '');
  });
}
