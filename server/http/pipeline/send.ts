import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { andThen, type Soon } from '../../../language/failure/soon.ts';
import type { Answered } from './answer-call.ts';
import { securityHeadersOf } from '../guard/security-headers.ts';
import { compress, isSmall, type Compressed } from '../representation/compression.ts';
import { asOfHeaders } from '../answers/as-of.ts';
import { ownTurn } from '../../operation/room/loop-turns.ts';
import type { Lease } from '../../operation/room/held-results.ts';
import { changed } from '../../operation/room/pulled.ts';
import type { Representation } from '../representation/representation.ts';
import { setHeaders, vary, type RequestState } from './request-state.ts';
import type { Answer, Route } from '../route.ts';
import { sliceEnd, slices } from '../answers/slices.ts';

/** Memory factor of an answer's text while it is sent: its bytes, and these compressed. */
const textCopies = 2;
const shortText = 64 * 1024;
/** Rows that are written without waiting for a turn. */
const fewRows = 100;

/** Writes an answer to the response: status, headers, entity tag, and the body compressed or streamed. */
export function send(context: Context, route: Route, answered: Answered): Soon<void> {
  const state = context.state as RequestState;
  const { headers } = state;
  headers['Cache-Control'] = route.freshness === 'never' ? 'no-store' : 'private, no-cache';
  vary(state, hasForms(route) ? 'Accept, Accept-Encoding, Authorization' : 'Accept-Encoding, Authorization');
  if (route.query.includes('count')) vary(state, 'Prefer');
  state.isPage = answered.isPage;
  if (answered.tag !== undefined) headers['ETag'] = answered.tag;
  if (answered.asOf !== undefined) setHeaders(state, asOfHeaders(answered.asOf));
  const { total } = 'unchanged' in answered ? answered : answered.answer;
  if (total !== undefined) setHeaders(state, { 'Schemac-Total': String(total), 'Preference-Applied': 'count=exact' });
  if ('unchanged' in answered) {
    context.status = 304;
    return undefined;
  }
  const { answer, representation } = answered;
  if ((answer.kind === 'table' || answer.kind === 'json' || answer.kind === 'bytes') && answer.headers !== undefined)
    setHeaders(state, answer.headers);
  switch (answer.kind) {
    case 'json':
      return andThen(chargeText(state, answer.text), () =>
        sendWhole(context, answer.status, 'application/json', answer.text),
      );
    case 'text':
      return andThen(chargeText(state, answer.text), () => sendWhole(context, 200, answer.type, answer.text));
    case 'bytes':
      return sendWhole(context, 200, answer.contentType, answer.bytes);
    case 'nothing':
      context.status = 204;
      return undefined;
    case 'stream':
      sendStream(context, answer);
      return undefined;
    case 'table': {
      const { contentType, whole, stream } = required(representation);
      const { columns, rows } = answer.table;
      if (sliceEnd(rows, 0) < rows.length) {
        sendPieces(context, contentType, stream(columns, slices(rows)));
        return undefined;
      }
      return andThen(rows.length > fewRows ? ownTurn() : undefined, () =>
        sendWhole(context, 200, contentType, whole(answer.table)),
      );
    }
    case 'batches': {
      const { contentType, stream } = required(representation);
      sendPieces(context, contentType, stream(answer.columns, answer.batches));
      return undefined;
    }
    case 'columns': {
      const { contentType, byColumn } = required(representation);
      if (byColumn === undefined) throw new Error('rows by column came for a form that takes none');
      const pieces = byColumn(answer.columns, answer.batches);
      if (!answer.whole) {
        sendPieces(context, contentType, pieces);
        return undefined;
      }
      return collected(pieces).then((all) => sendWhole(context, 200, contentType, Buffer.concat(all)));
    }
  }
}

function hasForms({ answers, readable, asArrow }: Route): boolean {
  return answers === 'table' || answers === 'page' || readable === true || asArrow === true;
}

