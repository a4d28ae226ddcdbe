import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calendarDay, dayNumber, daysInMonth, firstDay, isoWeekday, lastDay } from '../../language/values/calendar.ts';
import { parseDate, printDate } from '../../language/values/date.ts';
import { datePart, timestampPart, truncateTimestamp, type DatePart } from '../../language/values/time-parts.ts';
import {
  parseTimestamp,
  printTimestamp,
  timestampMax,
  timestampMin,
  timestampToDate,
} from '../../language/values/timestamp.ts';

test('every day of the years 0001 to 9999 has one number, in order', () => {
  let number = firstDay;
  for (let year = 1; year <= 9999; year++) {
    for (let month = 1; month <= 12; month++) {
      const days = daysInMonth(year, month);
      for (const day of year % 50 === 0 ? Array.from({ length: days }, (_, index) => index + 1) : [1, days]) {
        const expected = number + day - 1;
        if (dayNumber(year, month, day) !== expected) assert.unreachable(`${year}-${month}-${day}`);
        const back = calendarDay(expected);
        if (back.year !== year || back.month !== month || back.day !== day) assert.unreachable(String(expected));
      }
      number += days;
    }
  }
  assert.is(number - 1, lastDay);
});

test('days agree with the platform', () => {
  for (let number = -30_000; number < 60_000; number += 17) {
    const platform = new Date(number * 86_400_000);
    assert.is(printDate(number), platform.toISOString().slice(0, 10));
    assert.is(isoWeekday(number) % 7, platform.getUTCDay());
  }
});

test('dates as text', () => {
  const table: readonly (readonly [string, boolean])[] = [
    ['2026-01-31', true],
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['0001-01-01', true],
    ['9999-12-31', true],
    ['2026-02-29', false],
    ['1900-02-29', false],
    ['2026-04-31', false],
    ['2026-00-10', false],
    ['2026-13-01', false],
    ['2026-01-00', false],
    ['0000-01-01', false],
    ['10000-01-01', false],
    ['2026-1-1', false],
    ['20260101', false],
    ['2026-01-01 ', false],
    ['2026-01-01T00:00:00', false],
    ['', false],
  ];
  for (const [text, valid] of table) {
    const number = parseDate(text);
    assert.is(number === undefined ? undefined : printDate(number), valid ? text : undefined, text);
  }
});

test('timestamps as text', () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['2026-01-01', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01T08:00', '2026-01-01T08:00:00.000000Z'],
    ['2026-01-01T08:00:00', '2026-01-01T08:00:00.000000Z'],
    ['2026-01-01T08:00:00Z', '2026-01-01T08:00:00.000000Z'],
    ['2026-01-01T08:00:00.5Z', '2026-01-01T08:00:00.500000Z'],
    ['2026-01-01T08:00:00.123456', '2026-01-01T08:00:00.123456Z'],
    ['2026-01-01T08:00:00+02:00', '2026-01-01T06:00:00.000000Z'],
    ['2026-01-01T00:30:00+0130', '2025-12-31T23:00:00.000000Z'],
    ['2026-12-31T23:00:00-05', '2027-01-01T04:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['2026-01-01T08:00:00.1234567Z', undefined],
    ['2026-01-01T08:00:00,5Z', undefined],
    ['2026-01-01T24:00:00Z', undefined],
    ['2026-01-01T23:60:00Z', undefined],
    ['2026-01-01T23:59:60Z', undefined],
    ['2026-02-30T08:00:00Z', undefined],
    ['2026-01-01 08:00:00', undefined],
    ['2026-01-01t08:00:00z', undefined],
    ['2026-01-01T08', undefined],
    ['2026-01-01Z', undefined],
    ['2026-01-01T08:00:00+16:00', undefined],
    ['2026-01-01T08:00:00+02:60', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['9999-12-31T23:30:00-01:00', undefined],
    ['1.1.2026', undefined],
    ['1767225600', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of table) {
    const instant = parseTimestamp(text);
    assert.is(instant === undefined ? undefined : printTimestamp(instant), expected, text);
  }
  assert.is(printTimestamp(timestampMin), '0001-01-01T00:00:00.000000Z');
  assert.is(printTimestamp(timestampMax), '9999-12-31T23:59:59.999999Z');
});

test('parts of dates', () => {
  const table: readonly (readonly [string, Readonly<Partial<Record<DatePart, number>>>])[] = [
    ['2026-01-01', { YEAR: 2026, MONTH: 1, DAY: 1, QUARTER: 1, WEEK: 1, ISOYEAR: 2026, DOW: 4, ISODOW: 4, DOY: 1 }],
    ['2027-01-03', { WEEK: 53, ISOYEAR: 2026, DOW: 0, ISODOW: 7, DOY: 3 }],
    ['2024-12-30', { WEEK: 1, ISOYEAR: 2025, DOY: 365, QUARTER: 4 }],
    ['2000-12-31', { CENTURY: 20, DECADE: 200, MILLENNIUM: 2, DOY: 366 }],
    ['2001-01-01', { CENTURY: 21, MILLENNIUM: 3 }],
    ['0001-01-01', { CENTURY: 1, MILLENNIUM: 1, DECADE: 0, WEEK: 1, ISOYEAR: 1 }],
  ];
  for (const [text, parts] of table) {
    for (const [part, expected] of Object.entries(parts) as [DatePart, number][]) {
      assert.is(datePart(part, parseDate(text) ?? NaN), expected, `${part} of ${text}`);
      assert.is(
        timestampPart(part, parseTimestamp(`${text}T23:59:59Z`) ?? 0n),
        expected,
        `${part} of ${text} as an instant`,
      );
    }
  }
  assert.is(timestampToDate(-1n), -1);
});

test('DATE_TRUNC', () => {
  const instant = parseTimestamp('2026-08-19T13:14:15.678901Z') ?? 0n;
  const table: readonly (readonly [string, string])[] = [
    ['microsecond', '2026-08-19T13:14:15.678901Z'],
    ['milliseconds', '2026-08-19T13:14:15.678000Z'],
    ['second', '2026-08-19T13:14:15.000000Z'],
    ['Minute', '2026-08-19T13:14:00.000000Z'],
    ['HOUR', '2026-08-19T13:00:00.000000Z'],
    ['day', '2026-08-19T00:00:00.000000Z'],
    ['week', '2026-08-17T00:00:00.000000Z'],
    ['month', '2026-08-01T00:00:00.000000Z'],
    ['quarter', '2026-07-01T00:00:00.000000Z'],
    ['year', '2026-01-01T00:00:00.000000Z'],
    ['decade', '2020-01-01T00:00:00.000000Z'],
    ['century', '2001-01-01T00:00:00.000000Z'],
    ['millennium', '2001-01-01T00:00:00.000000Z'],
  ];
  for (const [unit, expected] of table) assert.is(printTimestamp(truncateTimestamp(unit, instant)), expected, unit);
  assert.is(printTimestamp(truncateTimestamp('hour', -1n)), '1969-12-31T23:00:00.000000Z');
  const first = parseTimestamp('0009-12-31') ?? 0n;
  assert.throws(() => truncateTimestamp('decade', first), /a value does not fit TIMESTAMP/);
  assert.is(printTimestamp(truncateTimestamp('millennia', first)), '0001-01-01T00:00:00.000000Z');
  assert.throws(
    () => truncateTimestamp('fortnight', 0n),
    /DATE_TRUNC: the text is not the name of a unit; these are microsecond, /,
  );
});

test.run();
