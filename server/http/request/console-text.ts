import { sentenceOf, type Fault } from '../../../language/failure/faults.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../language/values/json.ts';
import { Problem } from '../wire/problem.ts';
import type { QueryParameter, QueryText } from '../../operation/query/asked.ts';
import { quoted } from './quoted.ts';

/** Reads `{"sql": "…", "params": {…}}`; anything else is refused. */
export function consoleText(body: JsonObject): QueryText {
  const faults: Fault[] = [];
  const sql = body.get('sql');
  if (typeof sql !== 'string')
    faults.push({ field: 'sql', message: "the body takes a field 'sql', a string", pointer: '/sql' });
  for (const field of body.keys())
    if (field !== 'sql' && field !== 'params')
      faults.push({ field, message: `there is no field ${quoted(field)}`, allowed: 'allowed: sql, params' });
  const params = body.get('params') ?? new Map<string, JsonValue>();
  if (!(params instanceof Map))
    faults.push({ field: 'params', message: "'params' takes an object of values by name", pointer: '/params' });
  const parameters = params instanceof Map ? parametersOf(params as JsonObject, faults) : [];
  if (typeof sql === 'string' && faults.length === 0) return { sql, parameters };
  throw new Problem(
    'H4005',
    sentenceOf(faults, (count) => `${count} parts of the body are wrong`),
    {},
    faults,
  );
}

function parametersOf(params: JsonObject, faults: Fault[]): readonly QueryParameter[] {
  const seen = new Set<string>();
  return [...params].flatMap(([name, given]) => {
    const at = { field: name, pointer: `/params/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
    if (seen.has(name.toLowerCase())) faults.push({ ...at, message: `parameter ${quoted(name)} is given twice` });
    seen.add(name.toLowerCase());
    const value = valueOf(given);
    if (value !== undefined) return [{ name, value }];
    faults.push({ ...at, message: `parameter ${quoted(name)} takes a text, a number, true, false or null` });
    return [];
  });
}

function valueOf(given: JsonValue): QueryParameter['value'] | undefined {
  if (given === null) return { form: 'null' };
  if (typeof given === 'string') return { form: 'text', text: given };
  if (typeof given === 'boolean') return { form: 'boolean', value: given };
  return given instanceof ExactNumber ? { form: 'number', text: given.text } : undefined;
}