/** Waits for the room that a long text needs while it is sent, or fails. Short ones such as health and metrics need none. */
function chargeText({ lease }: RequestState, text: string): Soon<void> {
  if (text.length <= shortText || lease === undefined) return undefined;
  // The text itself exists only once; the bytes being sent are charged from here on.
  return lease.forText(textCopies * text.length).then(() => lease.holds(0));
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** The headers of every answer, and of every page, as `writeHead` takes them. */
const always = Object.entries(securityHeadersOf(false)).flat();
const alwaysOfPage = Object.entries(securityHeadersOf(true)).flat();

/**
 * Writes head and body at once, bypassing Koa, which would process the head header by header and examine the body again. The error layer is
 * still above: nothing is written before everything is ready.
 */
export function sendWhole(context: Context, status: number, type: string, text: Uint8Array | string): Soon<void> {
  const state = context.state as RequestState;
  const whole = typeof text === 'string' ? Buffer.from(text) : text;
  if (isSmall(whole)) {
    writeWhole(context, status, type, { body: whole });
    return undefined;
  }
  state.lease?.sends(sizeOf(text) + whole.byteLength);
  return compress(whole, accepted(context)).then((sent) => writeWhole(context, status, type, sent));
}

function writeWhole(context: Context, status: number, type: string, { body, encoding }: Compressed): void {
  const state = context.state as RequestState;
  state.bytes = body.byteLength;
  state.lease?.sends(body.byteLength);
  if (context.writable) {
    const { req, res } = context;
    const own = state.isPage === true ? alwaysOfPage : always;
    const head = [...own, 'Content-Type', withCharset(type), 'Content-Length', String(body.byteLength)];
    if (encoding !== undefined) head.push('Content-Encoding', encoding);
    for (const name in state.headers) head.push(name, state.headers[name] ?? '');
    res.writeHead(status, head);
    res.end(req.method === 'HEAD' ? undefined : body);
  }
  context.respond = false;
}

function accepted({ req }: Context): string | undefined {
  const sent = req.headers['accept-encoding'];
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

function withCharset(type: string): string {
  const isText = type.startsWith('text/') || type === 'application/json';
  return isText && !type.includes('charset') ? `${type}; charset=utf-8` : type;
}

/**
 * A stream that fails destroys the connection (Koa pipes it with `pipeline`), so that the caller sees a cut and never an end. When the
 * caller stops reading, the stream is returned early, which ends its reads. No piece is requested before the last one is written.
 */
function sendPieces(context: Context, type: string, pieces: AsyncIterable<Uint8Array | string>): void {
  context.status = 200;
  const { lease } = context.state as RequestState;
  const charged = lease === undefined ? pieces : chargedPieces(pieces, lease);
  context.body = Readable.from(charged, { objectMode: false, highWaterMark: 0 });
  context.type = type;
}

/**
 * Sends a stream that lasts as long as the client stays. Proxies must neither keep, compress nor gather it. The pieces charge their own
 * memory.
 */
function sendStream(context: Context, { contentType, pieces }: Extract<Answer, { kind: 'stream' }>): void {
  const state = context.state as RequestState;
  setHeaders(state, {
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  context.status = 200;
  context.type = contentType;
  if (context.method === 'HEAD') {
    void pieces[Symbol.asyncIterator]().return?.();
    return;
  }
  context.body = Readable.from(pieces, { objectMode: false, highWaterMark: 0 });
}

/** Each piece is charged until the next one is requested, which is when it has been sent. */
function chargedPieces(
  pieces: AsyncIterable<Uint8Array | string>,
  lease: Lease,
): AsyncIterableIterator<Uint8Array | string> {
  return changed(pieces[Symbol.asyncIterator](), (piece: Uint8Array | string) => {
    // A text is held together with its bytes.
    lease.sends(typeof piece === 'string' ? 2 * sizeOf(piece) : piece.byteLength);
    return piece;
  });
}

function sizeOf(piece: Uint8Array | string): number {
  return typeof piece === 'string' ? piece.length : piece.byteLength;
}

function required(representation: Representation | undefined): Representation {
  if (representation === undefined) throw new Error('a table was answered by a route that answers none');
  return representation;
}
