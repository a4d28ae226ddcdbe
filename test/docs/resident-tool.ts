import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runInShell } from '../kit/tool-here.ts';
import { startedModule } from '../kit/started-module.ts';

/** Messages to `resident-tool-process.ts`: first its arguments, then its input, then the end of the input. */
export type Sent =
  | { readonly words: readonly string[]; readonly cwd: string; readonly environment: NodeJS.ProcessEnv }
  | { readonly input: string }
  | 'end of input'
  | 'stop';
/** Messages from the process. */
export type Given = { readonly stream: 'stdout' | 'stderr'; readonly text: string } | { readonly status: number };

export interface ResidentTool {
  /** Words behind `node` that run `schemac` in this process. */
  readonly program: readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Runs `schemac` in this process for the commands of a shell: the shell starts a small process that passes its input on, and writes the
 * output that it gets. It starts ten times as fast as the tool itself. `socket` is a path at which nothing is yet.
 */
export async function startResidentTool(socket: string): Promise<ResidentTool> {
  const running = new Set<Promise<void>>();
  const stops = new Set<AbortController>();
  const server = createServer((connection) => {
    const stop = new AbortController();
    stops.add(stop);
    const run = serve(connection, stop).finally(() => {
      stops.delete(stop);
      running.delete(run);
    });
    running.add(run);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const module = fileURLToPath(startedModule('test/docs/resident-tool-process'));
  return {
    program: [...(module.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []), module, socket],
    close: async () => {
      for (const stop of stops) stop.abort();
      await Promise.all(running);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(connection: Socket, stop: AbortController): Promise<void> {
  const input = new PassThrough();
  const give = (given: Given): void => {
    if (connection.writable) connection.write(`${JSON.stringify(given)}\n`);
  };
  // A process that is killed stops the command that it began.
  connection.on('error', () => stop.abort()).on('close', () => stop.abort());
  await new Promise<void>((resolve) => {
    const act = (sent: Sent): void => {
      if (sent === 'stop') stop.abort();
      else if (sent === 'end of input') input.end();
      else if ('input' in sent) input.write(sent.input);
      else {
        const write = (stream: 'stdout' | 'stderr', text: string): void => give({ stream, text });
        void runInShell(sent.words, { ...sent, input, write, stop: stop.signal }).then((status) => {
          give({ status });
          connection.end();
          resolve();
        });
      }
    };
    createInterface({ input: connection })
      .on('line', (line) => act(JSON.parse(line) as Sent))
      .on('error', () => stop.abort()); // it passes on the errors of its input
  });
}
