import { digestAlgorithms, encodings } from '../../../language/values/digest.ts';
import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Unresolvable } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { sharedCall } from '../shared-call.ts';
import { anyNullable, oneOf } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { isText, namesOf, STRING } from '../typing.ts';
import type { Type } from '../../../language/values/type.ts';

/** The result of DIGEST: bytes, held and shown as `\x…`. */
const BYTES: Type = { kind: 'STRING', bytes: true };

/** The error for a literal that is not one of these words, in any case. */
function unknownWord(
  name: string,
  given: GivenArgument | undefined,
  words: readonly string[],
): Unresolvable | undefined {
  if (typeof given?.literal !== 'string' || words.includes(given.literal.toLowerCase())) return undefined;
  return { problem: `${name} knows ${words.map((word) => `'${word}'`).join(', ')}, not '${given.literal}'` };
}

const textAndAlgorithm = oneOf('DIGEST', [{ parameters: ['text', 'text'], result: BYTES }]);

/** Works one way, so it clears the mark of a SENSITIVE value. */
export const digest: FunctionEntry = {
  name: 'DIGEST',
  usage: ["ENCODE(DIGEST(text, 'sha256'), 'hex')"],
  strict: true,
  clearsSensitive: true,
  resolve: (given) => unknownWord('DIGEST', given[1], digestAlgorithms) ?? textAndAlgorithm(given),
  ...sharedCall('digest'),
};

export const encode: FunctionEntry = {
  name: 'ENCODE',
  usage: ["ENCODE(bytes, 'hex')", "ENCODE(bytes, 'base64')"],
  strict: true,
  resolve: (given) => {
    const [bytes, encoding] = given;
    if (given.length !== 2 || bytes === undefined || encoding === undefined)
      return { problem: `ENCODE takes 2 arguments, not ${given.length}` };
    if (!given.every((argument) => argument.untyped || isText(argument.type))) {
      return { problem: `ENCODE takes a digest or STRING and the name of an encoding, not ${namesOf(given)}` };
    }
    return (
      unknownWord('ENCODE', encoding, encodings) ?? {
        parameters: [bytes.untyped ? STRING : bytes.type, STRING],
        result: STRING,
        nullable: anyNullable,
      }
    );
  },
  sqlite: (call) => {
    const [bytes, encoding] = twoOperands(call);
    return sqliteCall(encodeName(call), bytes.text, encoding.text);
  },
  typescript: (call) => {
    const [bytes, encoding] = twoOperands(call);
    return sqlCall(encodeName(call), bytes.text, encoding.text);
  },
};

/** Text is encoded by its UTF-8 bytes. */
function encodeName(call: PrintedCall): 'encodeBytes' | 'encodeText' {
  const { type } = twoOperands(call)[0];
  return type.kind === 'STRING' && type.bytes === true ? 'encodeBytes' : 'encodeText';
}
