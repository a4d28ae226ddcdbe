/**
 * Finds out whether a command that was sent again under its id is the same: by a keyed hash of the command and the
 * values of its arguments, stored with the outcome (docs/http.md#sending-a-command-again). A recorded fingerprint is
 * compared in the form in which it was made, so that retries against an old log still find their outcome.
 */
import { createHmac } from 'node:crypto';
import type { CallerIdentity } from '../../language/contract/caller.ts';
import type { CommandDefinition } from '../../language/contract/command.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import { writeJson } from '../../language/values/json-write.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { field } from './state.ts';

/** A command as it was sent, and as its definition read it. */
export interface SentCommand {
  readonly definition: CommandDefinition<object>;
  readonly decoded: object;
  readonly sent: JsonObject;
}

/**
 * `2.<all values>`, followed by `.<given values>` when defaults were filled in: a retry that leaves the same arguments
 * out is the same command, even if the defaults have changed since. If the outcome belongs to a subject, its hash is behind both.
 */
export function fingerprint(secret: Uint8Array, command: SentCommand, owner: CallerIdentity | undefined): string {
  const { all, given } = hashesOf(secret, command);
  if (owner !== undefined) return `2.${all}.${given}.${subjectHash(secret, owner)}`;
  return all === given ? `2.${all}` : `2.${all}.${given}`;
}

/** Whether a recorded fingerprint was made from this command. An outcome that belongs to a subject is none of another one. */
export function isSameCommand(
  secret: Uint8Array,
  recorded: string | undefined,
  command: SentCommand,
  caller: CallerIdentity | undefined,
): boolean {
  if (recorded === undefined) return false;
  const [version, all, given = all, owner] = recorded.split('.');
  if (version !== '2') return recorded === hashAsSent(secret, command);
  if (owner !== undefined && caller !== undefined && owner !== subjectHash(secret, caller)) return false;
  const now = hashesOf(secret, command);
  return now.all === all || now.given === given;
}

/** All anonymous callers are one subject. */
function subjectHash(secret: Uint8Array, { subject }: CallerIdentity): string {
  return keyedHash(secret, `subject\n${JSON.stringify(subject)}`).slice(0, 22);
}

/** NULL and an absent argument are the same, and so is a field that the command did not have then. */
function hashesOf(secret: Uint8Array, { definition, decoded, sent }: SentCommand): { all: string; given: string } {
  const { name: command, fields } = definition;
  const members = fields.flatMap(({ name, type }) => {
    const value = field(decoded, name);
    if (value === null) return [];
    return [{ name, text: `${JSON.stringify(name)}:${valueText(value, type)}` }];
  });
  const hashOf = (chosen: typeof members): string => {
    const texts = chosen.map(({ text }) => text).sort();
    return keyedHash(secret, `2\n${command}\n{${texts.join(',')}}`).slice(0, 22); // 132 bits
  };
  const given = members.filter(({ name }) => sent.has(name));
  const all = hashOf(members);
  return { all, given: given.length === members.length ? all : hashOf(given) };
}

/** A text that is equal for equal values: independent of how the value was written, and equal after the field's type was widened. */
function valueText(value: Value, type: Type): string {
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
      return numberText(scalarText(value));
    case 'DECIMAL':
    case 'DOUBLE':
      return numberText(writeJson(value, type));
    case 'JSON':
      return canonical(trustedJson(value as string), numberText); // a JSON value is its text
    default:
      return writeJson(value, type);
  }
}

/**
 * Digits without leading or trailing zeros, and their power of ten: one text for 1, 1.00 and 1e0. Linear in the length
 * of the text.
 */
function numberText(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  if (end === 0) return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end);
  return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${power}`;
}

/**
 * The first form, which depends on how values are written: `1` and `1.00` differ. It is only compared, never written.
 */
function hashAsSent(secret: Uint8Array, { definition, sent }: SentCommand): string {
  return keyedHash(secret, `${definition.name}\n${canonical(sent, (text) => text)}`);
}

/** Independent of the order of keys. */
function canonical(value: JsonValue, number: (text: string) => string): string {
  if (value instanceof ExactNumber) return number(value.text);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Map) {
    const entries = [...(value as JsonObject)].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, number)}`).join(',')}}`;
  }
  return `[${(value as readonly JsonValue[]).map((item) => canonical(item, number)).join(',')}]`;
}

function keyedHash(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}
