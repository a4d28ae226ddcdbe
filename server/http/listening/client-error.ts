import type { Duplex } from 'node:stream';
import { refusals, type RefusalCode } from '../wire/refusals.ts';
import { securityHeaders } from '../guard/security-headers.ts';
import type { HttpLimits } from '../settings.ts';

/** Node's error for bytes that never became a request. */
export interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

/** Answers malformed or late HTTP in the form of every other error, and closes the connection. Gives the status, if it could be sent. */
export function answerClientError(
  error: ClientError,
  socket: Duplex,
  limits: HttpLimits,
  requestId: string,
): number | undefined {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  const [code, message] = verdict(error, limits);
  endWithError(socket, code, message, requestId);
  return refusals[code].status;
}

/** A whole HTTP answer on a bare socket, which is closed once the bytes are sent: `{"error"}`, whatever the caller accepts. */
export function endWithError(
  socket: Duplex,
  code: RefusalCode,
  message: string,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status } = refusals[code];
  const body = `${JSON.stringify({ error: message })}\n`;
  const headers = {
    'X-Request-Id': requestId,
    ...securityHeaders,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function verdict(error: ClientError, limits: HttpLimits): [code: RefusalCode, message: string] {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['H4081', 'the request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return isLongUrl(error.rawPacket, limits.urlBytes)
        ? ['H4141', `the URL is longer than ${limits.urlBytes} bytes`]
        : ['H4311', `the headers are larger than ${limits.headerBytes} bytes`];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['H4131', 'the chunk extensions are too large'];
    default:
      return ['H4001', 'this is not a well-formed HTTP request'];
  }
}

/** The current packet began with the request line only if it starts with a method. */
function isLongUrl(packet: Uint8Array | undefined, most: number): boolean {
  if (packet === undefined) return false;
  const text = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('latin1');
  const line = text.split('\n', 1)[0] ?? '';
  return /^[A-Z]+ /.test(line) && line.length > most;
}
