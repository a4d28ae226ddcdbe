/** UUIDs in canonical text. Time and randomness come in as parameters. */

export type RandomBytes = (count: number) => Uint8Array;

const uuidSyntax = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in its canonical form, of any version and case. */
export function isUuid(text: string): boolean {
  return uuidSyntax.test(text);
}

/** Version 4: all random. */
export function randomUuid(random: RandomBytes): string {
  return print(hexOf(random(16)), 4);
}

/** A source of ids. */
export interface EventIds {
  (instant: bigint): string;
  /** Later ids are greater than this one, if it is a UUID of version 7. */
  readonly after: (id: string) => void;
}

/**
 * Makes a source of version 7 UUIDs for given instants (µs since 1970). They rise strictly, even when the clock stops or goes back: the 12
 * bits after the millisecond count on, and past their end the millisecond itself increments. They begin after `after`, when that is a UUID
 * of version 7.
 */
export function createEventIds(random: RandomBytes, after = ''): EventIds {
  let { milliseconds, counter } = placeOf(after);
  /** The printed form of `milliseconds`, with its hyphens: many ids share one. */
  let time = { of: -1, text: '' };
  /** The last instant. */
  let given = { instant: 0n, milliseconds: 0 };
  const byte = (bytes: Uint8Array, at: number): string => digits[bytes[at] ?? 0] ?? '';
  const next = (instant: bigint): string => {
    const bytes = random(16);
    if (instant !== given.instant) given = { instant, milliseconds: Number(instant / 1000n) };
    const now = given.milliseconds;
    if (now > milliseconds) {
      milliseconds = now;
      // The upper half of the counter's range stays free for counting.
      counter = (((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0)) & 0x7ff;
    } else if (++counter > 0xfff) {
      milliseconds++;
      counter = 0;
    }
    if (time.of !== milliseconds) {
      const hex = milliseconds.toString(16).padStart(12, '0');
      time = { of: milliseconds, text: `${hex.slice(0, 8)}-${hex.slice(8)}-` };
    }
    const variant = digits[0x80 | ((bytes[8] ?? 0) & 0x3f)] ?? '';
    const end = `${byte(bytes, 10)}${byte(bytes, 11)}${byte(bytes, 12)}${byte(bytes, 13)}${byte(bytes, 14)}${byte(bytes, 15)}`;
    const version = `${digits[0x70 | (counter >> 8)] ?? ''}${digits[counter & 0xff] ?? ''}`;
    return `${time.text}${version}-${variant}${byte(bytes, 9)}-${end}`;
  };
  return Object.assign(next, {
    after: (id: string) => {
      const place = placeOf(id);
      if (place.milliseconds < milliseconds) return;
      if (place.milliseconds > milliseconds || place.counter > counter) ({ milliseconds, counter } = place);
    },
  });
}

/** The sort key of a UUID of version 7; below all of them for any other text. */
function placeOf(id: string): { milliseconds: number; counter: number } {
  if (!isUuid(id) || id[14] !== '7') return { milliseconds: -1, counter: 0 };
  const digits = id.replaceAll('-', '');
  return { milliseconds: Number.parseInt(digits.slice(0, 12), 16), counter: Number.parseInt(digits.slice(13, 16), 16) };
}

/** Digits of each byte: for an id's few bytes a look at this takes a fraction of the time of a buffer's own text. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += digits[byte] ?? '';
  return hex;
}

/** Prints 32 hex digits with the version and the variant set. */
function print(hex: string, version: number): string {
  const variant = (0x8 | (Number.parseInt(hex.charAt(16), 16) & 0x3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
