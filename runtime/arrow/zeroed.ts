/** Bytes that are cut from Node's pool at most; beyond, memory of one's own costs little beside filling it. */
const pooled = 1024;

/**
 * Zeroed memory that a column of numbers is filled in. The ArrayBuffer of a small typed array is made when first asked for, which takes
 * longer than all that a small answer puts there, so small ones share the pool's.
 */
export function zeroed(bytes: number): { readonly buffer: ArrayBuffer; readonly byteOffset: number } {
  if (bytes <= pooled) {
    const { buffer, byteOffset } = Buffer.allocUnsafe(bytes).fill(0);
    if (byteOffset % 8 === 0) return { buffer, byteOffset };
  }
  return { buffer: new ArrayBuffer(bytes), byteOffset: 0 };
}
