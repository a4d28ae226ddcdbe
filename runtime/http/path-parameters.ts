import { Problem } from './problem.ts';
import { decodeText } from './query-string.ts';
import { quoted } from './quoted.ts';

/** Parameters that are data: any text that may be a stream id. */
const dataParameters: readonly string[] = ['id', 'stream_id'];
const longestStreamId = 256;

/** Segments under an aggregate that are routes and never ids. */
const reserved: readonly string[] = ['state', 'events', 'inspect', 'execute'];

/** Whether the path names what it seems to: `/api/aggregates/A/execute` is no stream `execute`. */
export function namesStream(raw: Readonly<Record<string, string>>): boolean {
  const id = raw['id'];
  return id === undefined || !reserved.includes(decodeText(id) ?? id);
}

const decoded = new WeakMap<Readonly<Record<string, string>>, Readonly<Record<string, string>>>();

/** The decoded parameters of a path; what is no safe identifier (or, for data, no stream id) is refused with 400. */
export function pathParameters(raw: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const known = decoded.get(raw);
  if (known !== undefined) return known;
  const parameters = Object.fromEntries(Object.entries(raw).map(([name, text]) => [name, pathParameter(name, text)]));
  decoded.set(raw, parameters);
  return parameters;
}

function pathParameter(name: string, raw: string): string {
  const text = decodeText(raw);
  if (text === undefined) throw new Problem(400, `{${name}} in the path is not percent-encoded UTF-8 text without NUL`);
  if (dataParameters.includes(name)) {
    if ([...text].length <= longestStreamId) return text;
    throw new Problem(400, `{${name}} in the path is longer than ${longestStreamId} characters`);
  }
  // The companion of an inspection's target has a suffix beside a name of full length.
  const identifier = name === 'table' ? /^[A-Za-z_][A-Za-z0-9_]{0,62}(__branches)?$/ : /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
  if (identifier.test(text)) return text;
  throw new Problem(
    400,
    `{${name}} in the path takes an identifier of 1 to 63 letters, digits and _, not ${quoted(text)}`,
  );
}
