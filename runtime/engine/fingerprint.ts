import { createHmac } from 'node:crypto';
import { ExactNumber, type JsonObject, type JsonValue } from '../values/json.ts';

/** A keyed hash of a command and its arguments as sent, blind to the order of keys (language.md section 5). */
export function fingerprint(secret: Uint8Array, command: string, sent: JsonObject): string {
  return createHmac('sha256', secret)
    .update(`${command}\n${canonical(sent)}`)
    .digest('base64url');
}

function canonical(value: JsonValue): string {
  if (value instanceof ExactNumber) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Map) {
    const entries = [...(value as JsonObject)].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
  }
  return `[${(value as readonly JsonValue[]).map(canonical).join(',')}]`;
}
