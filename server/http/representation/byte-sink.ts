/** Bytes of a text that is written piece by piece. */
export interface ByteSink {
  bytes: Uint8Array;
  /** The bytes before are written. */
  end: number;
}

export function createByteSink(size: number): ByteSink {
  return { bytes: new Uint8Array(size), end: 0 };
}

/** Makes room for `more` further bytes. */
export function makeRoom(sink: ByteSink, more: number): void {
  if (sink.end + more <= sink.bytes.length) return;
  const larger = new Uint8Array(Math.max(2 * sink.bytes.length, sink.end + more));
  larger.set(sink.bytes.subarray(0, sink.end));
  sink.bytes = larger;
}

/** Up to this length a loop is faster than a call. */
const few = 48;

/** There must be room. */
export function writeBytes(sink: ByteSink, from: Uint8Array, start: number, end: number): void {
  const { bytes } = sink;
  if (end - start > few) bytes.set(from.subarray(start, end), sink.end);
  else for (let at = start, to = sink.end; at < end; at += 1, to += 1) bytes[to] = from[at] as number; // within both
  sink.end += end - start;
}

/** A text of ASCII, for which there must be room. */
export function writeAscii(sink: ByteSink, text: string): void {
  const { bytes } = sink;
  for (let at = 0, to = sink.end; at < text.length; at += 1, to += 1) bytes[to] = text.charCodeAt(at);
  sink.end += text.length;
}

const zero = 48;
/** Digits that fit into a 32-bit integer. */
const part = 1_000_000_000;

/** Writes a whole number from 0 to 2^53 with at least `least` digits; there must be room for 16 digits, or for `least`. */
export function writeDigits(sink: ByteSink, value: number, least = 1): void {
  let digits = least;
  for (let bound = 10 ** least; value >= bound; bound *= 10) digits += 1;
  let low = value;
  let high = 0;
  if (value >= part) {
    high = Math.floor(value / part);
    low = value - high * part;
  }
  const { bytes } = sink;
  const start = sink.end;
  for (let at = digits - 1; at >= 0; at -= 1) {
    if (at === digits - 10 && high > 0) low = high;
    const rest = (low / 10) | 0;
    bytes[start + at] = zero + low - rest * 10;
    low = rest;
  }
  sink.end = start + digits;
}
