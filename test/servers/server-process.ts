/** A server as a process of its own, which can be killed, frozen and started again, with the requests that clients send it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { root } from '../kit/tool.ts';

export interface Answer {
  readonly status: number;
  /** `Schemac-Entry`. */
  readonly entry: number;
  readonly body: unknown;
}

export interface ServerProcess {
  /** The name that the database sees. */
  readonly name: string;
  readonly serves: () => boolean;
  /** Where it serves. */
  readonly url: () => string | undefined;
  /** Resolves when it serves. */
  readonly start: () => Promise<void>;
  /** Resolves when it has ended. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Rejects when there is no answer within 30 s. */
  readonly ask: (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Lines that it logged as errors, the last ones. */
  readonly errors: () => readonly string[];
  readonly close: () => Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  /** The project, with what `build` wrote. */
  readonly folder: string;
  /** Undefined of a server on a directory. */
  readonly database: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
}

export function createServerProcess({ name, folder, database, environment }: ServerOptions): ServerProcess {
  const agent = new Agent({ keepAlive: true });
  const url = database === undefined ? undefined : new URL(database);
  url?.searchParams.set('application_name', name);
  let process_: ChildProcess | undefined;
  let address = '';
  let errors: readonly string[] = [];

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const words = ['start', '--port', '0', '--data', `data-${name}`, '--enable-create'];
      if (url !== undefined) words.push('--wait', '60');
      const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...words], {
        cwd: folder,
        env: { ...process.env, ...environment, ...(url === undefined ? {} : { DATABASE_URL: url.href }) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      process_ = child;
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said = (said + text).slice(-10_000);
          const lines = text.split('\n').filter((line) => /"level":"?(50|error)/.test(line));
          errors = [...errors, ...lines.map((line) => line.slice(0, 2_000))].slice(-20);
          const [found] = /http:\/\/[^\s,]+/.exec(said) ?? [];
          if (found === undefined || !said.includes(', data ')) return;
          address = found;
          resolve();
        });
      child.once('exit', (status, signal) => {
        address = '';
        if (signal === null && status !== 0) reject(new Error(`${name} ended with ${status}: ${said}`));
        else resolve();
      });
    });

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = process_;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };

  return {
    name,
    serves: () => address !== '',
    url: () => (address === '' ? undefined : address),
    start,
    end,
    freeze: () => void process_?.kill('SIGSTOP'),
    thaw: () => void process_?.kill('SIGCONT'),
    ask: (path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const asked = request(
          address + path,
          {
            method: body === undefined ? 'GET' : 'POST',
            agent,
            timeout: 30_000,
            headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
          },
          (answer) => {
            const parts: Buffer[] = [];
            answer.on('data', (part: Buffer) => parts.push(part));
            answer.on('error', reject);
            answer.on('end', () => {
              const text = Buffer.concat(parts).toString();
              const entry = Number(answer.headers['schemac-entry'] ?? 0);
              const status = answer.statusCode ?? 0;
              const isJson = (answer.headers['content-type'] ?? '').includes('json');
              if (isJson) resolve({ status, entry, body: JSON.parse(text) });
              else reject(new Error(`${status} ${text}`));
            });
          },
        );
        asked.on('error', reject);
        asked.on('timeout', () => asked.destroy(new Error('no answer within 30 s')));
        asked.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    errors: () => errors,
    close: async () => {
      process_?.kill('SIGCONT');
      await end('SIGKILL');
      agent.destroy();
    },
  };
}
