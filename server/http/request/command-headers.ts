import { readPosition } from '../conditional/entity-tag.ts';
import { Problem } from '../wire/problem.ts';

/** The headers of an execution (docs/http.md#commands). */
export interface CommandHeaders {
  readonly commandId?: string;
  readonly expectedSeq?: number;
  /** The expected position was read from another store than this one. */
  readonly expectedElsewhere?: true;
  readonly correlationId?: string;
  readonly causationId?: string;
}

/** Headers with a single value, which may not be repeated: Node joins repeated headers with commas, which an id may itself contain. */
const once = named('Idempotency-Key', 'If-Match', 'X-Correlation-Id', 'X-Causation-Id', 'traceparent');
/** Headers that protect a command. */
const protecting = named('Idempotency-Key', 'If-Match');

export function commandHeaders(
  header: (name: string) => string | undefined,
  sent: (name: string) => readonly string[],
  /** The key of this store in tags. */
  store: string,
): CommandHeaders {
  const twice = once.find(({ key }) => header(key)?.includes(',') === true && sent(key).length > 1);
  if (twice !== undefined) throw badHeader(twice.name, `${twice.name} is given twice`);
  // A caller whose variable was empty would believe that the command is protected.
  const blank = protecting.find(({ key }) => sent(key).includes(''));
  if (blank !== undefined) throw badHeader(blank.name, `${blank.name} is given without a value`);
  const commandId = idHeader('Idempotency-Key', header('idempotency-key'));
  const expected = ifMatch(header('if-match'));
  const correlationId = idHeader('X-Correlation-Id', header('x-correlation-id')) ?? traceParent(header('traceparent'));
  const causationId = idHeader('X-Causation-Id', header('x-causation-id'));
  const said: { -readonly [K in keyof CommandHeaders]: CommandHeaders[K] } = {};
  if (commandId !== undefined) said.commandId = commandId;
  if (expected !== undefined) said.expectedSeq = expected.seq;
  if (expected?.store !== undefined && expected.store !== store) said.expectedElsewhere = true;
  if (correlationId !== undefined) said.correlationId = correlationId;
  if (causationId !== undefined) said.causationId = causationId;
  return said;
}

function named(...names: readonly string[]): readonly { readonly name: string; readonly key: string }[] {
  return names.map((name) => ({ name, key: name.toLowerCase() }));
}

/** Header bytes have no agreed meaning beyond ASCII, so an id that is stored forever is ASCII. */
export function idHeader(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,254}[\x21-\x7e])?$/.test(value)) {
    throw badHeader(name, `${name} takes 1 to 256 printable ASCII characters`);
  }
  return value;
}

function ifMatch(value: string | undefined): ReturnType<typeof readPosition> {
  if (value === undefined) return undefined;
  const expected = readPosition(value);
  if (expected !== undefined) return expected;
  throw badHeader(
    'If-Match',
    'If-Match takes the expected seq of the stream, such as "3", or an unchanged ETag of the stream; proxies alter tags, so behind a proxy send the seq',
  );
}

/** A malformed one is ignored, as its specification requires. */
function traceParent(value: string | undefined): string | undefined {
  return value !== undefined && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(value) ? value : undefined;
}

function badHeader(field: string, message: string): Problem {
  return new Problem('H4004', message, {}, [{ field, message }]);
}
