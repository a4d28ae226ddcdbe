import type { Advance } from '../../../compiler/index.ts';
import { fail } from '../../../language/failure/failure.ts';
import { parseTimestamp, printTimestamp } from '../../../language/values/timestamp.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import type { Reacted } from '../../../runtime/engine/reactions.ts';

const microseconds = { SECOND: 1n, MINUTE: 60n, HOUR: 3_600n, DAY: 86_400n, WEEK: 604_800n } as const;

function lengthOf(by: Advance['by']): bigint {
  if (by === undefined) return 0n;
  if (!/^\d{1,12}$/.test(by.amount)) throw fail('R0604', { problem: 'it takes a whole number of the unit' });
  const unit = by.unit.replace(/S$/, '') as keyof typeof microseconds; // DAYS and DAY are one unit
  return BigInt(by.amount) * microseconds[unit] * 1_000_000n;
}

function momentOf(text: string): bigint {
  const moment = parseTimestamp(text);
  if (moment === undefined) throw fail('R0604', { problem: `'${text.slice(0, 40)}' is no TIMESTAMP` });
  return moment;
}

/** Moments between two calls of `progress`. */
const often = 100;
/** The last moment of the year 9999, after which nothing is due. */
const lastMoment = 253_402_300_799_999_999n;

/**
 * ADVANCE CLOCK: the clock of the session stops at each moment at which a command of a reaction is due, in order, until all that follows
 * from it is done, and continues from the moment that is asked for.
 */
export async function runAdvance(context: StatementContext, { by, to }: Advance): Promise<StatementResult> {
  const { sessionClock: clock, engine } = context;
  if (clock === undefined) throw fail('R0603', {});
  await context.live.adopt();
  const begun = clock.now();
  const target = to === undefined ? begun + lengthOf(by) : momentOf(to.value);
  if (target < begun)
    throw fail('R0604', {
      problem: 'that moment is over; the clock only goes forward, from the time of --clock if that is given',
    });
  if (target > lastMoment) throw fail('R0604', { problem: 'it does not go beyond the year 9999' });
  const reacted: Reacted[] = [];
  try {
    for (let moments = 1; ; moments += 1) {
      reacted.push(...(await engine.reactions.settled()));
      const due = engine.reactions.nextDue();
      if (due === undefined || due > target) break;
      const now = clock.now();
      clock.stop(due > now ? due : now);
      if (moments % often === 0) await context.progress(`the clock is at ${printTimestamp(due)}`);
    }
    clock.stop(target);
  } finally {
    clock.go();
  }
  return { kind: 'advance', to: target, reacted };
}
