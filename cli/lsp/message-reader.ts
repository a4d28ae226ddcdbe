/**
 * Messages from the stream of an editor, each behind a header with its length. Memory is bounded by one message, whatever the header says: a longer
 * one is skipped, and the next header begins a message again.
 */
import type { Readable } from 'node:stream';
import {
  Emitter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type PartialMessageInfo,
} from 'vscode-languageserver-protocol/node';

/** Bytes. The longest text that is compiled has 10 MiB, six times as much if JSON escapes every character. */
export const longestMessage = 64 * 1024 * 1024;

const longestHeader = 4096;

const headerEnd = Buffer.from('\r\n\r\n');

/** `tooLong` receives the length of a message that is skipped, as its header says. */
export function createMessageReader(input: Readable, tooLong: (bytes: number) => void): MessageReader {
  const errors = new Emitter<Error>();
  const closed = new Emitter<void>();
  const partial = new Emitter<PartialMessageInfo>();
  let callback: DataCallback = () => undefined;
  let header = Buffer.alloc(0);
  let body: { readonly bytes: Buffer; filled: number } | undefined;
  let toSkip = 0;

  const readHeader = (chunk: Buffer): Buffer => {
    const bytes = Buffer.concat([header, chunk]);
    const end = bytes.indexOf(headerEnd);
    header = end >= 0 ? Buffer.alloc(0) : bytes;
    if (end < 0 && bytes.length > longestHeader) {
      errors.fire(new Error(`its header has more than ${longestHeader} bytes`));
      header = Buffer.from(bytes.subarray(1 - headerEnd.length)); // which may begin the end
    }
    if (end < 0) return chunk.subarray(chunk.length);
    const length = lengthIn(bytes.toString('latin1', Math.max(0, end - longestHeader), end));
    if (length === undefined) errors.fire(new Error('its header has no Content-Length in digits'));
    else if (length <= longestMessage) body = { bytes: Buffer.allocUnsafe(length), filled: 0 };
    else {
      toSkip = length;
      tooLong(length);
    }
    return bytes.subarray(end + headerEnd.length);
  };
  const readBody = (chunk: Buffer, into: NonNullable<typeof body>): Buffer => {
    const taken = chunk.copy(into.bytes, into.filled);
    into.filled += taken;
    if (into.filled === into.bytes.length) {
      body = undefined;
      try {
        callback(JSON.parse(into.bytes.toString('utf8')) as Message); // the connection looks at its form
      } catch (error) {
        errors.fire(error as Error);
      }
    }
    return chunk.subarray(taken);
  };
  const read = (chunk: Buffer): void => {
    let left = chunk;
    // A body without bytes is read as well.
    while (left.length > 0 || body?.bytes.length === 0) {
      if (body !== undefined) left = readBody(left, body);
      else if (toSkip > 0) {
        const skipped = Math.min(toSkip, left.length);
        toSkip -= skipped;
        left = left.subarray(skipped);
      } else left = readHeader(left);
    }
  };
  const ended = (): void => {
    closed.fire();
  };
  const stop = (): void => {
    input.off('data', read);
    input.off('close', ended);
  };
  return {
    onError: errors.event,
    onClose: closed.event,
    onPartialMessage: partial.event,
    listen: (heard): Disposable => {
      callback = heard;
      input.on('close', ended);
      input.on('data', read);
      return { dispose: stop };
    },
    dispose: () => {
      stop();
      for (const each of [errors, closed, partial]) each.dispose();
    },
  };
}

function lengthIn(header: string): number | undefined {
  const digits = /(?:^|\n)content-length:[ \t]*(\d{1,15})[ \t]*(?:\r|$)/i.exec(header)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
