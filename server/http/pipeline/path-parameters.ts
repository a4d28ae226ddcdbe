import { isLongerThan } from '../../../language/values/text.ts';
import { Problem } from '../wire/problem.ts';
import { decodeText } from '../request/query-string.ts';
import { quoted } from '../request/quoted.ts';
import type { Route } from '../route.ts';
import type { HttpLimits } from '../settings.ts';

type PathLimits = Pick<HttpLimits, 'streamIdCharacters' | 'identifierCharacters'>;

/** Parameters that are data: any text that may be a stream id, or the label of a branch. */
const dataParameters: readonly string[] = ['id', 'stream_id', 'branch'];

/** Segments under an aggregate that are routes and never ids. */
const reserved: readonly string[] = ['state', 'events', 'commands', 'inspect', 'execute'];

/** The texts of a path's segments by the names of its parameters, as they were sent. */
export type RawParameters = Readonly<Record<string, string>>;

/** Whether a path of the route has a parameter that is data, so that there are more such paths than names in a schema. */
export function namesData({ path }: Pick<Route, 'path'>): boolean {
  return dataParameters.some((name) => path.includes(`{${name}}`));
}

/** Whether the path means a stream: `/api/aggregates/A/execute` is not a stream named `execute`. */
export function namesStream({ id }: RawParameters): boolean {
  return id === undefined || !reserved.includes(decodeText(id) ?? id);
}

/**
 * The decoded parameters of a path; a value that is not a safe identifier (or, for data, not a stream id) is refused with 400.
 */
export function pathParameters(raw: RawParameters, limits: PathLimits): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const name of Object.keys(raw)) parameters[name] = pathParameter(name, raw[name] ?? '', limits);
  return parameters;
}

function pathParameter(name: string, raw: string, limits: PathLimits): string {
  const text = decodeText(raw);
  if (text === undefined) throw badPath(name, `{${name}} in the path is not percent-encoded UTF-8 text without NUL`);
  if (dataParameters.includes(name)) {
    if (!isLongerThan(text, limits.streamIdCharacters)) return text;
    throw badPath(name, `{${name}} in the path is longer than ${limits.streamIdCharacters} characters`);
  }
  if (name === 'position') {
    if (/^\d{1,15}$/.test(text)) return text;
    throw badPath(name, `{${name}} in the path takes a whole number, not ${quoted(text)}`);
  }
  // The companion table of an inspection's target has a suffix after a name of up to full length.
  const own = name === 'table' ? text.replace(/__branches$/, '') : text;
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(own) && own.length <= limits.identifierCharacters) return text;
  throw badPath(
    name,
    `{${name}} in the path takes an identifier of 1 to ${limits.identifierCharacters} letters, digits and _, not ${quoted(text)}`,
  );
}

function badPath(field: string, message: string): Problem {
  return new Problem('H4002', message, {}, [{ field, message }]);
}
