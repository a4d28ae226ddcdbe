/**
 * Reads the texts of INTERVALs: pairs of a number and a unit, a time `[-]HH:MM[:SS[.ffffff]]`, and ISO 8601 (docs/language.md#intervals). A
 * fraction becomes smaller parts as in PostgreSQL: a fraction of years whole months, of months and weeks days and time, of days time.
 */
import type { Interval } from './interval.ts';
import { divideRounded, parseDecimal, powerOfTen } from './decimal.ts';
import { dayMicroseconds } from './timestamp.ts';

/** Size of a unit: in months that keep no fraction, months, days or microseconds. */
type Unit = readonly [part: 'years' | 'months' | 'days' | 'microseconds', size: bigint];

const units: ReadonlyMap<string, Unit> = new Map([
  ...named(['microsecond', 'microseconds', 'us', 'usec', 'usecs'], ['microseconds', 1n]),
  ...named(['millisecond', 'milliseconds', 'ms', 'msec', 'msecs'], ['microseconds', 1000n]),
  ...named(['second', 'seconds', 's', 'sec', 'secs'], ['microseconds', 1_000_000n]),
  ...named(['minute', 'minutes', 'm', 'min', 'mins'], ['microseconds', 60_000_000n]),
  ...named(['hour', 'hours', 'h', 'hr', 'hrs'], ['microseconds', 3_600_000_000n]),
  ...named(['day', 'days', 'd'], ['days', 1n]),
  ...named(['week', 'weeks', 'w'], ['days', 7n]),
  ...named(['month', 'months', 'mon', 'mons'], ['months', 1n]),
  ...named(['year', 'years', 'y', 'yr', 'yrs'], ['years', 12n]),
  ...named(['decade', 'decades'], ['years', 120n]),
  ...named(['century', 'centuries'], ['years', 1200n]),
  ...named(['millennium', 'millennia'], ['years', 12_000n]),
]);

function named(names: readonly string[], unit: Unit): readonly (readonly [string, Unit])[] {
  return names.map((name) => [name, unit]);
}

const isoUnits: Readonly<Record<string, string>> = { Y: 'year', M: 'month', W: 'week', D: 'day' };
const isoTimeUnits: Readonly<Record<string, string>> = { H: 'hour', M: 'minute', S: 'second' };

/** Longer texts are refused: no interval needs them. */
const mostCharacters = 200;

const pair = /^([+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}))\s*([a-z]+)/i;
const clock = /^([+-]?)(\d{1,10}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(?![\d:.])/;

/** Undefined for a text that is no interval. */
export function parseInterval(text: string): Interval | undefined {
  if (text.length > mostCharacters) return undefined;
  const written = text.trim();
  return written.startsWith('P') ? parseIso(written) : parseParts(written);
}

function parseParts(text: string): Interval | undefined {
  let rest = text;
  let sum = nothing;
  const seen = new Set<Unit | undefined>();
  if (rest === '') return undefined;
  while (rest !== '') {
    const time = clock.exec(rest);
    const found = time ?? pair.exec(rest);
    const part = time === null ? found && amount(found[1] ?? '', found[2] ?? '') : timeOf(time);
    if (found === null || part === null || part === undefined) return undefined;
    for (const name of time === null ? [found[2] ?? ''] : ['hour', 'minute', 'second']) {
      const unit = units.get(name.toLowerCase());
      if (seen.has(unit)) return undefined;
      seen.add(unit);
    }
    sum = plus(sum, part);
    rest = rest.slice(found[0].length).replace(/^\s+/, '');
  }
  return sum;
}

function timeOf(found: RegExpExecArray): Interval | undefined {
  const [minutes, seconds] = [BigInt(found[3] ?? '0'), BigInt(found[4] ?? '0')];
  if (minutes > 59n || seconds > 59n) return undefined;
  const whole = BigInt(found[2] ?? '0') * 3600n + minutes * 60n + seconds;
  const size = whole * 1_000_000n + BigInt((found[5] ?? '').padEnd(6, '0'));
  return { ...nothing, microseconds: found[1] === '-' ? -size : size };
}

/** `P1Y2M3W4DT5H6M7.5S`, with a sign before any number. */
function parseIso(text: string): Interval | undefined {
  const found = /^P((?:[+-]?[\d.]+[YMWD])*)(?:T((?:[+-]?[\d.]+[HMS])+))?$/.exec(text);
  if (found === null || (found[1] === '' && found[2] === undefined)) return undefined;
  let sum = nothing;
  for (const [parts, names] of [
    [found[1] ?? '', isoUnits],
    [found[2] ?? '', isoTimeUnits],
  ] as const)
    for (const [, number = '', unit = ''] of parts.matchAll(/([+-]?[\d.]+)([A-Z])/g)) {
      const part = amount(number, names[unit] ?? '');
      if (part === undefined) return undefined;
      sum = plus(sum, part);
    }
  return sum;
}

/** The interval of a number of units; undefined if there is no such number or unit. */
function amount(number: string, unitName: string): Interval | undefined {
  const unit = units.get(unitName.toLowerCase());
  const written = parseDecimal(number.replace(/\.$/, ''));
  if (unit === undefined || written === undefined) return undefined;
  const [part, size] = unit;
  const bottom = powerOfTen(Math.max(0, written.scale));
  const top = written.unscaled * size * powerOfTen(Math.max(0, -written.scale));
  switch (part) {
    case 'years':
      return { ...nothing, months: divideRounded(top, bottom) };
    case 'months': {
      const days = (top % bottom) * 30n;
      return {
        months: top / bottom,
        days: days / bottom,
        microseconds: divideRounded((days % bottom) * dayMicroseconds, bottom),
      };
    }
    case 'days':
      return { ...nothing, days: top / bottom, microseconds: divideRounded((top % bottom) * dayMicroseconds, bottom) };
    case 'microseconds':
      return { ...nothing, microseconds: divideRounded(top, bottom) };
  }
}

const nothing: Interval = { months: 0n, days: 0n, microseconds: 0n };

function plus(a: Interval, b: Interval): Interval {
  return { months: a.months + b.months, days: a.days + b.days, microseconds: a.microseconds + b.microseconds };
}
