/**
 * Takes the body of a request, gives its lines, a chunk at a time. Between two calls the body is not read, so that a slow server holds one
 * chunk and one line at most, also for a line without an end: a line that is too long is skipped, not kept.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { HungUp } from '../../operation/room/busy.ts';
import { Problem } from '../wire/problem.ts';

/** A line that is not blank, numbered from 1 among all lines, blank ones included; with a problem, if it cannot be read. */
export type Line =
  | { readonly number: number; readonly text: string; readonly problem?: undefined }
  | { readonly number: number; readonly problem: string };

export interface LineReader {
  /** The next lines, at least one; undefined at the end of the body. Rejects with `HungUp`, or with a `Problem` 408 when they are late. */
  readonly next: () => Promise<readonly Line[] | undefined>;
}

export interface LineLimits {
  readonly lineBytes: number;
  /** From the first byte of a line to its end, while the server reads. */
  readonly lineMilliseconds: number;
  /** Milliseconds from the end of a line to the first byte of the next, while the server reads. */
  readonly stallMilliseconds: number;
}

const lineFeed = 10;
/** Bytes of it in UTF-8. */
const byteOrderMark = 3;

export function createLineReader(request: IncomingMessage, limits: LineLimits, monotonic: () => number): LineReader {
  const splitter = createSplitter(limits.lineBytes);
  let lines: Line[] = [];
  let ended = false;
  let failed: Error | undefined;
  /** The call that waits for lines. */
  let waiting: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When the line that is incomplete began, and when reading stopped, which does not count. */
  let begun: number | undefined;
  let paused = 0;

  const settle = (): void => {
    const resume = waiting;
    waiting = undefined;
    clearTimeout(timer);
    request.pause();
    paused = monotonic();
    resume?.();
  };
  const late = (): void => {
    const what = begun === undefined ? 'no line came' : 'a line was not complete';
    const limit = begun === undefined ? limits.stallMilliseconds : limits.lineMilliseconds;
    failed ??= new Problem('H4081', `${what} within ${limit} ms`, { Connection: 'close' });
    settle();
  };
  const watch = (): void => {
    clearTimeout(timer);
    const left = begun === undefined ? limits.stallMilliseconds : limits.lineMilliseconds - (monotonic() - begun);
    timer = setTimeout(late, Math.max(0, left));
  };

  request.on('data', (chunk: Buffer) => {
    const was = begun;
    for (const line of splitter.take(chunk)) lines.push(line);
    if (!splitter.isInLine()) begun = undefined;
    else if (was === undefined || lines.length > 0) begun = monotonic();
    if (lines.length > 0) settle();
    else if (begun === undefined || begun !== was) watch();
  });
  request.on('end', () => {
    lines.push(...splitter.end());
    ended = true;
    settle();
  });
  const onClose = (): void => {
    if (ended) return;
    failed ??= new HungUp();
    settle();
  };
  request.on('error', onClose);
  request.on('close', onClose);
  request.pause();
  if (request.destroyed) onClose();

  return {
    next: async () => {
      if (lines.length === 0 && !ended && failed === undefined) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
          if (begun !== undefined) begun += monotonic() - paused;
          watch();
          request.resume();
        });
      }
      if (lines.length > 0) {
        const taken = lines;
        lines = [];
        return taken;
      }
      if (failed !== undefined) throw failed;
      return undefined;
    },
  };
}

interface Splitter {
  readonly take: (chunk: Buffer) => readonly Line[];
  /** Whether bytes of a line came whose end did not. */
  readonly isInLine: () => boolean;
  /** The last line, if it has no end. */
  readonly end: () => readonly Line[];
}

function createSplitter(most: number): Splitter {
  let number = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let isTooLong = false;
  let found: Line[] = [];

  /** Maximum length of a line as it is sent: with the CR before its end, and the first one with a mark. */
  const mostSent = (): number => most + 1 + (number === 0 ? byteOrderMark : 0);
  const tooLong = (): void => {
    found.push({ number, problem: `the line is larger than ${most} bytes` });
  };
  const addText = (sent: string): void => {
    number += 1;
    const unmarked = number === 1 && sent.startsWith('\ufeff') ? sent.slice(1) : sent;
    const text = unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked;
    // A unit of UTF-16 takes three bytes at most.
    if (text.length * 3 > most && Buffer.byteLength(text) > most) tooLong();
    else if (!/^[ \t]*$/.test(text)) found.push({ number, text });
  };
  const addBytes = (bytes: Buffer): void => {
    if (isUtf8(bytes)) {
      addText(bytes.toString());
      return;
    }
    const isLong = bytes.length > mostSent();
    number += 1;
    if (isLong) tooLong();
    else found.push({ number, problem: 'the line is not valid UTF-8' });
  };
  /** Most chunks are whole: one look and one text for all their lines. */
  const addLines = (bytes: Buffer): void => {
    if (isUtf8(bytes)) {
      for (const text of bytes.toString().split('\n')) addText(text);
      return;
    }
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      addBytes(bytes.subarray(from, end));
      from = end + 1;
    }
    addBytes(bytes.subarray(from));
  };
  const keep = (bytes: Buffer): void => {
    begunBytes += bytes.length;
    if (isTooLong) return;
    isTooLong = begunBytes > mostSent();
    if (isTooLong) begun = [];
    else begun.push(bytes);
  };
  const finish = (): void => {
    if (isTooLong) {
      number += 1;
      tooLong();
    } else addBytes(begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun)); // the length is checked
    begun = [];
    begunBytes = 0;
    isTooLong = false;
  };
  const given = (): readonly Line[] => {
    const lines = found;
    found = [];
    return lines;
  };

  return {
    take: (chunk) => {
      let from = 0;
      if (begunBytes > 0) {
        const end = chunk.indexOf(lineFeed);
        keep(end < 0 ? chunk : chunk.subarray(0, end));
        if (end < 0) return given();
        finish();
        from = end + 1;
      }
      const last = chunk.lastIndexOf(lineFeed);
      if (last >= from) addLines(chunk.subarray(from, last));
      const rest = chunk.subarray(Math.max(from, last + 1));
      if (rest.length > 0) keep(rest);
      return given();
    },
    isInLine: () => begunBytes > 0,
    end: () => {
      if (begunBytes > 0) finish();
      return given();
    },
  };
}
