/** Up to this many bytes are cut from Node's pool; for more, the cost of an own allocation is small compared with that of filling it. */
const pooled = 1024;

/**
 * Zeroed memory for a column of numbers. The ArrayBuffer of a small typed array is created on first access, which takes
 * longer than filling it with a small answer, so small arrays share the pool's buffer.
 */
export function zeroed(bytes: number): { readonly buffer: ArrayBuffer; readonly byteOffset: number } {
  if (bytes <= pooled) {
    const { buffer, byteOffset } = Buffer.allocUnsafe(bytes).fill(0);
    if (byteOffset % 8 === 0) return { buffer, byteOffset };
  }
  return { buffer: new ArrayBuffer(bytes), byteOffset: 0 };
}
