import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Answered } from './answer-call.ts';
import { compress } from './representation/compression.ts';
import type { Representation } from './representation/representation.ts';
import { vary, type RequestState } from './request-state.ts';
import type { Answer, Route } from './route.ts';
import { sliceEnd, slices } from './slices.ts';

/** Puts an answer on the response: status, headers, entity tag, and the body compressed or streamed. */
export async function send(context: Context, route: Route, answered: Answered): Promise<void> {
  const state = context.state as RequestState;
  const { headers } = state;
  headers['Cache-Control'] = route.freshness === 'never' ? 'no-store' : 'private, no-cache';
  vary(state, route.answers === 'table' ? 'Accept, Accept-Encoding, Authorization' : 'Accept-Encoding, Authorization');
  if (answered.tag !== undefined) headers['ETag'] = answered.tag;
  if ('unchanged' in answered) {
    context.status = 304;
    return;
  }
  const { answer, representation } = answered;
  if (answer.kind === 'table' && answer.headers !== undefined) Object.assign(headers, answer.headers);
  if (answer.kind === 'batches') sendBatches(context, answer, required(representation));
  else if (answer.kind === 'table' && sliceEnd(answer.table.rows, 0) < answer.table.rows.length) {
    const { columns, rows } = answer.table;
    sendBatches(context, { kind: 'batches', columns, batches: slices(rows) }, required(representation));
  } else await sendWhole(context, answer, representation);
}

type WholeAnswer = Exclude<Answer, { kind: 'batches' }>;

function wholeBody(
  answer: WholeAnswer,
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

/**
 * Head and body in one piece, past Koa, which would take the head header by header and look at the body again. The error layer is
 * still above: nothing is written before all is there.
 */
async function sendWhole(
  context: Context,
  answer: WholeAnswer,
  representation: Representation | undefined,
): Promise<void> {
  const state = context.state as RequestState;
  const [type, text] = wholeBody(answer, representation);
  const whole = typeof text === 'string' ? Buffer.from(text) : text;
  const { body, encoding } = await compress(whole, context.get('Accept-Encoding') || undefined);
  state.bytes = body.byteLength;
  if (context.writable) {
    const head = ['Content-Type', withCharset(type), 'Content-Length', String(body.byteLength)];
    if (encoding !== undefined) head.push('Content-Encoding', encoding);
    for (const name in state.headers) head.push(name, state.headers[name] ?? '');
    context.res.writeHead(answer.kind === 'json' ? answer.status : 200, head);
    context.res.end(context.method === 'HEAD' ? undefined : body);
  }
  context.respond = false;
}

function withCharset(type: string): string {
  const isText = type.startsWith('text/') || type === 'application/json';
  return isText && !type.includes('charset') ? `${type}; charset=utf-8` : type;
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
  context.status = 200;
  context.body = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  context.type = representation.contentType;
}

function required(representation: Representation | undefined): Representation {
  if (representation === undefined) throw new Error('a table was answered by a route that answers none');
  return representation;
}
