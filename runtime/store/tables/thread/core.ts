/**
 * The read model itself: one database that takes lines and runs compiled queries. Synchronous, in one thread; handles
 * requests in order and gives replies. Knows nothing of files, turns or workers.
 */
import type { AggregateTable } from '../../../../language/contract/read-model.ts';
import { fail, Failure } from '../../../../language/failure/failure.ts';
import type { Randomness } from '../../disk.ts';
import { decodeLine } from '../../line.ts';
import { createCommandHash } from '../../turns/command-index.ts';
import {
  createAside,
  dropLeftovers,
  isOvertaken,
  makeAhead,
  planAdoption,
  swapTables,
  type Adoption,
} from '../adoption/adoption.ts';
import { createAhead, type Ahead } from '../core/ahead.ts';
import { damageOf } from '../core/image-fitness.ts';
import {
  createEventWriter,
  type EventWriter,
  type RecordFindings,
  type RecordUnreadable,
} from '../core/event-writer.ts';
import { beginFolds, type FoldBuilds } from '../adoption/fold-adoption.ts';
import { createFoldTables } from '../core/fold-tables.ts';
import type { FoldProgress, Reply, Request } from '../core/messages.ts';
import { applyLines, createModelWriter, loadedState, openModel, storedLedger, takeSnapshot } from '../core/model.ts';
import { emptyShared, fillShared } from '../core/shared-views.ts';
import { addRows, keepQuery, makeTable } from '../core/session-tables.ts';
import { quoted } from '../core/engine.ts';
import { DamagedFile, UnwritableFile } from '../files/database-file.ts';
import { appliedReply, brokenReply, failedReply, isFatal, messageOf } from '../core/failed-reply.ts';
import { createMoments } from '../core/moments.ts';
import { createOpenMark } from '../core/open-mark.ts';
import { openModelFile, removeModelFile, type OpenedFile } from '../core/open-file.ts';
import { createSettling } from '../core/settling.ts';
import type { ModelFile } from '../files/model-file.ts';
import { loadSqlite } from '../core/sqlite.ts';
import { asideTable } from '../core/tables.ts';

export interface ReadModelCore {
  readonly handle: (request: Request) => void;
  /** Writes queued lines into the tables; done before any read, and useful when no request is waiting. */
  readonly drain: () => void;
  readonly close: () => void;
}

export interface CoreOptions {
  /** Hex: the key of the command hashes. */
  readonly secret: string;
  /** Without one the tables are in memory. */
  readonly file?: ModelFile;
  readonly random: Randomness;
  readonly reply: (reply: Reply) => void;
  /** The time of this query runs from now; the result says whether it is to stop. */
  readonly begun: (id: number) => () => boolean;
}

/** Time for which a change is prepared without a pause; then queries have their turn. */
const aheadMilliseconds = 20;
const nothingYet: FoldProgress = { done: 0, total: 0 };

/** Lines that may be queued before they are written at once. */
const queueLimit = 2000;

interface Aside {
  readonly adoption: Adoption;
  readonly writer: EventWriter;
  readonly tables: readonly AggregateTable[];
  readonly hidden: Map<string, readonly [string, string, string]>;
  readonly unreadable: Parameters<RecordUnreadable>[];
  readonly folds: FoldBuilds;
  readonly ahead: Ahead;
  /** The remaining steps ahead of the swap; undefined when none is left. */
  making: Generator<undefined, void> | undefined;
}

