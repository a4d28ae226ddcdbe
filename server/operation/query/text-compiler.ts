import type { Worker } from 'node:worker_threads';
import type { Domain } from '../../../language/contract/domain.ts';
import { fail, Failure } from '../../../language/failure/failure.ts';
import { startThread } from '../../../runtime/store/start-thread.ts';
import { landedHistory } from '../../registry/from-log/landed-history.ts';
import type { Caller } from '../caller.ts';
import { TextRefused } from '../text-refused.ts';
import type { QueryText } from './asked.ts';
import type { CompiledText } from './compile-text.ts';
import type { QueryLimits } from './query-limits.ts';
import type { TextQuestion, TextReply } from './query-thread.ts';

/**
 * Compiles a text for a caller. Fails with R0301 if that takes longer than a query may, with R0303 if the caller leaves meanwhile, and with
 * `TextRefused`; `took` is whole milliseconds.
 */
type CompileInThread = (
  domain: Domain,
  text: QueryText,
  caller: Caller,
) => Promise<{ readonly compiled: CompiledText; readonly took: number }>;

interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<unknown>;
  /** The domain whose blocks it has. */
  domain: Domain | undefined;
}

/** The time that a text whose caller left may still take: most take less, and need no new thread then. */
const graceMilliseconds = 100;

/**
 * Compiles texts one after the other, in a thread that starts with the first and is ended by one that takes too long or that no caller waits
 * for. No row crosses to it.
 */
export function createTextCompiler(limits: QueryLimits): CompileInThread {
  const { consoleMilliseconds: milliseconds } = limits;
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let lastId = 0;

  const forget = (gone: Thread): void => {
    if (thread === gone) thread = undefined;
  };
  const start = (): Thread => {
    const worker = startThread(new URL('./query-thread.js', import.meta.url), limits);
    const started: Thread = {
      worker,
      domain: undefined,
      ready: new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(ended()));
      }),
    };
    // The thread keeps the process while it starts and while it compiles. A failure is reported to the query that waits for it.
    started.ready.then(
      () => worker.unref(),
      () => undefined,
    );
    worker.once('exit', () => forget(started));
    return started;
  };

  const ask: CompileInThread = async (domain, { signal, ...text }, caller) => {
    const current = (thread ??= start());
    await current.ready;
    if (signal?.aborted === true) throw fail('R0303', {});
    lastId += 1;
    const id = lastId;
    const isKnown = current.domain === domain;
    const question: TextQuestion = {
      id,
      text,
      caller,
      ...(isKnown ? {} : { registry: { blocks: domain.blocks, history: landedHistory(domain) } }),
    };
    current.domain = domain;
    return new Promise((resolve, reject) => {
      const { worker } = current;
      let timer: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', endSoon);
        worker.off('message', listen);
        worker.off('exit', onExit);
        worker.unref();
      };
      const onExit = (): void => {
        finish();
        reject(ended());
      };
      const endAfter = (most: number, failure: Failure): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          finish();
          forget(current);
          void worker.terminate();
          reject(failure);
        }, most);
      };
      const endSoon = (): void => endAfter(graceMilliseconds, fail('R0303', {}));
      const listen = (reply: TextReply): void => {
        if (reply.reply === 'ready' || reply.id !== id) return;
        if (reply.reply === 'begun') {
          if (signal?.aborted === true) endSoon();
          else endAfter(milliseconds, fail('R0301', { what: 'time', limit: `${milliseconds} ms` }));
          signal?.addEventListener('abort', endSoon);
          return;
        }
        finish();
        if (reply.reply === 'done') resolve(reply);
        else reject(errorOf(reply));
      };
      worker.on('message', listen);
      worker.once('exit', onExit);
      worker.ref();
      worker.postMessage(question);
    });
  };

  return (...given) => {
    const next = last.then(() => ask(...given));
    last = next.catch(() => undefined);
    return next;
  };
}

function ended(): Error {
  return new Error('the thread that compiles queries ended');
}

function errorOf(reply: Extract<TextReply, { readonly reply: 'refused' | 'unreadable' | 'failed' }>): Error {
  if (reply.reply === 'unreadable') return new Failure(reply.code, reply.message);
  if (reply.reply === 'failed') return new Error(`a query could not be compiled: ${reply.message}`);
  const { why, messages, denied } = reply.because;
  return new TextRefused('sql', why, messages, denied);
}
