import type { Duplex } from 'node:stream';
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
  const [status, message] = verdict(error, limits);
  endWithError(socket, status, message, requestId);
  return status;
}

/** A whole HTTP answer on a bare socket, which is closed once the bytes are sent. */
export function endWithError(
  socket: Duplex,
  status: number,
  message: string,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): void {
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

function verdict(error: ClientError, limits: HttpLimits): [status: number, message: string] {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'the request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return isLongUrl(error.rawPacket, limits.urlBytes)
        ? [414, `the URL is longer than ${limits.urlBytes} bytes`]
        : [431, `the headers are larger than ${limits.headerBytes} bytes`];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'the chunk extensions are too large'];
    default:
      return [400, 'this is not a well-formed HTTP request'];
  }
}

/** The current packet began with the request line only if it starts with a method. */
function isLongUrl(packet: Uint8Array | undefined, most: number): boolean {
  if (packet === undefined) return false;
  const text = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength).toString('latin1');
  const line = text.split('\n', 1)[0] ?? '';
  return /^[A-Z]+ /.test(line) && line.length > most;
}
