/**
 * Requests and replies over a port: matches replies to requests, measures the time of queries, ends a port that takes
 * too long.
 */
import { fail, Failure } from '../../../../language/failure/failure.ts';
import type { ColumnBatch } from '../../../../language/contract/column-bytes.ts';
import { QueryFailure } from '../../query-failure.ts';
import { GivenBack, Overtaken, type Row } from '../../query.ts';
import type { Reply, Request, TablesState } from '../core/messages.ts';
import type { Port, PortListener } from './port.ts';
import { overMemory, overTime, type LastRows } from '../core/query-runner.ts';

interface Why {
  readonly unwritable: boolean;
  readonly damaged: boolean;
}

/** The port ended before it answered; the request may be repeated on a new one. */
export class PortDied extends Error {
  /** The time of another request was over, and this one had not started: it cannot have caused the end of the port. */
  readonly innocent: boolean;
  /** The disk is full or fails: a new port fails too, until that changes. */
  readonly unwritable: boolean;
  /** The page of the file that is damaged, in words. */
  readonly damage: string | undefined;
  constructor(reason: string, innocent: boolean, { unwritable = false, damaged = false }: Partial<Why> = {}) {
    super(`the read model ended: ${reason}`);
    this.innocent = innocent;
    this.unwritable = unwritable;
    this.damage = damaged ? reason : undefined;
  }
}

type Unnumbered<R> = R extends { readonly id: number } ? Omit<R, 'id'> : never;
export type Question = Unnumbered<Request>;
export type QueryQuestion = Unnumbered<Extract<Request, { do: 'query' }>>;
export type Order = Exclude<Request, { readonly id: number }>;

