/** UUIDs in canonical text. Time and randomness come in as parameters. */

export type RandomBytes = (count: number) => Uint8Array;

const uuidSyntax = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in its canonical form, of any version and case. */
export function isUuid(text: string): boolean {
  return uuidSyntax.test(text);
}

/** Version 4: all random. */
export function randomUuid(random: RandomBytes): string {
  return print(random(16), 4);
}

/**
 * Makes a source of version 7 UUIDs for given instants (µs since 1970). They rise strictly, even when the instants stand still or
 * step back: the 12 bits after the millisecond count on, and past their end the millisecond itself goes on. They begin past `after`,
 * when that is a UUID of version 7.
 */
export function createEventIds(random: RandomBytes, after = ''): (instant: bigint) => string {
  let { milliseconds, counter } = placeOf(after);
  return (instant) => {
    const bytes = Uint8Array.from(random(16));
    const now = Number(instant / 1000n);
    if (now > milliseconds) {
      milliseconds = now;
      // The upper half of the counter's range stays free to count in.
      counter = (((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0)) & 0x7ff;
    } else if (++counter > 0xfff) {
      milliseconds++;
      counter = 0;
    }
    for (let i = 0; i < 6; i++) bytes[i] = Math.floor(milliseconds / 2 ** (8 * (5 - i))) & 0xff;
    bytes[6] = counter >> 8;
    bytes[7] = counter & 0xff;
    return print(bytes, 7);
  };
}

/** What orders a UUID of version 7; before all of them for any other text. */
function placeOf(id: string): { milliseconds: number; counter: number } {
  if (!isUuid(id) || id[14] !== '7') return { milliseconds: -1, counter: 0 };
  const digits = id.replaceAll('-', '');
  return { milliseconds: Number.parseInt(digits.slice(0, 12), 16), counter: Number.parseInt(digits.slice(13, 16), 16) };
}

function print(given: Uint8Array, version: number): string {
  const bytes = Uint8Array.from(given);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
