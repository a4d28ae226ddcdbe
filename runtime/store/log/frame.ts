/**
 * A frame: one group commit. Header and body have separate checksums, so that a torn body still says which entry must
 * follow.
 *
 * | bytes  | field                                             |
 * |--------|---------------------------------------------------|
 * | 0–3    | magic `00 'F' 'r' 'm'`: a body never has a NUL    |
 * | 4–7    | length of the body in bytes                       |
 * | 8–15   | number of the first entry                         |
 * | 16–19  | number of entries                                 |
 * | 20–27  | id of the segment                                 |
 * | 28–31  | CRC-32 of the body                                |
 * | 32–35  | CRC-32 of bytes 0–31                              |
 *
 * All numbers are little-endian. The body has a line of text (`line.ts`) for each entry.
 */
import { crc32 } from 'node:zlib';

export const frameHeaderBytes = 36;
/** A frame is read whole, so this limits memory as well. */
export const maxFrameBody = 512 * 1024 * 1024;
const lineFeed = 10;
const magic = 0x6d72_4600;
export const magicBytes: Uint8Array = Uint8Array.of(0x00, 0x46, 0x72, 0x6d);

export interface FrameHeader {
  readonly bodyLength: number;
  readonly firstEntry: number;
  readonly entries: number;
  readonly segmentId: bigint;
  readonly bodyChecksum: number;
}

/** Header and body in one buffer, for one write. */
export function encodeFrame(lines: readonly string[], firstEntry: number, segmentId: bigint): Uint8Array {
  const text = lines.join('\n');
  // The last line's end is written by itself: adding it to the text would be one more copy of all.
  const bodyLength = Buffer.byteLength(text) + 1;
  if (bodyLength > maxFrameBody) throw new Error('one turn appended more than a frame holds');
  const frame = Buffer.allocUnsafe(frameHeaderBytes + bodyLength);
  frame.write(text, frameHeaderBytes, 'utf8');
  frame[frame.length - 1] = lineFeed;
  frame.writeUInt32LE(magic, 0);
  frame.writeUInt32LE(bodyLength, 4);
  frame.writeBigUInt64LE(BigInt(firstEntry), 8);
  frame.writeUInt32LE(lines.length, 16);
  frame.writeBigUInt64LE(segmentId, 20);
  frame.writeUInt32LE(crc32(frame.subarray(frameHeaderBytes)), 28);
  frame.writeUInt32LE(crc32(frame.subarray(0, 32)), 32);
  return frame;
}

/** Undefined when the bytes at `offset` are no header. */
export function decodeFrameHeader(bytes: Buffer, offset: number): FrameHeader | undefined {
  if (bytes.length - offset < frameHeaderBytes) return undefined;
  if (bytes.readUInt32LE(offset) !== magic) return undefined;
  if (crc32(bytes.subarray(offset, offset + 32)) !== bytes.readUInt32LE(offset + 32)) return undefined;
  return {
    bodyLength: bytes.readUInt32LE(offset + 4),
    firstEntry: Number(bytes.readBigUInt64LE(offset + 8)),
    entries: bytes.readUInt32LE(offset + 16),
    segmentId: bytes.readBigUInt64LE(offset + 20),
    bodyChecksum: bytes.readUInt32LE(offset + 28),
  };
}

/** The lines of a body with a correct checksum. */
export function decodeBody(body: Buffer): readonly string[] {
  return body.toString('utf8', 0, body.length - 1).split('\n');
}
