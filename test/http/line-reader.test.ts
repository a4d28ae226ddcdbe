/** The lines of a body are the same wherever the network cuts it. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLineReader } from '../../server/http/request/line-reader.ts';

const most = 8;

/** Each line as `number text` or `number! problem`. */
async function linesOf(chunks: readonly Buffer[]): Promise<readonly string[]> {
  const body = Readable.from(chunks, { objectMode: false });
  const limits = { lineBytes: most, lineMilliseconds: 60_000, stallMilliseconds: 60_000 };
  const reader = createLineReader(body as unknown as IncomingMessage, limits, () => 0); // it only reads the body
  const found: string[] = [];
  for (let lines = await reader.next(); lines !== undefined; lines = await reader.next())
    for (const { number, ...line } of lines)
      found.push(line.problem === undefined ? `${number} ${line.text}` : `${number}! ${line.problem}`);
  return found;
}

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

const tooLarge = 'the line is larger than 8 bytes';
const notUtf8 = 'the line is not valid UTF-8';
const bodies: readonly (readonly [body: Buffer, lines: readonly string[]])[] = [
  [bytes(), []],
  [bytes('\n\r\n \t\n'), []],
  [bytes('a\n\nb'), ['1 a', '3 b']],
  [bytes('12345678\n12345678\r\n123456789\nc\n'), ['1 12345678', '2 12345678', `3! ${tooLarge}`, '4 c']],
  [bytes('\ufeff12345678\r\n\ufeff12345\n'), ['1 12345678', '2 \ufeff12345']],
  [bytes('\ufeff123456789\n\ufeff123456\n'), [`1! ${tooLarge}`, `2! ${tooLarge}`]],
  [bytes('\u00e9\u00e9\u00e9\u00e9\n\u00e9\u00e9\u00e9\u00e9x\n'), ['1 \u00e9\u00e9\u00e9\u00e9', `2! ${tooLarge}`]],
  [bytes('a\n', 0xff, '\nb\n', 0xff, '123456789\nc'), ['1 a', `2! ${notUtf8}`, '3 b', `4! ${tooLarge}`, '5 c']],
  [bytes('         \n\t\t\t\t\t\t\t\t\r\nx'), [`1! ${tooLarge}`, '3 x']],
];

test('the same lines from a body in one piece, byte by byte, and cut anywhere', async () => {
  for (const [body, lines] of bodies) {
    const cuts = Array.from({ length: body.length }, (_, at) => [body.subarray(0, at), body.subarray(at)]);
    const ways = [[body], [...body].map((byte) => Buffer.from([byte])), ...cuts];
    for (const chunks of ways)
      assert.equal(await linesOf(chunks.filter(({ length }) => length > 0)), lines, JSON.stringify(body.toString()));
  }
});

test.run();
