/**
 * Executes the commands of a request's lines, one after the other: a line sees the events of the lines before it, and lines that are under way
 * together share commits. Takes lines, gives rows in the order of the lines, as they become durable.
 *
 * The body is read while few lines are under way and the caller takes the answer; up to some MiB of answer wait for callers that write
 * everything before they read. When the caller goes, nothing is begun after the lines then under way.
 */
import { Failure } from '../../../language/failure/failure.ts';
import type { Caller, ExecuteRequest, Outcome } from '../../../runtime/engine/outcome.ts';
import type { Raw } from '../../../runtime/engine/raw.ts';
import { shownOutcome } from '../../operation/shown.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { Busy, HungUp } from '../../operation/room/busy.ts';
import { Problem } from '../answers/problem.ts';
import { pulled } from '../../operation/room/pulled.ts';
import { refusalOf } from '../answers/refusal.ts';
import { commandOf } from '../answers/registered.ts';
import { subjectOf } from '../request/subject.ts';
import type { CommandHeaders } from '../request/command-headers.ts';
import type { Call } from '../pipeline/route.ts';
import { createAnswerQueue, type Place } from './answer-queue.ts';
import { commandOfLine } from './command-of-line.ts';
import type { Line, LineReader } from './line-reader.ts';
import { errorRow, lineRows, namedStream } from './line-rows.ts';
import { isOfStore } from './of-store.ts';

/** Lines of one request that are begun and not answered. */
const mostUnderWay = 256;
/** New lines are begun once so few are left under way: what begins together shares a commit. */
const fewUnderWay = mostUnderWay / 2;

/** What the lines have in common. */
export interface LinesSubject {
  readonly command: string;
  /** The one that the caller may execute it on; a posted block can give the command to another one. */
  readonly aggregate: string;
  readonly headers: Pick<CommandHeaders, 'correlationId' | 'causationId'>;
}

/** How many lines ended how: for the one log line of the request. */
interface Counts {
  lines: number;
  emitted: number;
  rejected: number;
  errors: number;
  events: number;
}

/** How the command of a line can end. */
interface Ends {
  readonly succeeded: (line: BegunLine, outcome: Raw<Outcome>) => void;
  readonly failed: (line: BegunLine, error: unknown) => void;
}

/** A line that is begun: its place in the answer, and the caller of its command. One object, since each of thousands has one. */
class BegunLine implements Place, Caller<Raw<Outcome>> {
  readonly number: number;
  rows: readonly Row[] | undefined = undefined;
  /** As the arguments name it. */
  streamId: string | null = null;
  private readonly ends: Ends;

  constructor(number: number, ends: Ends) {
    this.number = number;
    this.ends = ends;
  }
  resolve(outcome: Raw<Outcome>): void {
    this.ends.succeeded(this, outcome);
  }
  reject(error: unknown): void {
    this.ends.failed(this, error);
  }
}

/**
 * The rows of the answer, in pieces. Rejects at its first step with what makes the whole request fail; later the answer is cut, after the
 * rows of the lines that were under way.
 */
