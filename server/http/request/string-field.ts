import type { JsonObject } from '../../../language/values/json.ts';
import { Problem } from '../answers/problem.ts';

/** The single string of a body such as `{"sql": "…"}`; anything else is refused. */
export function stringField(body: JsonObject, name: string): string {
  const value = body.get(name);
  if (typeof value === 'string' && body.size === 1) return value;
  const message = `the body takes exactly one field, '${name}', a string`;
  throw new Problem('H4005', message, {}, [{ field: name, message, pointer: `/${name}` }]);
}
