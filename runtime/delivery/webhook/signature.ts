import { createHmac } from 'node:crypto';

const prefix = 'whsec_';
const fewestBytes = 24;
const mostBytes = 64;

/** The key of a secret as the Standard Webhooks specification writes it: `whsec_` and base64 of 24 to 64 bytes; undefined for another text. */
export function readSecret(text: string): Uint8Array | undefined {
  const encoded = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !/^[A-Za-z\d+/]+={0,2}$/.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  const isWhole = key.toString('base64').replaceAll('=', '') === encoded.replaceAll('=', '');
  return isWhole && key.length >= fewestBytes && key.length <= mostBytes ? key : undefined;
}

/** The three headers of Standard Webhooks; every key signs, in the order given. The time is in seconds since 1970. */
export function signedHeaders(
  keys: readonly Uint8Array[],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: Uint8Array },
): Readonly<Record<string, string>> {
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
  };
}
