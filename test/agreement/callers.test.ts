/**
 * The commands that a caller may send, and the part of the caller in a decision, are the same at every door: before the command in an inspection, in its own answer, and
 * after it, when the recorded command is decided again. A caller, a command or a door joins by a line.
 */
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emitProject } from '../../compiler/emit/project/emit-project.ts';
import type { CallerIdentity } from '../../language/contract/caller.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { withServedProject } from '../client/served-client.ts';
import { catalogOf } from '../emit/compiled.ts';

const schema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE CLAIM clinic STRING FROM 'org', 'clinic';
CREATE CLAIM level INT;
CREATE CLAIM teams STRING[];
CREATE AGGREGATE Booking (booking_id STRING KEY, owner STRING AS LAST(data.owner));
CREATE EVENT Booked (owner STRING, clinic STRING, nurse BOOLEAN);
CREATE EVENT Rated (who STRING, level INT, team BOOLEAN);
CREATE COMMAND Book (booking_id STRING, owner STRING DEFAULT CURRENT_USER, clinic STRING DEFAULT CLAIM(clinic))
  ALLOW WHERE HAS_ROLE('desk') OR owner = CURRENT_USER MESSAGE 'only your own bookings';
CREATE COMMAND Rate (booking_id STRING, stars INT CHECK (stars < 6)) ALLOW WHERE CURRENT_USER IS NOT NULL OR 8 / stars > 3;
CREATE DECISION BookIt FOR Booking ON COMMAND Book
STATE AS SELECT owner AS before FROM Reg."Booking$Agg" WHERE aggregate_id = :booking_id
EMIT AS SELECT EVENT Booked (owner := :owner, clinic := :clinic, nurse := HAS_ROLE('nurse')) WHERE before IS NULL OR before = CURRENT_USER;
CREATE DECISION RateIt FOR Booking ON COMMAND Rate
EMIT AS SELECT EVENT Rated (who := CURRENT_USER, level := CLAIM(level), team := 'a' = ANY (CLAIM(teams))) WHERE :stars > 0;
`;

const callers = {
  ada: { subject: 'ada', roles: ['nurse'], claims: { org: { clinic: 'north' }, level: 3, teams: ['a', 'b'] } },
  desk: { subject: 'bob', roles: ['desk'], claims: { level: 1, teams: [] } },
  odd: { subject: 'odd', roles: ['nurse'], claims: { org: { clinic: 'south' }, level: 'high' } },
  // No token: a request without an Authorization header.
  visitor: { subject: null, roles: ['visitor'], claims: {} },
} as const satisfies Readonly<Record<string, CallerIdentity>>;
type Name = keyof typeof callers;

interface Sent {
  readonly caller: Name;
  readonly command: 'Book' | 'Rate';
  /** `@` is replaced by a text of the door, so that doors share a server. */
  readonly given: Readonly<Record<string, string | number>>;
}

const notAllowed = 'Book: only your own bookings';
const history: readonly (readonly [...of: [Name, Sent['command'], Sent['given']], says: string])[] = [
  ['ada', 'Book', { booking_id: '1@' }, 'Booked ada north true'],
  ['ada', 'Book', { booking_id: '2@', owner: 'bob' }, notAllowed],
  ['ada', 'Book', { booking_id: '1@', clinic: 'x' }, 'Booked ada x true'],
  ['desk', 'Book', { booking_id: '2@', owner: 'eve', clinic: 'x' }, 'Booked eve x false'],
  ['desk', 'Book', { booking_id: '2@', owner: 'ada', clinic: 'x' }, 'rejected'],
  ['desk', 'Book', { booking_id: '3@' }, "Book: argument 'clinic' is missing; it takes STRING"],
  ['visitor', 'Book', { booking_id: '3@', owner: 'x', clinic: 'y' }, notAllowed],
  ['odd', 'Book', { booking_id: '4@' }, 'Booked odd south true'],
  ['ada', 'Rate', { booking_id: '1@', stars: 5 }, 'Rated ada 3 true'],
  ['desk', 'Rate', { booking_id: '1@', stars: 5 }, 'Rated bob 1 false'],
  ['ada', 'Rate', { booking_id: '1@', stars: 0 }, 'rejected'],
  ['odd', 'Rate', { booking_id: '1@', stars: 5 }, "the claim 'level' of this token is no INT"],
  ['visitor', 'Rate', { booking_id: '1@', stars: 2 }, 'Rated null null null'],
  ['visitor', 'Rate', { booking_id: '1@', stars: 5 }, 'Rate: not allowed to this caller'],
  ['visitor', 'Rate', { booking_id: '1@', stars: 0 }, 'Rate: not allowed to this caller'],
  ['visitor', 'Rate', { booking_id: '1@', stars: 9 }, 'Rate: not allowed to this caller'],
  ['ada', 'Rate', { booking_id: '1@', stars: 9 }, 'Rate: CHECK (stars < 6) is not satisfied'],
];
/** A literal of SET CALLER has the type of its claim, so that a session has no caller with another one. */
const onlyOfTokens = new Set(["the claim 'level' of this token is no INT"]);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const rights = ['execute:*', 'inspect:*', 'read:*', 'read:*$Commands', 'create'];
const auth = {
  tokens: Object.entries(callers).flatMap(([token, { subject, roles, claims }]) =>
    subject === null ? [] : [{ sha256: sha256(token), subject, roles, claims }],
  ),
  anonymous: { roles: ['visitor'] },
  roles: { nurse: rights, desk: rights, visitor: rights },
};
const bearer = (caller: Name): Record<string, string> =>
  callers[caller].subject === null ? {} : { Authorization: `Bearer ${caller}` };

interface Place {
  readonly url: string;
  readonly client: (token: string | undefined) => {
    readonly commands: Readonly<Record<string, (given: object) => Promise<object>>>;
  };
}
type Fields = Readonly<Record<string, unknown>>;
const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (await fetch(url, { method: 'POST', body: text, headers: { ...json, ...headers } })).text();
}

const told = (type: string, fields: Fields): string => [type, ...Object.values(fields).map(String)].join(' ');
const messageOf = (answer: unknown): string => (answer as { readonly error: string }).error;

/** Rows of `execute`, or the refusal. */
function ofAnswer(answer: unknown): string {
  if (!Array.isArray(answer)) return messageOf(answer);
  const [{ status, event_type: type, fields }] = answer as [{ status: string; event_type: string; fields: string }];
  if (status === 'error') return messageOf(JSON.parse(fields));
  return status === 'rejected' ? status : told(type, JSON.parse(fields) as Fields);
}

/** A row of an inspection: its payload has the columns of all events. */
function ofRow({
  event_type: type,
  data,
  rejection,
}: {
  event_type: string;
  data: Fields | null;
  rejection: string | null;
}): string {
  if (type === '__REJECTED__') return 'rejected';
  const names = type === 'Booked' ? ['owner', 'clinic', 'nurse'] : ['who', 'level', 'team'];
  return data === null ? (rejection ?? '') : told(type, Object.fromEntries(names.map((name) => [name, data[name]])));
}

const path = ({ command }: Sent): string => `/api/aggregates/Booking/execute/${command}`;

/** Each door executes the command in the end, so that the next one is decided on the same state. */
const doors: Readonly<Record<string, (place: Place, sent: Sent) => Promise<string>>> = {
  'HTTP execute': async ({ url }, sent) =>
    ofAnswer(JSON.parse(await post(url + path(sent), sent.given, bearer(sent.caller)))),
  'many in a request': async ({ url }, sent) => {
    const lines = { 'Content-Type': 'application/x-ndjson', Accept: 'application/json', ...bearer(sent.caller) };
    return ofAnswer(JSON.parse(await post(url + path(sent), `${JSON.stringify(sent.given)}\n`, lines)));
  },
  'POST /api/inspect before': async ({ url }, sent) => {
    const asked = { decision: `${sent.command}It`, commands: [sent.given] };
    const answer: unknown = JSON.parse(await post(`${url}/api/inspect`, asked, bearer(sent.caller)));
    await post(url + path(sent), sent.given, bearer(sent.caller));
    if (!Array.isArray(answer)) return messageOf(answer).replace(/^commands\[0\]: /, '');
    return ofRow((answer as [Parameters<typeof ofRow>[0]])[0]);
  },
  client: async ({ client }, { caller, command, given }) => {
    try {
      const { commands } = client(callers[caller].subject === null ? undefined : caller);
      const { events = [] } = (await commands[command]?.(given)) as {
        events?: readonly { event_type: string; fields: Fields }[];
      };
      const [event] = events;
      return event === undefined ? 'rejected' : told(event.event_type, event.fields);
    } catch (error) {
      return (error as Error).message;
    }
  },
};

const mine = (sent: (typeof history)[number], mark: string): Sent => {
  const [caller, command, given] = sent;
  return { caller, command, given: JSON.parse(JSON.stringify(given).replaceAll('@', mark)) as Sent['given'] };
};

test('a history of callers at every door, and decided again', async () => {
  const files = await emitProject(catalogOf(schema), { version: '0.0.0', exportText: schema });
  await withServedProject<ReturnType<Place['client']>>(
    files,
    async ({ url, createClient }) => {
      const place: Place = { url, client: (token) => createClient({ format: 'json', ...(token && { token }) }) };
      const said: Record<string, readonly string[]> = {};
      for (const [name, send] of Object.entries(doors)) {
        const answers: string[] = [];
        for (const sent of history) answers.push(await send(place, mine(sent, ` ${name}`)));
        said[name] = answers;
      }
      const says = history.map((sent) => sent[3]);
      for (const name of Object.keys(doors)) assert.equal(said[name], says, name);

      // Recorded commands are decided again by their own definitions, by others, and in a rehearsal, for any caller.
      const recorded = history.filter(([, , , end]) => /^(Booked|Rated|rejected)/.test(end));
      const again = async (command: Sent['command'], more: object = {}): Promise<readonly string[]> => {
        const where = { stream_id: { like: '% HTTP execute' } };
        const asked = { decision: `${command}It`, as_of: 'each', where, ...more };
        const rows = JSON.parse(await post(`${url}/api/inspect`, asked, bearer('desk'))) as readonly Parameters<
          typeof ofRow
        >[0][];
        return rows.map(ofRow);
      };
      const of = (command: Sent['command']): readonly string[] =>
        recorded.filter((one) => one[1] === command).map((one) => one[3]);
      assert.equal(await again('Book'), of('Book'));
      assert.equal(await again('Rate'), of('Rate'));
      const stricter =
        /CREATE COMMAND Book [^;]*;/
          .exec(schema)?.[0]
          .replace('CREATE', 'CREATE OR REPLACE')
          .replace("HAS_ROLE('desk') OR ", '') ?? '';
      const refusedNow = ['R0116 Book: only your own bookings', 'R0116 Book: only your own bookings'];
      const [first = '', second = '', , , last = ''] = of('Book');
      assert.equal(await again('Book', { schema: stricter }), [first, second, ...refusedNow, last]);
      const rehearsal = JSON.parse(
        await post(`${url}/api/inspect`, { rehearse: true, schema: stricter }, bearer('desk')),
      ) as {
        readonly decisions: object;
      };
      const each = Object.keys(doors).length;
      const none = { same: 0, other_events: 0, now_rejected: 0, now_accepted: 0, failed: 0 };
      assert.equal(rehearsal.decisions, [
        { decision: 'BookIt', ...none, same: 3 * each, failed: 2 * each },
        { decision: 'RateIt', ...none, same: of('Rate').length * each },
      ]);
    },
    { auth },
  );
});

test('the same history in a session, inspected before and decided again after', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const run = async (text: string): Promise<readonly Fields[]> => {
    const outcomes: Fields[] = [];
    for await (const outcome of session.run({ name: 'history', text }, { keepGoing: true }))
      outcomes.push(JSON.parse(outcomeJson(outcome)) as Fields);
    return outcomes;
  };
  await run(schema);
  const says: string[] = [];
  const [executed, before]: [string[], string[]] = [[], []];
  for (const sent of history.filter(([, , , end]) => !onlyOfTokens.has(end))) {
    const { caller, command, given } = mine(sent, '');
    says.push(sent[3]);
    await run(setCaller(callers[caller]));
    const [names, values] = [Object.keys(given), Object.values(given).map(literal)];
    const inspected = await run(
      `CREATE TABLE wanted (${names.join(', ')}) AS VALUES (${values.join(', ')});
       INSPECT DECISION ${command}It FROM wanted INTO outcomes;
       SELECT event_type, data, rejection FROM outcomes;`,
    );
    before.push(ofTable(inspected[1]?.['kind'] === 'error' ? inspected[1] : inspected[2]));
    const [outcome] = await run(
      `EXECUTE ${command}(${names.map((name, at) => `${name} := ${values[at] ?? ''}`).join(', ')});`,
    );
    executed.push(ofExecuted(outcome));
  }
  assert.equal(executed, says);
  assert.equal(before, says);
  const again: string[] = [];
  for (const command of ['Book', 'Rate']) {
    await run(`RESET CALLER; INSPECT DECISION ${command}It FROM Reg."Booking$Commands" INTO again AS OF EACH;`);
    const [table] = await run('SELECT event_type, data, rejection FROM again ORDER BY global_position;');
    again.push(...(table?.['rows'] as readonly (readonly unknown[])[]).map(ofCells));
  }
  await session.close();
  const kept = (command: string): readonly string[] =>
    history
      .filter(([, name, , end]) => name === command && /^(Booked|Rated|rejected)/.test(end))
      .map((sent) => sent[3]);
  assert.equal(again, [...kept('Book'), ...kept('Rate')]);
});

function literal(value: unknown): string {
  if (Array.isArray(value)) return `(${value.map(literal).join(', ')})`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function setCaller({ subject, roles, claims }: CallerIdentity): string {
  const { org, level, ...rest } = claims;
  const named = { ...rest, ...(org as object), ...(typeof level === 'number' && { level }) };
  const given = Object.entries(named).map(([name, value]) => `${name} := ${literal(value)}`);
  return `SET CALLER ${subject === null ? 'NULL' : literal(subject)} ROLES ${literal(roles)}${given.length === 0 ? '' : ` CLAIMS (${given.join(', ')})`};`;
}

function ofExecuted(outcome: Fields | undefined): string {
  if (outcome?.['kind'] === 'error') return String(outcome['message']);
  const [event] = (outcome?.['events'] ?? []) as readonly { event_type: string; data: Fields }[];
  return event === undefined ? 'rejected' : told(event.event_type, event.data);
}

function ofTable(outcome: Fields | undefined): string {
  if (outcome?.['kind'] === 'error') return String(outcome['message']);
  return ofCells((outcome?.['rows'] as readonly (readonly unknown[])[])[0] ?? []);
}

function ofCells([event_type, data, rejection]: readonly unknown[]): string {
  return ofRow({ event_type: String(event_type), data: data as Fields | null, rejection: rejection as string | null });
}

test.run();
