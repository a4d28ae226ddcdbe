import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { preferred } from '../wire/accept.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Bodies up to this many bytes are not compressed. */
const smallest = 1024;

export function isSmall(body: Uint8Array): boolean {
  return body.byteLength <= smallest;
}

/** A body as it is sent. */
export interface Compressed {
  readonly body: Uint8Array;
  readonly encoding?: 'br' | 'gzip';
}

/**
 * A whole body in the encoding that the caller prefers, compressed off the main thread. `encoding` is undefined if the body is not
 * compressed: it is small, the caller does not accept it, or it would not get smaller.
 */
export async function compress(body: Uint8Array, acceptEncoding: string | undefined): Promise<Compressed> {
  if (isSmall(body) || acceptEncoding === undefined) return { body };
  const encoding = codingFor(acceptEncoding);
  if (encoding === undefined) return { body };
  const smaller = encoding === 'br' ? await compressBrotli(body, brotliOptions(body)) : await compressGzip(body);
  return smaller.byteLength < body.byteLength ? { body: smaller, encoding } : { body };
}

/** The coding that a caller prefers, used for every answer that it makes smaller. Undefined: no coding. */
export function codingFor(acceptEncoding: string | undefined): 'br' | 'gzip' | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined;
  const coding = preferred(acceptEncoding, ['br', 'gzip', 'identity']);
  return coding === 'br' || coding === 'gzip' ? coding : undefined;
}

/** Quality 4 costs about as much as gzip and is smaller; the default of 11 takes a hundred times as long. */
function brotliOptions(body: Uint8Array): object {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength } };
}
