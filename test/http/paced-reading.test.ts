/**
 * Connections are read request by request once a client sends requests ahead, or while many are new: checks which requests are parsed, and
 * that answers stay the same.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHttpServer } from '../../server/http/listening/http-server.ts';
import { defaultHttpLimits } from '../../server/http/settings.ts';
import { until } from '../kit/until.ts';
import { rawRequest } from './raw-request.ts';

const test = suite('paced reading');

interface Served {
  readonly server: Server;
  readonly port: number;
  /** The paths of parsed requests. */
  readonly parsed: string[];
  readonly sockets: Socket[];
  /** Sends bytes on a connection of its own, and reads nothing. */
  readonly sends: (text: string) => Socket;
}

/** A server that answers each request by its path and its body, except those of `/never`. */
async function serve(work: (served: Served) => Promise<void>): Promise<void> {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const settings = { allowedHosts: [], allowedOrigins: [], metrics: 'off', limits: defaultHttpLimits } as const;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const piece of request.setEncoding('latin1')) body += String(piece);
    if (request.url !== '/never') response.end(`<${request.url ?? ''} ${body}>`);
  };
  const { server } = createHttpServer(
    { settings, log, randomBytes: (length) => new Uint8Array(length) },
    (request, response) => void answer(request, response).catch(() => undefined),
    'GET, POST',
  );
  const parsed: string[] = [];
  server.on('request', ({ url }: IncomingMessage) => parsed.push(url ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const sends = (text: string): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write(text);
    return socket.pause();
  };
  try {
    await work({ server, port, parsed, sockets, sends });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const get = (path: string, ...lines: readonly string[]): string =>
  ['GET ' + path + ' HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n');
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const numbers = Array.from({ length: 300 }, (_, at) => at);
/** Texts of the answers, and nothing after them. */
const said = (answers: string): readonly string[] => [...answers.matchAll(/<([^>]*)>/g)].map(([, each]) => each ?? '');

test('of requests that are sent ahead only the next one is parsed, on any connection', async () => {
  await serve(async ({ parsed, sends }) => {
    // Node parses the first piece of the first such connection at once.
    sends(numbers.map(() => get('/never')).join(''));
    await until(() => parsed.length > 2);
    for (let count = 0; count < 20; count += 1) sends(get('/never') + numbers.map(() => get('/behind')).join(''));
    await until(() => parsed.filter((path) => path === '/never').length >= 20 + numbers.length);
    assert.equal(
      parsed.filter((path) => path === '/behind'),
      [],
    );
  });
});

test('however many connections are new, one that comes last is answered', async () => {
  await serve(async ({ port, parsed, sends }) => {
    for (let count = 0; count < 300; count += 1) sends(get('/never') + get('/behind').repeat(9));
    const answers = await rawRequest(port, get('/one', 'Connection: close'));
    assert.equal(said(answers), ['/one ']);
    await until(() => parsed.filter((path) => path === '/never').length === 300);
  });
});

test('answers are complete and in order, with bodies of every form', async () => {
  const table: readonly (readonly [sent: string, ...answers: readonly string[]])[] = [
    [numbers.map((at) => get(`/${at}`)).join(''), ...numbers.map((at) => `/${at} `)],
    [numbers.map((at) => post(`/${at}`, `a\r\n\r\nb${at}`)).join(''), ...numbers.map((at) => `/${at} a\r\n\r\nb${at}`)],
    [post('/long', '\r\n\r\n'.repeat(20_000)) + get('/next'), `/long ${'\r\n\r\n'.repeat(20_000)}`, '/next '],
    [
      `POST /chunked HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na\r\n\r\r\n2\r\n\nb\r\n0\r\n\r\n${get('/next')}`,
      '/chunked a\r\n\r\nb',
      '/next ',
    ],
    [`${get('/a')}\r\n${get('/b')}`, '/a ', '/b '],
  ];
  await serve(async ({ port, parsed, sends }) => {
    for (const paced of [false, true]) {
      for (const [sent, ...answers] of table) {
        const last = get('/last', 'Connection: close');
        assert.equal(said(await rawRequest(port, sent + last)), [...answers, '/last ']);
        const half = sent.length >> 1;
        assert.equal(said(await rawRequest(port, sent.slice(0, half), sent.slice(half), last)), [...answers, '/last ']);
      }
      if (paced) continue;
      const before = parsed.length;
      sends(get('/never') + get('/behind').repeat(5));
      await until(() => parsed.length > before);
    }
  });
});

test('an end, a connection for others and a malformed request after others are answered as without', async () => {
  await serve(async ({ port, parsed, sends }) => {
    sends(get('/never') + get('/behind').repeat(5));
    await until(() => parsed.length > 2);
    const statuses = async (...parts: readonly string[]): Promise<readonly string[]> =>
      [...(await rawRequest(port, ...parts)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '');
    assert.equal(await statuses(get('/a') + get('/b') + 'no request\r\n\r\n' + get('/c')), ['200', '200', '400']);
    assert.equal(await statuses(`${get('/a')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${get('/c')}`), ['200', '405']);
    assert.equal(await statuses(`GET /${'u'.repeat(50_000)} HTTP/1.1\r\n\r\n`), ['414']);
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    socket.write(get('/kept'));
    await until(() => text.endsWith('>'));
    // The server ends it once it knows of the client's end.
    socket.end();
    await until(() => socket.closed);
  });
});

test('a client that leaves is noticed while its requests wait, wherever they wait', async () => {
  await serve(async ({ server, parsed, sends }) => {
    const connections = async (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      );
    const leave: readonly ((socket: Socket) => void)[] = [
      (socket) => socket.end(),
      (socket) => socket.destroy(),
      (socket) => socket.resetAndDestroy(),
    ];
    const behind = [0, 1, 2, 9, 100];
    // The first ones are parsed at once, the others are read piece by piece.
    for (const round of [1, 2]) {
      const before = parsed.length;
      const left = behind.flatMap((count) =>
        leave.map((go) => ({ go, socket: sends(get('/never') + get('/behind').repeat(count)) })),
      );
      await until(() => parsed.slice(before).filter((path) => path === '/never').length === left.length);
      for (const { go, socket } of left) go(socket);
      let open = Number.NaN;
      await until(async () => (open = await connections()) === 0).catch(() => undefined);
      assert.is(open, 0, `round ${round}`);
    }
  });
});

test.run();