export interface Conversation {
  /** Sent at once, in order. */
  readonly tell: (order: Order) => void;
  /** Past `milliseconds` the port is ended and this fails with R0504. */
  readonly ask: (question: Question, milliseconds?: number) => Promise<unknown>;
  /**
   * Past its time limit the query fails with R0301, and the port is ended if it does not end by itself soon; others then fail with
   * `PortDied`. Once `signal` is aborted it fails in the same way with R0303. A quick query that has not run fails with `GivenBack` instead,
   * also when it came behind a slow one; so does one past its patience. `takes` receives the bytes of the rows, and the time they took, before they are returned.
   */
  readonly query: (
    question: Omit<QueryQuestion, 'form'>,
    signal?: AbortSignal,
    takes?: (bytes: number, milliseconds: number) => void,
  ) => Promise<readonly Row[]>;
  readonly columns: (question: Omit<QueryQuestion, 'form'>, signal?: AbortSignal) => Promise<ColumnBatch>;
  /** The last entry known to be in the tables. */
  readonly applied: () => number;
  /** Resolves with the next report of applied entries, rejects when the port dies. */
  readonly news: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface ConversationListener {
  readonly onApplied: (state: TablesState) => void;
  /** All that was applied is durable in the file. */
  readonly onSettled: () => void;
  /**
   * `overTime`: a query was stopped at its limit, or is no longer wanted; a new port may be opened once this one has
   * `ended`. `unwritable`: the disk is full or fails.
   */
  readonly onDeath: (reason: string, why: { overTime: boolean; unwritable: boolean }, ended: Promise<void>) => void;
}

interface Open {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly rows: Row[];
  readonly question: Question;
  timer?: NodeJS.Timeout;
  /** Removes the abort listener. */
  forget?: () => void;
}

type Cause = 'overTime' | 'outOfMemory' | 'unwritable' | 'damaged';

/** Time between two checks whether a query runs that was given up before its start. */
const lookMilliseconds = 10;
/** The time for an answered query to notice by itself that it is to end, so that no new start is needed. */
const graceMilliseconds = 100;

export async function createConversation(
  openPort: (listener: PortListener) => Promise<Port>,
  listener: ConversationListener,
): Promise<Conversation> {
  const open = new Map<number, Open>();
  let waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  let lastId = 0;
  let applied = 0;
  let dead: PortDied | undefined;
  /** Resolves when the port no longer uses memory. */
  let ended: Promise<void> = Promise.resolve();
  /** Queries that were given up, and are still to be answered. */
  const unwanted = new Set<number>();
  let looking: NodeJS.Timeout | undefined;
  /** Already answered, and still running. */
  let overdue: { readonly id: number; readonly timer: NodeJS.Timeout } | undefined;

  const die = (
    reason: string,
    {
      overTime = false,
      outOfMemory = false,
      unwritable = false,
      damaged = false,
    }: Partial<Record<Cause, boolean>> = {},
  ): void => {
    if (dead !== undefined) return;
    clearTimeout(overdue?.timer);
    clearInterval(looking);
    const why = { unwritable, damaged };
    const running = open.size > 0 ? port.running()?.id : undefined;
    dead = new PortDied(reason, overTime, why);
    listener.onDeath(reason, { overTime, unwritable }, ended);
    for (const [id, { reject, timer, forget, question }] of open) {
      clearTimeout(timer);
      forget?.();
      const begun = id === running;
      const memory = question.do === 'query' ? question.limits.memory : undefined;
      if (outOfMemory && begun && memory !== undefined) reject(overMemory(memory));
      else if (!begun && isQuick(question)) reject(new GivenBack());
      else reject(new PortDied(reason, (overTime || (outOfMemory && running !== undefined)) && !begun, why));
    }
    open.clear();
    for (const { reject } of waiting) reject(dead);
    waiting = [];
  };

  const endPort = (reason: string): void => {
    ended = port.end();
    die(reason, { overTime: true });
  };

  const stopQuery = (id: number): void => {
    const late = finish(id);
    if (late === undefined) return;
    late.reject(
      late.question.do === 'query' ? overTime(late.question.limits) : fail('R0301', { what: 'time', limit: '' }),
    );
    endUnlessSoon(id, 'a query went past its time and was stopped');
  };

  /** Ends the port if this query, which is answered, does not end by itself. */
  const endUnlessSoon = (id: number, reason: string): void => {
    clearTimeout(overdue?.timer);
    const timer = setTimeout(() => {
      // Its answer may only wait for those of others.
      if (port.running()?.id === id) endPort(reason);
    }, graceMilliseconds);
    overdue = { id, timer };
    port.stop(id);
  };

  /** Ends a query that runs and that no caller waits for. */
  const lookForUnwanted = (): void => {
    const id = port.running()?.id;
    if (id !== undefined && id !== overdue?.id && unwanted.has(id)) endUnlessSoon(id, 'a query was stopped');
  };

  /** No caller waits for the query now. A query that has not started does not delay others yet. */
  const giveUp = (id: number): void => {
    const given = finish(id);
    if (given === undefined) return;
    given.reject(fail('R0303', {}));
    unwanted.add(id);
    looking ??= setInterval(lookForUnwanted, lookMilliseconds).unref();
    lookForUnwanted();
  };

  /** The time of a query runs from its start. Looked at once in each such time, a query that has not started is never found too late. */
  const watch = (id: number, entry: Open, limit: number, left = limit): void => {
    entry.timer = setTimeout(() => {
      const running = port.running();
      const rest = running?.id === id ? limit - running.milliseconds : limit;
      if (rest > 0) watch(id, entry, limit, rest);
      else stopQuery(id);
    }, left);
  };

  const onReply = (reply: Reply): void => {
    switch (reply.reply) {
      case 'applied': {
        applied = reply.entry;
        listener.onApplied(reply);
        const told = waiting;
        if (told.length === 0) return;
        waiting = [];
        for (const { resolve } of told) resolve();
        holdWhileAwaited();
        return;
      }
      case 'settled':
        listener.onSettled();
        return;
      case 'broken':
        ended = port.end();
        die(reply.message, { unwritable: reply.unwritable === true, damaged: reply.damaged === true });
        return;
      case 'rows':
        for (const row of reply.rows) open.get(reply.id)?.rows.push(row);
        return;
      case 'done':
        finish(reply.id)?.resolve(reply.result);
        return;
      case 'given back':
        finish(reply.id)?.reject(new GivenBack());
        return;
      case 'overtaken':
        finish(reply.id)?.reject(new Overtaken());
        return;
      case 'failed':
        finish(reply.id)?.reject(failureOf(reply));
        return;
    }
  };

  const finish = (id: number): Open | undefined => {
    if (overdue?.id === id) {
      clearTimeout(overdue.timer);
      overdue = undefined;
    }
    if (unwanted.delete(id) && unwanted.size === 0) {
      clearInterval(looking);
      looking = undefined;
    }
    const entry = open.get(id);
    open.delete(id);
    clearTimeout(entry?.timer);
    entry?.forget?.();
    holdWhileAwaited();
    return entry;
  };

  /** Keeps the process as long as an answer or news is awaited: nothing else may be left that would. */
  const holdWhileAwaited = (): void => port.hold(open.size > 0 || waiting.length > 0);

  const port = await openPort({
    onReply,
    onDeath: (error) => die(error.message, { outOfMemory: isOutOfMemory(error) }),
  });

  const ask = (question: Question, signal?: AbortSignal): Promise<{ result: unknown; rows: readonly Row[] }> => {
    if (dead !== undefined) return Promise.reject(dead);
    if (signal?.aborted === true) return Promise.reject(fail('R0303', {}));
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      const rows: Row[] = [];
      const entry: Open = { question, rows, resolve: (result) => resolve({ result, rows }), reject };
      open.set(id, entry);
      if (signal !== undefined) {
        const stop = (): void => giveUp(id);
        signal.addEventListener('abort', stop, { once: true });
        entry.forget = () => signal.removeEventListener('abort', stop);
      }
      holdWhileAwaited();
      port.post(isQuick(question) ? { ...question, id, slow: port.slow() } : { ...question, id });
      const limit = question.do === 'query' ? question.limits.milliseconds : undefined;
      if (limit !== undefined && open.has(id)) watch(id, entry, limit);
    });
  };

  return {
    tell: (order) => {
      if (dead === undefined) port.post(order);
    },
    ask: async (question, milliseconds) => {
      if (milliseconds === undefined) return (await ask(question)).result;
      const id = lastId + 1;
      const timer = setTimeout(() => {
        finish(id)?.reject(fail('R0504', { problem: `a step of building it takes longer than ${milliseconds} ms` }));
        endPort('a change of the schema took too long');
      }, milliseconds);
      try {
        return (await ask(question)).result;
      } finally {
        clearTimeout(timer);
      }
    },
    query: async (question, signal, takes) => {
      const { rows, result } = await ask({ ...question, form: 'rows' }, signal);
      const last = result as LastRows; // the core's answer to it
      takes?.(last.bytes, last.milliseconds);
      return rows.length === 0 ? last.rows : rows.concat(last.rows);
    },
    columns: async (question, signal) => (await ask({ ...question, form: 'columns' }, signal)).result as ColumnBatch, // the core's answer to it
    applied: () => applied,
    news: () =>
      dead === undefined
        ? new Promise((resolve, reject) => {
            waiting.push({ resolve, reject });
            holdWhileAwaited();
          })
        : Promise.reject(dead),
    end: async () => {
      const isQuiet = dead === undefined && open.size === 0 && overdue === undefined;
      die('it was closed');
      await (isQuiet ? port.close() : port.end());
    },
  };
}

function isOutOfMemory(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function isQuick(question: Question): question is QueryQuestion {
  return question.do === 'query' && question.limits.quick === true;
}

function failureOf({ code, message, at }: Extract<Reply, { readonly reply: 'failed' }>): Error {
  if (code === undefined) return new Error(message);
  return at === undefined ? new Failure(code, message) : new QueryFailure({ code, message }, at);
}
