import { ask, linesOf } from './ask.ts';
import { reshapeFields, type Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import { eventColumns, payloadReader, type StoredEvent } from './events.ts';
import { parseExact, plainJson } from './json-rows.ts';
import type { Followed, FollowOptions, HiddenStream } from './options.ts';
import { growingPause, mayPass } from './retried.ts';
import { withParameters } from './table.ts';

/** Ends of a stream that are those of the call: it had a limit, or has looked at every event that was asked for. */
const lastEnds: readonly unknown[] = ['limit', 'until'];

/**
 * Stored events and then each new one, as a stream of lines. When the stream ends or is cut, it is opened again after
 * the last position that was seen, so that each event comes once; pauses grow while nothing comes.
 */
export function follow<Event>(
  connection: Connection,
  path: string,
  payloads: Readonly<Record<string, Columns>>,
  given: FollowOptions,
): Followed<Event> {
  const rowOf = reshapeFields(eventColumns, plainJson);
  const payload = payloadReader({ format: 'json' }, payloads);

  async function* stream(until: number | bigint | undefined): AsyncGenerator<Event> {
    let after: number | bigint | string = given.after ?? 0;
    let left = given.limit;
    for (let failures = 0; left !== 0;) {
      let pause = 0;
      try {
        const page = { follow: 'true', after, until, limit: left };
        const asked = withParameters(path, page, given);
        const question = {
          method: 'GET',
          path: asked,
          accept: 'application/x-ndjson',
          headers: {},
          endless: true,
        } as const;
        const { chunks } = await ask(connection, question, given);
        for await (const line of linesOf(chunks)) {
          const said = parseExact(line) as Readonly<Record<string, unknown>>;
          const position = BigInt(String(plainJson(said['global_position'])));
          if ('control' in said) {
            if (lastEnds.includes(said['reason'])) return;
            pause = Number(plainJson(said['retry']) ?? 0);
            if (said['control'] === 'hidden') given.onHidden?.(hiddenStream(said, position));
            if (said['reason'] === 'access') given.onAccess?.();
          }
          if (position !== after) failures = 0;
          after = position;
          if (!('event_id' in said)) continue;
          if (left !== undefined) left -= 1;
          const row = rowOf(said) as unknown as StoredEvent<string, unknown>; // by `eventColumns`
          yield { ...row, data: payload(row) } as Event;
        }
      } catch (error) {
        if (given.signal?.aborted === true || !mayPass(error)) throw error;
        pause = (error.retryAfter ?? 0) * 1000;
      }
      failures += 1;
      await connection.sleep(Math.max(pause, growingPause(connection, failures)), given.signal);
      given.signal?.throwIfAborted();
    }
  }
  return {
    [Symbol.asyncIterator]: () => stream(undefined),
    until: (position) => ({ [Symbol.asyncIterator]: () => stream(position) }),
  };
}

function hiddenStream(said: Readonly<Record<string, unknown>>, position: bigint): HiddenStream {
  return { stream_type: String(said['stream_type']), stream_id: String(said['stream_id']), global_position: position };
}
