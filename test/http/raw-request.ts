import { connect } from 'node:net';

/** Sends bytes as they are and gives everything that comes back until the other side closes. */
export function rawRequest(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    for (const part of parts) socket.write(part);
  });
}

export function readRaw(answer: string): { readonly status: number; readonly headers: string; readonly body: unknown } {
  const [headers = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { status: Number(headers.split(' ', 2)[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
}
