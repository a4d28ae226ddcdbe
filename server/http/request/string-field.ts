import type { JsonObject } from '../../../language/values/json.ts';
import { Problem } from '../answers/problem.ts';

/** The single string of a body such as `{"sql": "…"}`; anything else is refused. */
export function stringField(body: JsonObject, name: string): string {
  const value = body.get(name);
  if (typeof value === 'string' && body.size === 1) return value;
  throw new Problem(400, `the body takes exactly one field, '${name}', a string`);
}
