import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseJson, storedJsonLimits } from '../../../language/values/json-parse.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import { HungUp } from '../../operation/room/busy.ts';
import { Problem } from '../wire/problem.ts';
import type { HttpLimits } from '../settings.ts';

/**
 * Reads a request's body as one strict JSON object: declared as JSON, not compressed, within its size, valid UTF-8. Stock body parsers
 * accept input that must be refused here (bogus compression, invalid UTF-8, unlimited nesting) and have their own error texts.
 */
export function readJsonBody(
  request: IncomingMessage,
  limits: HttpLimits,
  size: { readonly bytes: number; readonly stringBytes: number },
): Promise<JsonObject> {
  return readBytes(request, size.bytes, (bytes) => parseObject(decodeUtf8(bytes), limits, size.stringBytes));
}

function checkDeclared(request: IncomingMessage, most: number): void {
  const { 'content-type': type, 'content-length': length } = request.headers;
  if (type !== 'application/json' && !/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type ?? '')) {
    throw new Problem('H4151', 'the body must be declared as Content-Type: application/json, in UTF-8');
  }
  refuseCompressed(request);
  if (length !== undefined && Number(length) > most) throw tooLarge(most);
}

/** 415 for a body in any coding: a small one could hold a large one. */
export function refuseCompressed({ headers }: IncomingMessage): void {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  if (encoding === undefined && transfer === undefined) return;
  const isPlain = encoding === undefined || /^identity$/i.test(encoding.trim());
  if (!isPlain || !/^(chunked)?$/i.test(transfer?.trim() ?? ''))
    throw new Problem('H4151', 'compressed bodies are not accepted');
}

/** By events: an iterator over a body of one chunk costs more than parsing it. */
function readBytes<T>(request: IncomingMessage, most: number, parse: (bytes: Buffer) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    checkDeclared(request, most);
    const refuse: (error: unknown) => void = reject;
    const chunks: Buffer[] = [];
    let total = 0;
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      chunks.push(chunk);
      if (total <= most) return;
      request.pause();
      refuse(tooLarge(most));
    };
    const onEnd = (): void => {
      try {
        resolve(parse(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))); // the length is checked
      } catch (error) {
        refuse(error);
      }
    };
    const onClose = (): void => {
      if (!request.complete) refuse(new HungUp());
    };
    // The only fault of the request is that it is incomplete. The listeners are removed with it: later events have no effect.
    if (request.destroyed) onClose();
    else request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}

/** The rest of such a body is not read, so the connection cannot be reused. */
function tooLarge(most: number): Problem {
  return new Problem('H4131', `the body is larger than ${most} bytes`, { Connection: 'close' });
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badBody('the body is not valid UTF-8');
  return bytes.toString();
}

/** A text of a body as one strict JSON object; `what` the text is, for the 400 that refuses it. */
export function parseObject(
  text: string,
  limits: HttpLimits,
  stringBytes: number,
  what: 'body' | 'line' = 'body',
): JsonObject {
  const { jsonDepth: depth, jsonKeys: keysPerObject, jsonNodes: nodes } = limits;
  const parsed = parseJson(text, { depth, keysPerObject, nodes, stringBytes });
  if (parsed.problem !== undefined) {
    const isJson = parseJson(text, storedJsonLimits).problem === undefined;
    const fault = `the ${what} ${isJson ? 'exceeds a limit' : 'is not JSON'}`;
    throw badBody(`${fault} at character ${parsed.offset + 1}: ${parsed.problem}`);
  }
  if (parsed.value instanceof Map) return parsed.value as JsonObject;
  throw badBody(`the ${what} must be a JSON object`);
}

function badBody(message: string): Problem {
  return new Problem('H4005', message, {}, [{ message }]);
}
