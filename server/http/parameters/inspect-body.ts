import { safeName } from '../../../language/contract/safe-name.ts';
import { mostFaults, type Fault } from '../../../language/failure/faults.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../language/values/json.ts';
import { Problem } from '../wire/problem.ts';
import type { InspectAsked } from '../../operation/inspect/asked.ts';
import { readMoment } from './read-moment.ts';
import { bodyMembers, flag, wholeNumber, type Member, type Members } from '../request/body-members.ts';
import { conditions } from './conditions.ts';

/** The question in the body of an inspection, and whether its branches are part of the answer. */
export interface InspectBody {
  readonly asked: InspectAsked;
  readonly branches: boolean;
  /** On the recorded commands. */
  readonly where?: ReturnType<typeof conditions.read>;
}

/** A block of any name; which names exist is not a question of form. */
const blockName: Member<string> = {
  takes: 'the name of a block',
  schema: { type: 'string' },
  read: (value) => (typeof value === 'string' ? value : undefined),
};

const newName: Member<string> = {
  takes: 'a name of 1 to 63 letters, digits and _ that begins with no digit',
  schema: { type: 'string', pattern: safeName.source },
  read: (value) => (typeof value === 'string' && safeName.test(value) ? value : undefined),
};

const commands: Member<readonly JsonObject[]> = {
  takes: 'a list of objects with arguments',
  schema: { type: 'array', items: { type: 'object' } },
  read: (value) => {
    if (!Array.isArray(value)) return undefined;
    const objects = value.filter((item: JsonValue): item is JsonObject => item instanceof Map);
    return objects.length === value.length ? objects : undefined;
  },
};

type Moment = NonNullable<InspectAsked['asOf']>;
const moment: Member<Moment> = {
  takes: 'a position from 0 or an ISO 8601 time',
  schema: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] },
  read: (value) => {
    if (value instanceof ExactNumber) return /^\d+$/.test(value.text) ? readMoment(value.text) : undefined;
    return typeof value === 'string' ? readMoment(value) : undefined;
  },
};

const text: Member<string> = {
  takes: 'a text',
  schema: { type: 'string' },
  read: (value) => (typeof value === 'string' ? value : undefined),
};

/** `each`: every recorded command on the state just before it. */
const momentOrEach: Member<Moment | 'each'> = {
  takes: `${moment.takes}, or 'each'`,
  schema: moment.schema,
  read: (value) => (value === 'each' ? value : moment.read(value)),
};

/** The members of the body of an inspection (docs/http.md#inspections). */
export const inspectMembers: Members = {
  decision: blockName,
  projection: blockName,
  commands,
  as_of: momentOrEach,
  since: moment,
  where: conditions,
  limit: wholeNumber(1, 10_000),
  rehearse: flag,
  schema: text,
  into: newName,
  branches: flag,
};

interface Given {
  readonly decision?: string;
  readonly projection?: string;
  readonly commands?: readonly JsonObject[];
  readonly as_of?: Moment | 'each';
  readonly since?: Moment;
  readonly where?: InspectBody['where'];
  readonly limit?: number;
  readonly rehearse?: boolean;
  readonly schema?: string;
  readonly into?: string;
  readonly branches?: boolean;
}

/** Reads the body; a body that asks for no inspection, or for more than `most` commands, is refused. */
export function inspectBody(body: JsonObject, most: number): InspectBody {
  const all = bodyMembers(body, { members: inspectMembers }) as Given;
  if (all.rehearse === true) return rehearsalBody(all);
  const { decision, projection, commands: given, as_of: asOf, schema, into, branches } = all;
  if (asOf === 'each') return recordedBody(all, most);
  refuseMembers(all, ['since', 'where', 'limit'], "is for recorded commands, as_of 'each'");
  const more = {
    ...(asOf !== undefined && { asOf }),
    ...(schema !== undefined && { schema }),
    ...(into !== undefined && { into }),
  };
  if (decision !== undefined && projection !== undefined)
    throw wrong('projection', "the body takes 'decision' or 'projection', not both");
  if (projection !== undefined) {
    const other = given !== undefined ? 'commands' : branches !== undefined ? 'branches' : undefined;
    if (other !== undefined) throw wrong(other, `'${other}' is for a decision`);
    return { asked: { inspected: { kind: 'projection', name: projection }, ...more }, branches: false };
  }
  if (decision === undefined)
    throw wrong('decision', "the body takes 'decision' with 'commands', 'projection', or 'rehearse' with 'schema'");
  if (given === undefined) throw wrong('commands', `'commands' is missing; it takes ${commands.takes}`);
  if (given.length > most)
    throw wrong('commands', `'commands' has ${given.length} commands, at most ${most} are allowed`);
  return {
    asked: { inspected: { kind: 'decision', name: decision, commands: given }, ...more },
    branches: branches === true,
  };
}

/** The recorded commands of a decision instead of commands of the request. */
function recordedBody({ decision, since, where, limit, schema, branches, ...rest }: Given, most: number): InspectBody {
  if (decision === undefined)
    throw wrong('decision', "as_of 'each' takes a 'decision', whose recorded commands it decides");
  refuseMembers(rest, ['commands', 'projection', 'into'], "does not go with as_of 'each'");
  if (limit !== undefined && limit > most)
    throw wrong('limit', `'limit' is ${limit}, at most ${most} commands are allowed`);
  const chosen = { ...(since !== undefined && { since }), ...(limit !== undefined && { limit }) };
  return {
    asked: {
      inspected: { kind: 'recorded', name: decision, most, ...chosen },
      ...(schema !== undefined && { schema }),
    },
    branches: branches === true,
    ...(where !== undefined && { where }),
  };
}

function rehearsalBody({ decision, since, schema, ...rest }: Given): InspectBody {
  if (schema === undefined)
    throw wrong('schema', "a rehearsal takes a 'schema', under which it decides recorded commands");
  refuseMembers(
    rest,
    ['commands', 'projection', 'as_of', 'where', 'limit', 'into', 'branches'],
    'does not go with a rehearsal',
  );
  const chosen = { ...(decision !== undefined && { name: decision }), ...(since !== undefined && { since }) };
  return { asked: { inspected: { kind: 'rehearsal', ...chosen }, schema }, branches: false };
}

function refuseMembers(given: Given, names: readonly (keyof Given)[], why: string): void {
  const other = names.find((name) => given[name] !== undefined);
  if (other !== undefined) throw wrong(other, `'${other}' ${why}`);
}

function wrong(field: string, message: string): Problem {
  return new Problem('H4005', message, {}, [{ field, message, pointer: `/${field}` }]);
}

/** The faults of one command of the body, each with its place. */
export function placedFaults(
  index: number,
  field: string | undefined,
  faults: readonly Fault[],
  message: string,
): readonly Fault[] {
  const at = `/commands/${index}`;
  const all = faults.length > 0 ? faults : [{ ...(field !== undefined && { field }), message }];
  return all.slice(0, mostFaults).map((fault) => ({
    ...fault,
    pointer: fault.field === undefined ? at : `${at}/${fault.field.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }));
}
