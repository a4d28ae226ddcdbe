import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { preferred } from './accept.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Bodies up to so many bytes are sent as they are. */
const smallest = 1024;

export function isSmall(body: Uint8Array): boolean {
  return body.byteLength <= smallest;
}

/**
 * A whole body in the encoding that the caller likes best, compressed off the main thread. `encoding` is undefined where it is
 * sent as it is: small, not wished for, or not made smaller.
 */
export async function compress(
  body: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<{ readonly body: Uint8Array; readonly encoding?: 'br' | 'gzip' }> {
  if (isSmall(body) || acceptEncoding === undefined) return { body };
  const encoding = codingFor(acceptEncoding);
  if (encoding === undefined) return { body };
  const smaller = encoding === 'br' ? await compressBrotli(body, brotliOptions(body)) : await compressGzip(body);
  return smaller.byteLength < body.byteLength ? { body: smaller, encoding } : { body };
}

/** The coding that a caller wishes for: that of every answer which compression makes smaller. Undefined: as it is. */
export function codingFor(acceptEncoding: string | undefined): 'br' | 'gzip' | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined;
  const coding = preferred(acceptEncoding, ['br', 'gzip', 'identity']);
  return coding === 'br' || coding === 'gzip' ? coding : undefined;
}

/** Quality 4 costs about what gzip costs and is smaller; the default of 11 takes a hundred times as long. */
function brotliOptions(body: Uint8Array): object {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength } };
}
