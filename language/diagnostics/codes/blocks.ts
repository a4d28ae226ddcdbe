import { error, warning } from '../define.ts';

/** E04xx: the contents of a block, and its changes. */
export const blocks = {
  E0402: error<{ owner: string; name: string }>(
    (p) => `${p.owner} has a KEY field already; '${p.name}' cannot be one too`,
  ),
  E0403: error<{ name: string; type: string }>(
    (p) => `'${p.name}' is the stream id and must be STRING, UUID, INT or BIGINT, not ${p.type}`,
  ),
  E0404: error<{ name: string }>((p) => `'${p.name}' is the stream id and cannot be SENSITIVE`),
  E0405: error<{ name: string }>((p) => `'${p.name}' is the stream id and cannot be NULL or empty`),
  E0406: error<{ name: string }>(
    (p) => `'${p.name}': a field with a DEFAULT is never NULL; write NULL instead of DEFAULT NULL`,
  ),
  E0407: error<{ name: string; first: string; second: string }>(
    (p) => `'${p.name}' cannot be both ${p.first} and ${p.second}`,
  ),
  E0408: error<{ name: string; other: string }>(
    (p) => `'${p.name}' is the KEY, another name of the stream id; it cannot have ${p.other}`,
  ),
  E0410: error<{ command: string; first: string }>((p) => `command '${p.command}' is already decided by '${p.first}'`),
  E0411: error<{ function: string; where: string }>(
    (p) => `${p.function} is not allowed in ${p.where}; compute it in STATE`,
  ),
  E0412: error<{ where: string; decision: boolean }>(
    (p) =>
      `a query is not allowed in ${p.where}; ${p.decision ? 'put it into STATE and use its columns' : 'it reads only what is given to it'}`,
  ),
  E0413: error<{ name: string }>((p) => `'${p.name}' is assigned twice`),
  E0414: error<{
    aggregate: string;
    field: string;
    first: string;
    firstType: string;
    second: string;
    secondType: string;
  }>(
    (p) =>
      `events '${p.first}' and '${p.second}' of '${p.aggregate}' give '${p.field}' types with no common supertype (${p.firstType}, ${p.secondType})`,
  ),
  E0415: error<{ path: readonly string[] }>(
    (p) => `projection '${p.path[0] ?? ''}' reads itself: ${p.path.join(' → ')}`,
  ),
  E0416: error<{ function: string; where: string }>(
    (p) => `${p.function} is not allowed in ${p.where}: it would give another value each time it is computed`,
  ),
  E0417: error<{
    event: string;
    field: string;
    stored: string;
    given: string;
    wider?: string;
    versions: readonly { readonly version: number; readonly count: number }[];
    clause: string;
  }>(
    (p) =>
      `event '${p.event}' has stored events in which '${p.field}' is ${p.stored}; ` +
      (p.wider === undefined ? `it cannot become ${p.given}` : `it may become ${p.wider}, not ${p.given}`) +
      `, unless a clause says how ${p.versions.map(({ version, count }) => `version ${version} (${events(count)})`).join(' and ')} ` +
      `${p.versions.length === 1 ? 'reads' : 'read'}: ${p.clause}`,
  ),
  E0418: error<{ event: string; field: string }>(
    (p) => `event '${p.event}' has stored events in which '${p.field}' is SENSITIVE, so it must stay SENSITIVE`,
  ),
  E0419: error<{ dependent: string; problem: string }>((p) => `${p.dependent} would no longer compile: ${p.problem}`),
  E0420: error<{ kind: string; name: string; referrers: readonly string[] }>(
    (p) => `${p.kind} '${p.name}' is used by ${p.referrers.join(', ')}`,
  ),
  E0421: error<{ kind: string; name: string }>((p) => `${p.kind} '${p.name}' is defined twice`),
  E0422: error<{ name: string }>(
    (p) => `'${p.name}' is a column of every $Agg relation; choose another name for the field`,
  ),
  E0423: warning<{ event: string; field: string; added: string; count: number; clause: string }>(
    (p) =>
      `event '${p.event}' has '${p.added}' in place of '${p.field}'; ${storedEvents(p.count)} with '${p.field}' and ${p.count === 1 ? 'reads' : 'read'} NULL for '${p.added}'; if it is the new name, write ${p.clause}`,
  ),
  E0424: warning<{ event: string; field: string; count: number }>(
    (p) =>
      `event '${p.event}' no longer stores '${p.field}'; ${storedEvents(p.count)} with it, and it is no longer read`,
  ),
  E0425: error<{ name: string }>((p) => `command '${p.name}' has no field: one is the id of the stream that it is for`),
  E0426: error<{ name: string }>((p) => `'${p.name}' is a type of the language; an enum needs another name`),
  E0427: error<{ name: string; problem: string }>((p) => `enum '${p.name}': ${p.problem}`),
  E0428: error<{ name: string; values: readonly string[]; fields: readonly string[] }>(
    (p) =>
      `stored events have fields of enum '${p.name}' (${p.fields.join(', ')}), so it cannot lose ${p.values.map((value) => `'${value}'`).join(', ')}`,
  ),
  E0429: error<{ name: string; problem: string }>((p) => `function '${p.name}' ${p.problem}`),
  E0430: error<{ path: readonly string[] }>((p) => `functions cannot call themselves: ${p.path.join(' → ')}`),
  E0431: error<{ name: string; limit: number }>(
    (p) =>
      `the call of '${p.name}' has more than ${p.limit} parts with the bodies of all functions written in place of their calls`,
  ),
  E0432: error<{ name: string; accepted: boolean }>((p) =>
    p.accepted
      ? `'${p.name}' before a parenthesis belongs to the language since this version; rename function '${p.name}' with the version before, then start this one`
      : `'${p.name}' before a parenthesis belongs to the language; a function needs another name`,
  ),
  E0433: error<{ name: string; function: string }>(
    (p) => `function '${p.name}' cannot use ${p.function}; give it the time as an argument`,
  ),
  E0434: error<{ problem: string }>((p) => `a MESSAGE is one line that a caller reads: ${p.problem}`),
  E0435: warning<{ owner: string; relation: string }>(
    (p) =>
      `the STATE of '${p.owner}' reads all rows of ${p.relation}, and fails when there are several; choose one with WHERE and an argument`,
  ),
} as const;

function events(count: number): string {
  return count === 1 ? '1 event' : `${count} events`;
}

function storedEvents(count: number): string {
  return count === 1 ? '1 event is stored' : `${count} events are stored`;
}
