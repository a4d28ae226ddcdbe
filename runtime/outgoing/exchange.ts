import type { LookupFunction } from 'node:net';

/** A request to another system. */
export interface Outgoing {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Absent: the system looks the name up. */
  readonly lookup?: LookupFunction;
  /** Ends the exchange, whatever has been sent back. */
  readonly signal: AbortSignal;
  /** Bytes of the answer's body that are read at most; at 0 the connection is closed once the head is read. */
  readonly mostBytes: number;
}

export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

const connectMilliseconds = 5000;
/** Bytes of one head, also of an answer that comes before the final one. */
const headBytes = 16 * 1024;
/** Answers such as `103 Early Hints` before the final one. */
const mostInformational = 8;

/**
 * Sends one request over a connection of its own and resolves when that is closed, so that who counts exchanges counts descriptors. A redirect is an
 * answer like others. Bounds the bytes and the number of everything that is sent back; the signal bounds the time.
 */
export async function exchange(outgoing: Outgoing): Promise<Incoming> {
  const { url, method, headers, body, lookup, signal, mostBytes } = outgoing;
  const isEncrypted = url.protocol === 'https:';
  const { request: open } = isEncrypted ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = open({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (isEncrypted ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }) },
      agent: false,
      maxHeaderSize: headBytes,
      signal,
      ...(lookup === undefined ? {} : { lookup }),
      ...(isEncrypted ? { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const } : {}),
    });
    let failure: Error | undefined;
    let answered: Incoming | undefined;
    const end = (reason: string): void => {
      failure ??= new Error(reason);
      sent.destroy(failure);
    };
    const connecting = setTimeout(
      () => end(`no connection within ${connectMilliseconds / 1000} s`),
      connectMilliseconds,
    );
    sent.once('socket', (socket) => {
      socket.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    let informational = 0;
    sent.on('information', () => {
      informational += 1;
      if (informational > mostInformational) end(`more than ${mostInformational} answers before the final one`);
    });
    sent.once('response', (answer) => {
      const { statusCode: status = 0, headers: head } = answer;
      const parts: Uint8Array[] = [];
      const finish = (): void => {
        if (failure !== undefined) return;
        answered = { status, headers: head, body: Buffer.concat(parts) };
        sent.destroy();
      };
      if (mostBytes === 0) {
        finish();
        return;
      }
      let bytes = 0;
      answer.on('data', (part: Uint8Array) => {
        bytes += part.byteLength;
        if (bytes > mostBytes) end(`the answer has more than ${mostBytes} bytes`);
        else parts.push(part);
      });
      answer.once('end', finish);
    });
    sent.on('error', (error) => {
      failure ??= error;
    });
    sent.once('close', () => {
      clearTimeout(connecting);
      if (answered !== undefined) resolve(answered);
      else reject(failure ?? new Error('the connection ended without an answer'));
    });
    sent.end(body);
  });
}
