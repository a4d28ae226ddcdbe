import type { Worker } from 'node:worker_threads';
import type { Domain } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import { startThread } from '../../runtime/store/start-thread.ts';
import { landedHistory } from '../registry/from-log/landed-history.ts';
import type { ConsoleText } from '../http/options.ts';
import type { ConsoleLimits } from './console-limits.ts';
import type { ConsoleQuery, ConsoleReader } from './console-query.ts';
import type { ConsoleQuestion, ConsoleReply } from './console-thread.ts';

export interface ConsoleCompiler {
  /** Fails with R0301 if compilation takes longer than a query may. */
  readonly compile: (domain: Domain, text: ConsoleText, reader: ConsoleReader) => Promise<Compiled>;
}
export interface Compiled {
  readonly compiled: ConsoleQuery;
  /** Whole milliseconds of work on the text itself. */
  readonly took: number;
}

interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<unknown>;
  /** The domain whose blocks it has. */
  domain: Domain | undefined;
}

/** Compiles a console's queries, one after the other, in a thread that starts with the first query and is ended by a query that takes too long. */
export function createConsoleCompiler(limits: ConsoleLimits): ConsoleCompiler {
  const { consoleMilliseconds: milliseconds } = limits;
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let lastId = 0;

  const forget = (gone: Thread): void => {
    if (thread === gone) thread = undefined;
  };
  const start = (): Thread => {
    const worker = startThread(new URL('./console-thread.js', import.meta.url), limits);
    const started: Thread = {
      worker,
      domain: undefined,
      ready: new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error("the console's thread ended")));
      }),
    };
    // It keeps the process while it starts and while it compiles. A failure is reported to the query that waits for it.
    started.ready.then(
      () => worker.unref(),
      () => undefined,
    );
    worker.once('exit', () => forget(started));
    return started;
  };

  const ask = async (domain: Domain, text: ConsoleText, reader: ConsoleReader): Promise<Compiled> => {
    const current = (thread ??= start());
    await current.ready;
    lastId += 1;
    const id = lastId;
    const question: ConsoleQuestion = {
      id,
      text,
      reader,
      ...(current.domain === domain ? {} : { registry: { blocks: domain.blocks, history: landedHistory(domain) } }),
    };
    current.domain = domain;
    return new Promise((resolve, reject) => {
      const { worker } = current;
      let timer: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        worker.off('message', listen);
        worker.off('exit', onExit);
        worker.unref();
      };
      const onExit = (): void => {
        finish();
        reject(new Error("the console's thread ended"));
      };
      const listen = (reply: ConsoleReply): void => {
        if (reply.reply === 'ready' || reply.id !== id) return;
        if (reply.reply === 'begun') {
          timer = setTimeout(() => {
            finish();
            forget(current);
            void worker.terminate();
            reject(fail('R0301', { what: 'time', limit: `${milliseconds} ms` }));
          }, milliseconds);
          return;
        }
        finish();
        if (reply.reply === 'done') resolve({ compiled: reply.compiled, took: reply.took });
        else reject(new Error(`a console query could not be compiled: ${reply.message}`));
      };
      worker.on('message', listen);
      worker.once('exit', onExit);
      worker.ref();
      worker.postMessage(question);
    });
  };

  return {
    compile: (...given) => {
      const next = last.then(() => ask(...given));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