export async function createCore(options: CoreOptions): Promise<ReadModelCore> {
  const { reply, file } = options;
  const hash = file === undefined ? createCommandHash(options.secret) : undefined;
  const engine = await loadSqlite();
  let opened: OpenedFile =
    file === undefined ? { model: openModel(engine), unclean: false } : openModelFile(engine, file);
  let model = opened.model;
  let queue: string[] = [];
  let aheadOpen = false;
  let aside: Aside | undefined;
  let broken: string | undefined;
  let isOpen = true;
  const openMark = createOpenMark(() => (file === undefined ? undefined : model));
  const settling = createSettling({
    isNeeded: file !== undefined,
    settle: () => broken !== undefined || (!aheadOpen && model.database.settle()),
    onSettled: () => {
      if (broken === undefined) reply({ reply: 'settled' });
    },
    onError: (error) => breakOff(error),
  });
  const closeModel = (): void => {
    if (isOpen) model.database.close();
    isOpen = false;
  };

  /** After this nothing is answered, and the owner starts a new read model, as after any other death. */
  const breakOff = (error: unknown, at = ''): void => {
    broken = `${at}${messageOf(error)}`;
    if (file !== undefined && error instanceof DamagedFile) {
      closeModel();
      removeModelFile(file);
    }
    reply(brokenReply(error, broken));
  };

  const drain = (): void => {
    if (queue.length === 0 || broken !== undefined) return;
    const lines = queue;
    queue = [];
    const { database, kept } = model;
    try {
      database.begin();
      applyLines(model, hash, lines);
      openMark.set();
      database.commit();
    } catch (error) {
      breakOff(error, `entry after ${kept.reached().entry}: `);
      return;
    }
    reply(appliedReply(model));
    settling.wrote(lines.length);
  };

  /** Ends the entries ahead: an order without an answer, so that a failure is reported as the end of the read model. */
  const endAhead = (end: () => void): void => {
    if (broken !== undefined) return;
    try {
      end();
    } catch (error) {
      breakOff(error);
    }
  };

  const forget = (): void => {
    if (!aheadOpen) return;
    aheadOpen = false;
    model.database.rollback();
    model.kept.reload();
    model.folds.reload();
  };

  const confirm = (): void => {
    aheadOpen = false;
    openMark.set();
    model.database.commit();
    reply(appliedReply(model));
    settling.wrote(1);
  };

  const transaction = <T>(work: () => T): T => {
    model.database.begin();
    try {
      const result = work();
      model.database.commit();
      settling.wrote(1);
      return result;
    } catch (error) {
      if (isFatal(error)) throw error;
      model.database.rollback();
      model.kept.reload();
      throw error;
    }
  };

  const prepare = (adoption: Adoption, rebuild: readonly string[]): readonly string[] => {
    const { database, kept } = model;
    aside?.writer.free();
    const { tables, folds } = transaction(() => {
      dropLeftovers(database, kept.definition());
      return {
        tables: createAside(database, adoption),
        folds: beginFolds(database, kept.definition(), adoption, rebuild),
      };
    });
    const ahead = createAhead();
    const making = makeAhead(database, kept, adoption, { folds, ahead });
    const hidden: Aside['hidden'] = new Map();
    const unreadable: Aside['unreadable'] = [];
    const findings: RecordFindings = {
      recordHidden: (...field) => hidden.set(field.join('\0'), field),
      recordUnreadable: (...found) => unreadable.push(found),
    };
    const writer = createEventWriter(database, tables, asideTable, findings, { ignoreOthers: true });
    aside = { adoption, writer, tables, hidden, unreadable, folds, ahead, making };
    return tables.map((table) => table.aggregate);
  };

  const refill = ({ writer }: Aside, lines: readonly string[]): void => {
    transaction(() => {
      for (const line of lines) {
        const entry = decodeLine(line);
        if (entry.kind === 'command') writer.write(entry);
      }
      writer.flush();
    });
  };

  /** Does some of the steps ahead of the swap; false when none was left. */
  const makeSome = (begun: Aside): boolean => {
    if (begun.making === undefined) return false;
    const end = performance.now() + aheadMilliseconds;
    while (performance.now() < end) {
      if (begun.making.next().done !== true) continue;
      begun.making = undefined;
      break;
    }
    return true;
  };

  /** Past its time limit nothing has changed, and it can be tried again. */
  const swap = (begun: Aside, milliseconds = Infinity): void => {
    const { adoption, writer, tables, hidden, unreadable, folds, ahead } = begun;
    const end = performance.now() + milliseconds;
    const mayGoOn = (): void => {
      if (performance.now() > end)
        throw fail('R0504', { problem: `putting it in force holds commands up for more than ${milliseconds} ms` });
    };
    aside = undefined;
    const takeBack = folds.mark();
    model.queries.clear();
    model.writer.free();
    model.folds.free();
    const { database, kept } = model;
    try {
      transaction(() => {
        for (const table of tables) kept.forgetHidden(table.aggregate);
        for (const field of hidden.values()) kept.recordHidden(...field);
        for (const found of unreadable) kept.recordUnreadable(...found);
        swapTables(database, kept, adoption, { folds, ahead }, mayGoOn);
      });
      writer.free();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'R0504') throw error;
      takeBack();
      aside = begun;
      throw error;
    } finally {
      model.writer = createModelWriter(database, kept);
      model.folds = createFoldTables(database, kept.definition());
    }
  };

  const replace = (next: typeof model): void => {
    model.database.close();
    model = next;
  };

  const setMoment = (now: bigint, seed?: string): void => createMoments(model.database, options.random)(now, seed);

  const answer = (request: Extract<Request, { readonly id: number }>): unknown => {
    switch (request.do) {
      case 'query': {
        const { id, query, form, parameters, limits, instant, seed } = request;
        drain();
        if (broken !== undefined) throw new Error(`the read model is broken: ${broken}`);
        const isStopped = options.begun(id);
        setMoment(instant, seed);
        if (query.shared !== undefined) settling.wrote(0); // rows that it writes and takes back hold locks of a file
        if (form === 'columns') return model.queries.columns(query, parameters, limits, isStopped);
        return model.queries.run(query, parameters, limits, isStopped, (rows) => reply({ reply: 'rows', id, rows }));
      }
      case 'prepare': {
        const { definition, rebuild = [] } = request;
        if (rebuild.length === 0 && JSON.stringify(model.kept.definition()) === JSON.stringify(definition))
          return undefined;
        drain();
        return prepare(planAdoption(model.database, model.kept, definition), rebuild);
      }
      case 'refill':
        if (aside === undefined) throw new Error('nothing is being rebuilt');
        refill(aside, request.lines);
        return undefined;
      case 'fold': {
        drain();
        const begun = aside;
        if (begun === undefined) throw new Error('nothing is being adopted');
        return transaction(() => (makeSome(begun) ? nothingYet : begun.folds.slice()));
      }
      case 'swap':
        drain();
        if (aside === undefined) throw new Error('nothing is being adopted');
        if (isOvertaken(model.database, model.kept, aside.adoption)) return 'overtaken';
        swap(aside, request.milliseconds);
        reply(appliedReply(model));
        return undefined;
      case 'table':
        transaction(() => {
          makeTable(model.database, request.table, request.columns);
          addRows(model.database, request.table, request.columns, request.rows);
        });
        return undefined;
      case 'keep-query': {
        drain();
        setMoment(request.instant);
        transaction(() => {
          const { table, query, parameters } = request;
          fillShared(model.database, model.kept.definition(), query.shared);
          keepQuery(model.database, table, query, parameters);
          emptyShared(model.database, model.kept.definition(), query.shared);
        });
        return undefined;
      }
      case 'rows':
        transaction(() => {
          addRows(model.database, request.table, request.columns, request.rows);
        });
        return undefined;
      case 'drop':
        transaction(() => {
          model.database.run(`DROP TABLE IF EXISTS temp.${quoted(request.table)}`);
        });
        return undefined;
      case 'ledger':
        drain();
        return storedLedger(model);
      case 'snapshot':
        drain();
        return takeSnapshot(model);
      case 'load': {
        const damage = damageOf(request.image, request.checksum);
        if (damage !== undefined) throw new Error(damage);
        replace(openModel(engine, { in: 'memory', image: request.image }));
        return loadedState(model);
      }
      case 'unload':
        if (file === undefined) replace(openModel(engine));
        else {
          model.database.close();
          removeModelFile(file);
          opened = openModelFile(engine, file);
          ({ model } = opened);
          openMark.forget();
        }
        return undefined;
      case 'resume':
        return {
          ...loadedState(model),
          unclean: opened.unclean,
          ...(opened.dropped !== undefined && { dropped: opened.dropped }),
        };
      case 'damaged':
        throw new DamagedFile(request.problem);
      case 'settle':
        drain();
        return settling.now();
    }
  };

  const applyAhead = (lines: readonly string[]): void => {
    drain();
    if (broken !== undefined) return;
    try {
      if (!aheadOpen) model.database.begin();
      aheadOpen = true;
      applyLines(model, hash, lines);
    } catch (error) {
      breakOff(error);
    }
  };

  const respond = (id: number, work: () => unknown): void => {
    try {
      const result = work();
      reply(result === undefined ? { reply: 'done', id } : { reply: 'done', id, result });
    } catch (error) {
      if (isFatal(error)) breakOff(error);
      else reply(failedReply(id, error));
    }
  };

  return {
    drain,
    handle: (request) => {
      switch (request.do) {
        case 'apply':
          for (const line of request.text.split('\n')) queue.push(line);
          if (queue.length >= queueLimit) drain();
          return;
        case 'apply-ahead':
          applyAhead(request.lines);
          return;
        case 'forget':
        case 'confirm':
          endAhead(request.do === 'forget' ? forget : confirm);
          return;
        default:
          respond(request.id, () => answer(request));
      }
    },
    close: () => {
      settling.stop();
      if (broken === undefined) {
        try {
          if (!aheadOpen) openMark.clear();
          settling.now();
        } catch (error) {
          // The disk is full: the missing rows are in the log, and the next start finds an unclean end.
          if (!(error instanceof UnwritableFile)) throw error;
        }
      }
      closeModel();
    },
  };
}
