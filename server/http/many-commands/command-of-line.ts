import type { CommandDefinition } from '../../../language/contract/command.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../language/values/json.ts';
import { Problem } from '../wire/problem.ts';
import { parseObject } from '../request/body.ts';
import { idHeader } from '../request/command-headers.ts';
import type { HttpLimits } from '../settings.ts';

/** The command of a line. */
export interface LineCommand {
  readonly arguments: JsonObject;
  readonly commandId?: string;
  readonly expectedSeq?: number;
}

/**
 * Reads a line: the arguments, or an envelope `{"params":{…},"idempotency_key":"…","expected_seq":n}`. An object is an envelope if and only if
 * `params` is an object and no other keys than these are there; a command with a field `params` takes only envelopes, so that no line has two
 * meanings. Throws a `Problem`.
 */
export function commandOfLine(command: CommandDefinition<object>, text: string, limits: HttpLimits): LineCommand {
  const sent = parseObject(text, limits, limits.stringBytes, 'line');
  const params = sent.get('params');
  if (params instanceof Map && [...sent.keys()].every((key) => envelopeKeys.includes(key))) {
    const commandId = keyOf(sent.get('idempotency_key'));
    const expectedSeq = expectedSeqOf(sent.get('expected_seq'));
    return {
      arguments: params as JsonObject,
      ...(commandId !== undefined && { commandId }),
      ...(expectedSeq !== undefined && { expectedSeq }),
    };
  }
  if (command.fields.some(({ name }) => name.toLowerCase() === 'params'))
    throw new Problem(
      'H4005',
      `${command.name} has a field 'params', so a line of it is {"params":{…}} around the arguments`,
    );
  return { arguments: sent };
}

const envelopeKeys: readonly string[] = ['params', 'idempotency_key', 'expected_seq'];

/** The key of an envelope, if it has one. Throws a `Problem`. */
export function keyOf(key: JsonValue | undefined): string | undefined {
  if (key === undefined || typeof key === 'string') return idHeader('idempotency_key', key);
  throw new Problem('H4005', 'idempotency_key takes a text');
}

/** The expected seq of an envelope, checked in the same way. */
export function expectedSeqOf(seq: JsonValue | undefined): number | undefined {
  if (seq === undefined) return undefined;
  if (seq instanceof ExactNumber && /^(0|[1-9]\d{0,14})$/.test(seq.text)) return Number(seq.text);
  throw new Problem('H4005', 'expected_seq takes a whole number from 0, without quotes');
}
