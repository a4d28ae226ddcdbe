import { isLongerThan } from '../../../language/values/text.ts';
import { Problem } from '../answers/problem.ts';
import { decodeText } from './query-string.ts';
import { quoted } from './quoted.ts';
import type { HttpLimits } from '../settings.ts';

type PathLimits = Pick<HttpLimits, 'streamIdCharacters' | 'identifierCharacters'>;

/** Parameters that are data: any text that may be a stream id, or the label of a branch. */
const dataParameters: readonly string[] = ['id', 'stream_id', 'branch'];

/** Segments under an aggregate that are routes and never ids. */
const reserved: readonly string[] = ['state', 'events', 'commands', 'inspect', 'execute'];

/** Whether the path means a stream: `/api/aggregates/A/execute` is not a stream named `execute`. */
export function namesStream(raw: Readonly<Record<string, string>>): boolean {
  const id = raw['id'];
  return id === undefined || !reserved.includes(decodeText(id) ?? id);
}

const decoded = new WeakMap<Readonly<Record<string, string>>, Readonly<Record<string, string>>>();

/**
 * The decoded parameters of a path, checked with the limits of its first request; a value that is not a safe identifier (or, for data, not
 * a stream id) is refused with 400.
 */
export function pathParameters(
  raw: Readonly<Record<string, string>>,
  limits: PathLimits,
): Readonly<Record<string, string>> {
  const known = decoded.get(raw);
  if (known !== undefined) return known;
  const parameters = Object.fromEntries(
    Object.entries(raw).map(([name, text]) => [name, pathParameter(name, text, limits)]),
  );
  decoded.set(raw, parameters);
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