export function executeLines(
  call: Call,
  { command: name, aggregate, headers }: LinesSubject,
  reader: LineReader,
): AsyncIterableIterator<readonly Row[]> {
  const { engine, settings, time, stopping } = call.options;
  const counts: Counts = { lines: 0, emitted: 0, rejected: 0, errors: 0, events: 0 };
  let underWay = 0;
  /** Nothing further is begun. */
  let isOver = false;
  /** Why the answer is cut once its rows are taken. */
  let cut: Error | undefined;
  /** Continues the reading, and the sending, when there is something new for it. */
  let wakeReading: (() => void) | undefined;
  let wakeSending: (() => void) | undefined;

  // Each once: resolving a promise again costs more than resolving it.
  const resumeReading = (): void => {
    const resume = wakeReading;
    wakeReading = undefined;
    resume?.();
  };
  const resumeSending = (): void => {
    const resume = wakeSending;
    wakeSending = undefined;
    resume?.();
  };
  const wake = (): void => {
    if (underWay <= fewUnderWay) resumeReading();
    resumeSending();
  };
  const stop = (why?: Error): void => {
    isOver = true;
    cut ??= why;
    resumeReading();
    resumeSending();
  };
  const answers = createAnswerQueue(call.lease, wake);
  const refused = (line: BegunLine, error: unknown): void => {
    counts.errors += 1;
    const { message, code } = refusalOf(error, 'elsewhere');
    if (!(error instanceof Failure) && !(error instanceof Problem))
      call.options.log.error({ err: error, line: line.number }, 'a line of a request failed');
    answers.put(line, [errorRow(line.number, line.streamId, { message, code })]);
  };
  const ends: Ends = {
    succeeded: (line, raw) => {
      const outcome = shownOutcome(raw, call);
      underWay -= 1;
      counts[outcome.outcome] += 1;
      counts.events += outcome.events.length;
      call.metrics.decided(outcome.outcome);
      answers.put(line, lineRows(line.number, outcome));
    },
    failed: (line, error) => {
      underWay -= 1;
      // What the store cannot write now it will not write for thousands of lines either.
      if (error instanceof Failure && isOfStore(error)) stop(new Busy('the store failed while lines were under way'));
      refused(line, error);
    },
  };

  const { subject } = subjectOf(call);
  const { correlationId, causationId } = headers;
  const begin = (read: Line): void => {
    const line = new BegunLine(read.number, ends);
    answers.reserve(line);
    counts.lines += 1;
    if (read.problem !== undefined) {
      refused(line, new Problem('H4005', read.problem));
      return;
    }
    try {
      if (hasExpired()) throw new Problem('H4011', 'the bearer token has expired');
      const { command } = commandOf(engine.domain(), name);
      const sent = commandOfLine(command, read.text, settings.limits);
      line.streamId = namedStream(command, sent.arguments);
      const request: { -readonly [K in keyof ExecuteRequest]: ExecuteRequest[K] } = {
        command: name,
        aggregate,
        arguments: sent.arguments,
        waitsInLine: true,
      };
      if (subject !== undefined) request.subject = subject;
      if (correlationId !== undefined) request.correlationId = correlationId;
      if (causationId !== undefined) request.causationId = causationId;
      if (sent.commandId !== undefined) request.commandId = sent.commandId;
      if (sent.expectedSeq !== undefined) request.expectedSeq = sent.expectedSeq;
      underWay += 1;
      engine.executeFor(request, line);
    } catch (error) {
      refused(line, error);
    }
  };
  const hasExpired = (): boolean => {
    const { until } = call.caller;
    if (until === undefined || time.now() <= until) return false;
    call.log({ denied: 'expired' });
    stop(new Busy('the bearer token has expired'));
    return true;
  };

  const mayBegin = (): boolean => isOver || (underWay < mostUnderWay && answers.hasRoom());
  const untilFew = async (): Promise<void> => {
    while (!mayBegin()) {
      await new Promise<void>((resolve) => {
        wakeReading = resolve;
      });
    }
  };
  const readAll = async (): Promise<void> => {
    for (;;) {
      await untilFew();
      const lines = isOver ? undefined : await reader.next();
      if (lines === undefined) return;
      for (const line of lines) {
        if (!mayBegin()) await untilFew();
        if (isOver) return;
        begin(line);
      }
    }
  };
  const reading = readAll().catch((error: unknown) => stop(error instanceof Error ? error : new HungUp()));
  void reading.then(() => stop());
  // Also while it waits for a line, which may take as long as a whole stop.
  const onStopping = (): void => stop(new Busy('the server is stopping'));
  if (stopping.aborted) onStopping();
  else stopping.addEventListener('abort', onStopping, { once: true });
  const end = (): void => {
    stop();
    call.log({ ...counts });
    stopping.removeEventListener('abort', onStopping);
  };

  let sent = 0;
  return pulled<readonly Row[]>(async () => {
    while (!answers.hasReady() && !(isOver && answers.isEmpty())) {
      await new Promise<void>((resolve) => {
        wakeSending = resolve;
      });
    }
    call.log({ ...counts });
    const piece = answers.take();
    if (piece !== undefined) {
      sent += piece.length;
      return piece;
    }
    end();
    if (cut !== undefined) throw cut instanceof Problem && sent > 0 ? new Busy(cut.message) : cut;
    return undefined;
  }, end);
}
