/** Clients that send all requests that they can on many connections, and read nothing. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startThread } from '../../../runtime/store/start-thread.ts';
import { startedModule } from '../../kit/started-module.ts';

/** A mix of requests: a number of connections, each of which sends all its requests at once. */
export interface Attack {
  readonly name: string;
  readonly connections: number;
  readonly pipelined: number;
  /** The requests, which the connections use in turn. */
  readonly requests: readonly string[];
  /** True if they read the answers, and then send further requests. */
  readonly reads?: true;
}

const head = 'HTTP/1.1\r\nHost: localhost\r\n';

export function get(path: string, accept = 'application/json'): string {
  return `GET ${path} ${head}Accept: ${accept}\r\n\r\n`;
}

export function post(path: string, body: object): string {
  const text = JSON.stringify(body);
  return `POST ${path} ${head}Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

/**
 * Starts an attack in its own thread, so that it does not delay the measured commands; gives a function that ends it.
 */
export async function attack(port: number, attack: Attack): Promise<() => Promise<void>> {
  const thread = startThread(startedModule('test/http/long/attack-thread'), { port, attack });
  await once(thread, 'message');
  return async () => {
    await thread.terminate();
  };
}

/** Attacks until the process or thread ends. A connection that is refused or cut is made again after a moment. */
export function keepAttacking(port: number, { connections, pipelined, requests, reads }: Attack): void {
  const begin = (number: number): void => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.once('close', () => setTimeout(() => begin(number), 500));
    const asked = Array.from({ length: pipelined }, (_, at) => requests[(number + at) % requests.length] ?? '');
    socket.write(asked.join(''));
    if (reads === true) socket.resume();
    else socket.pause();
  };
  for (let number = 0; number < connections; number++) begin(number);
}

const state = get('/api/aggregates/Doc');
const events = get('/api/aggregates/Doc/events');
const everything: readonly string[] = [
  state,
  get('/api/aggregates/Doc', 'text/csv'),
  get('/api/aggregates/Doc', '*/*'),
  events,
  get('/api/aggregates/Doc/events', '*/*'),
  get('/api/projections/Bodies/query', 'text/csv'),
  get('/api/projections/Words/query'),
  get('/api/aggregates/Doc/D-7'),
  get('/api/aggregates/Doc?limit=20'),
  get('/api/reg/events'),
  get('/api/lang/export'),
  get('/openapi.json'),
  get('/metrics'),
  post('/api/query', { sql: 'SELECT stream_id, data.body AS body FROM Reg."Doc$Events" LIMIT 200' }),
  post('/api/aggregates/Doc/execute/Write', { doc_id: 'D-0', body: 'w'.repeat(2_000) }),
];

/** Ten times the load that once made a server fail, and mixes of all routes. */
export const attacks: readonly Attack[] = [
  { name: 'one connection, 4,000 states', connections: 1, pipelined: 4_000, requests: [state] },
  { name: '400 connections of 10 states', connections: 400, pipelined: 10, requests: [state] },
  { name: '1,000 connections, all routes', connections: 1_000, pipelined: 30, requests: everything },
  {
    name: '1,000 streams of events',
    connections: 1_000,
    pipelined: 1,
    requests: [events, get('/api/aggregates/Doc/events', '*/*')],
  },
  { name: '20 readers of all routes', connections: 20, pipelined: 15, requests: everything, reads: true },
];
