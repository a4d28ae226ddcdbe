import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Answered } from './answer-call.ts';
import type { Row } from '../store/store.ts';
import { compress } from './representation/compression.ts';
import type { Representation } from './representation/representation.ts';
import type { Answer, Route } from './route.ts';

/** Puts an answer on the response: status, headers, entity tag, and the body compressed or streamed. */
export async function send(context: Context, route: Route, answered: Answered): Promise<void> {
  context.set('Cache-Control', route.freshness === 'never' ? 'no-store' : 'private, no-cache');
  context.vary(route.answers === 'table' ? 'Accept, Accept-Encoding, Authorization' : 'Accept-Encoding, Authorization');
  if (answered.tag !== undefined) context.set('ETag', answered.tag);
  if ('unchanged' in answered) {
    context.status = 304;
    return;
  }
  const { answer, representation } = answered;
  context.status = answer.kind === 'json' ? answer.status : 200;
  if (answer.kind === 'table' && answer.headers !== undefined) context.set({ ...answer.headers });
  if (answer.kind === 'batches') sendBatches(context, answer, required(representation));
  else if (answer.kind === 'table' && answer.table.rows.length > sliceRows) {
    const { columns, rows } = answer.table;
    sendBatches(context, { kind: 'batches', columns, batches: slices(rows) }, required(representation));
  } else await sendWhole(context, ...wholeBody(answer, representation));
}

/** Writing more rows than these at a time would hold up every other request. */
const sliceRows = 8192;

async function* slices(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += sliceRows) {
    yield rows.slice(from, from + sliceRows);
    await new Promise(setImmediate);
  }
}

function wholeBody(
  answer: Exclude<Answer, { kind: 'batches' }>,
  representation: Representation | undefined,
): [type: string, body: Uint8Array | string] {
  switch (answer.kind) {
    case 'table': {
      const form = required(representation);
      return [form.contentType, form.whole(answer.table)];
    }
    case 'json':
      return ['application/json', answer.text];
    case 'text':
      return [answer.type, answer.text];
  }
}

async function sendWhole(context: Context, type: string, body: Uint8Array | string): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const { body: sent, encoding } = await compress(bytes, context.get('Accept-Encoding') || undefined);
  if (encoding !== undefined) context.set('Content-Encoding', encoding);
  context.body = Buffer.isBuffer(sent) ? sent : Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  context.type = type;
}

/**
 * A stream that fails destroys the connection (Koa pipes it with `pipeline`), so that the caller sees a cut and never an end. One
 * that nobody takes any more is returned early, which ends its reading.
 */
function sendBatches(
  context: Context,
  answer: Extract<Answer, { kind: 'batches' }>,
  representation: Representation,
): void {
  const pieces = representation.stream(answer.columns, answer.batches);
  context.body = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  context.type = representation.contentType;
}

function required(representation: Representation | undefined): Representation {
  if (representation === undefined) throw new Error('a table was answered by a route that answers none');
  return representation;
}
