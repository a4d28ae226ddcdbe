/** Digests as bytes; values hold bytes in PostgreSQL's text form, `\x` and hexadecimal digits. */
import { createHash } from 'node:crypto';
import { fail } from '../failure/failure.ts';

export const digestAlgorithms = ['sha256', 'sha512', 'md5'] as const;
export const encodings = ['hex', 'base64'] as const;

/** The digest of the text's UTF-8 bytes, as `\x…`; an unknown algorithm is R0205. */
export function digest(text: string, algorithm: string): string {
  const known = digestAlgorithms.find((name) => name === algorithm.toLowerCase());
  if (known === undefined) throw fail('R0205', { function: 'DIGEST', problem: noName('algorithm', digestAlgorithms) });
  return `\\x${createHash(known).update(text, 'utf8').digest('hex')}`;
}

/** Bytes (as `\x…`) written in an encoding. */
export function encodeBytes(bytes: string, encoding: string): string {
  return encoded(Buffer.from(bytes.slice(2), 'hex'), encoding);
}

/** A text's UTF-8 bytes written in an encoding. */
export function encodeText(text: string, encoding: string): string {
  return encoded(Buffer.from(text, 'utf8'), encoding);
}

/** Breaks base64 into lines of 76 characters, as PostgreSQL does. */
function encoded(bytes: Buffer, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case 'hex':
      return bytes.toString('hex');
    case 'base64':
      return bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\n');
    default:
      throw fail('R0205', { function: 'ENCODE', problem: noName('encoding', encodings) });
  }
}

/** No message quotes the text: it may be sensitive. */
function noName(what: string, known: readonly string[]): string {
  return `the text is not the name of an ${what}; these are ${known.join(', ')}`;
}
