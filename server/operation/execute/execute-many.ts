/**
 * Executes many commands, one after the other: each sees the events of those before it, and commands that are under way together share commits.
 * Gives what is printed of their outcomes in their order, as they become durable.
 *
 * Commands are taken while few are under way and the sender takes the answer; up to some MiB of answer wait for senders that send everything
 * before they read. When the sender goes, nothing is begun after the commands then under way.
 */
import { Failure } from '../../../language/failure/failure.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { Caller, ExecuteRequest, Outcome } from '../../../runtime/engine/outcome.ts';
import type { Raw } from '../../../runtime/engine/raw.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { Busy, HungUp } from '../room/busy.ts';
import type { Lease } from '../room/held-results.ts';
import { pulled } from '../room/pulled.ts';
import { outcomeSeen, shownOutcome, type OutcomeReader, type OutcomeSeen, type Shown } from '../shown.ts';
import { createAnswerQueue, type Place } from './answer-queue.ts';

/** Commands of one request that are begun and not answered. */
const mostUnderWay = 256;
/** New ones are begun once so few are left under way: what begins together shares a commit. */
const fewUnderWay = mostUnderWay / 2;

/** The commands as a way in reads them, and their outcomes as it prints them. */
export interface Lines<Line> {
  /** The next lines, at least one; undefined at the end. */
  readonly next: () => Promise<readonly Line[] | undefined>;
  /** Why neither this line nor a further one may be begun. */
  readonly ends: (line: Line) => Error | undefined;
  /** Throws what is wrong with the line. */
  readonly commandOf: (line: Line) => LineCommand;
  readonly succeeded: (line: Line, outcome: Shown<OutcomeSeen>) => readonly Row[];
  readonly failed: (line: Line, error: unknown, streamId: string | null) => readonly Row[];
  readonly counted: (counts: Readonly<Counts>) => void;
}

export interface LineCommand {
  readonly request: ExecuteRequest;
  /** The stream as the arguments name it, so that the row of a failed command can be found by it. */
  readonly streamId: string | null;
}

/** Numbers of commands by their ends. */
interface Counts {
  lines: number;
  emitted: number;
  rejected: number;
  errors: number;
  events: number;
}

/** Ways in which the command of a line can end. */
interface Ends<Line> {
  readonly succeeded: (begun: Begun<Line>, outcome: Raw<Outcome>) => void;
  readonly failed: (begun: Begun<Line>, error: unknown) => void;
}

/** A line that is begun: its place in the answer, and the caller of its command. One object, since each of thousands has one. */
class Begun<Line> implements Place, Caller<Raw<Outcome>> {
  readonly line: Line;
  rows: readonly Row[] | undefined = undefined;
  streamId: string | null = null;
  private readonly ends: Ends<Line>;

  constructor(line: Line, ends: Ends<Line>) {
    this.line = line;
    this.ends = ends;
  }
  resolve(outcome: Raw<Outcome>): void {
    this.ends.succeeded(this, outcome);
  }
  reject(error: unknown): void {
    this.ends.failed(this, error);
  }
}

/** Whether a command failed because the store cannot take commands now. */
export function isOfStore({ kind }: Failure): boolean {
  return kind === 'store' || kind === 'busy';
}

interface SentBy extends OutcomeReader {
  readonly engine: Engine;
  readonly lease: Pick<Lease, 'holds'>;
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal;
}

/**
 * The rows of the answer, in pieces. Rejects at its first step with what makes the whole request fail; later the answer is cut, after the
 * rows of the lines that were under way.
 */
export function executeMany<Line>(sender: SentBy, lines: Lines<Line>): AsyncIterableIterator<readonly Row[]> {
  const { engine, lease, stopping } = sender;
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
  const stop = (why?: Error): void => {
    isOver = true;
    cut ??= why;
    resumeReading();
    resumeSending();
  };
  const answers = createAnswerQueue(lease, () => {
    if (underWay <= fewUnderWay) resumeReading();
    resumeSending();
  });
  const refused = (begun: Begun<Line>, error: unknown): void => {
    counts.errors += 1;
    answers.put(begun, lines.failed(begun.line, error, begun.streamId));
  };
  const succeeded = (begun: Begun<Line>, outcome: Shown<OutcomeSeen>): void => {
    underWay -= 1;
    counts[outcome.outcome] += 1;
    counts.events += outcome.events.length;
    answers.put(begun, lines.succeeded(begun.line, outcome));
  };
  const ends: Ends<Line> = {
    succeeded: (begun, raw) => {
      const seen = outcomeSeen(shownOutcome(raw, sender), sender);
      if (seen instanceof Promise)
        seen.then(
          (outcome) => succeeded(begun, outcome),
          (error: unknown) => ends.failed(begun, error),
        );
      else succeeded(begun, seen);
    },
    failed: (begun, error) => {
      underWay -= 1;
      // A store that cannot write now would not write thousands of further lines either.
      if (error instanceof Failure && isOfStore(error)) stop(new Busy('the store failed while lines were under way'));
      refused(begun, error);
    },
  };

  const begin = (line: Line): void => {
    const begun = new Begun(line, ends);
    answers.reserve(begun);
    counts.lines += 1;
    try {
      const over = lines.ends(line);
      if (over !== undefined) {
        stop(new Busy(over.message));
        throw over;
      }
      const { request, streamId } = lines.commandOf(line);
      begun.streamId = streamId;
      underWay += 1;
      engine.executeFor(request, begun);
    } catch (error) {
      refused(begun, error);
    }
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
      const read = isOver ? undefined : await lines.next();
      if (read === undefined) return;
      for (const line of read) {
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
    lines.counted(counts);
    stopping.removeEventListener('abort', onStopping);
  };

  return pulled<readonly Row[]>(async () => {
    while (!answers.hasReady() && !(isOver && answers.isEmpty())) {
      await new Promise<void>((resolve) => {
        wakeSending = resolve;
      });
    }
    lines.counted(counts);
    const piece = answers.take();
    if (piece !== undefined) return piece;
    end();
    if (cut !== undefined) throw cut;
    return undefined;
  }, end);
}
