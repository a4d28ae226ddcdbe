import { zeroed } from './zeroed.ts';

/**
 * The bytes of many texts and the end of each. One native call encodes all of them; only when a text is not ASCII are
 * they encoded one by one, because then the length of a text does not say how many bytes it has.
 */
export function textBuffers(values: readonly (string | null)[]): { offsets: Int32Array; bytes: Uint8Array } {
  const { buffer, byteOffset } = zeroed(4 * (values.length + 1));
  const offsets = new Int32Array(buffer, byteOffset, values.length + 1);
  let end = 0;
  for (let at = 0; at < values.length; at++) {
    end += values[at]?.length ?? 0;
    offsets[at + 1] = end;
  }
  // `join` writes nothing for a NULL.
  const bytes = Buffer.from(values.join(''), 'utf8');
  return bytes.length === end ? { offsets, bytes } : oneByOne(values, bytes.length, offsets);
}

/**
 * `estimate` can be too small when halves of a surrogate pair met in the joined text; each half alone takes three
 * bytes.
 */
function oneByOne(
  values: readonly (string | null)[],
  estimate: number,
  offsets: Int32Array,
): ReturnType<typeof textBuffers> {
  let total = 0;
  for (const value of values) if (value !== null) total += Buffer.byteLength(value);
  const bytes = Buffer.allocUnsafe(Math.max(total, estimate));
  let end = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value !== null && value !== undefined) end += bytes.write(value, end);
    offsets[at + 1] = end;
  }
  return { offsets, bytes: bytes.subarray(0, end) };
}
