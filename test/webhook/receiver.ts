import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** A request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CloudEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Answers a request, or lets it wait, or cuts it. */
export type Answering = (event: CloudEvent, response: ServerResponse, received: Received) => void | Promise<void>;

export interface Receiver {
  readonly url: (path: string) => string;
  readonly port: number;
  /** Requests to a path, in order. */
  readonly at: (path: string) => readonly Received[];
  readonly answer: (path: string, answering: Answering) => void;
  readonly stop: () => Promise<void>;
}

/** A receiver of webhooks on the loopback; without an `answer` a path answers 204. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, Answering>();
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('error', () => undefined); // a sender that was killed
    request.on('end', () => {
      const path = request.url ?? '';
      const one = { path, headers: request.headers, body };
      received.push(one);
      const answering = answers.get(path) ?? ((_, { writeHead }) => void writeHead.call(response, 204).end());
      void answering(JSON.parse(body) as CloudEvent, response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    port,
    at: (path) => received.filter((one) => one.path === path),
    answer: (path, answering) => void answers.set(path, answering),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The secrets, in order, by which the library of the Standard Webhooks specification verifies a request. */
export function signersOf({ headers, body }: Received, secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}
