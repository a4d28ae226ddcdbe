/** The caller of a command (docs/callers.md#allow): ALLOW, defaults and decisions that read it, what is recorded of it, and repeated commands. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallerIdentity } from '../../language/contract/caller.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { inspectEach } from '../../runtime/engine/replay.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { CommandEntry } from '../../runtime/store/entry.ts';
import { writeJson } from '../../language/values/json-write.ts';
import { domainOf } from '../kit/domain.ts';
import { engineOf, sent } from '../kit/engine.ts';

const schema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE CLAIM clinic STRING FROM 'org', 'clinic';
CREATE CLAIM level INT;
CREATE CLAIM teams STRING[];
CREATE CLAIM pin STRING SENSITIVE;
CREATE AGGREGATE Booking (booking_id STRING KEY, owner STRING AS LAST(data.owner));
CREATE EVENT Booked (owner STRING, clinic STRING, nurse BOOLEAN);
CREATE EVENT Cancelled (level INT);
CREATE EVENT Moved (note STRING);
CREATE COMMAND Book (booking_id STRING, owner STRING DEFAULT CURRENT_USER, clinic STRING DEFAULT CLAIM(clinic))
  ALLOW WHERE HAS_ROLE('reception') OR owner = CURRENT_USER MESSAGE 'only your own bookings';
CREATE COMMAND Cancel (booking_id STRING, n INT DEFAULT 1) ALLOW WHERE 8 / n > 0;
CREATE COMMAND Move (booking_id STRING, pin STRING NULL CHECK (pin <> 'bad'));
CREATE COMMAND JoinTeam (booking_id STRING, team STRING) ALLOW WHERE team = ANY (CLAIM(teams)) AND CURRENT_TIMESTAMP > TIMESTAMP '2020-01-01';
CREATE COMMAND Plain (booking_id STRING);
CREATE COMMAND Never (booking_id STRING) ALLOW WHERE FALSE;
CREATE DECISION BookIt FOR Booking ON COMMAND Book EMIT AS SELECT EVENT Booked (owner := :owner, clinic := :clinic, nurse := HAS_ROLE('nurse'));
CREATE DECISION CancelIt FOR Booking ON COMMAND Cancel
STATE AS SELECT owner FROM Reg."Booking$Agg" WHERE aggregate_id = :booking_id
EMIT AS SELECT EVENT Cancelled (level := CLAIM(level)) WHERE owner = CURRENT_USER;
CREATE DECISION MoveIt FOR Booking ON COMMAND Move
STATE AS SELECT COUNT(*) AS n FROM Reg."Booking$Events" WHERE stream_id = :booking_id AND data.owner = CURRENT_USER
EMIT AS SELECT EVENT Moved (note := CAST(n AS STRING)) WHERE CLAIM(pin) = :pin OR :pin IS NULL;
CREATE DECISION JoinIt FOR Booking ON COMMAND JoinTeam EMIT AS SELECT EVENT Moved (note := CURRENT_USER);
CREATE DECISION PlainIt FOR Booking ON COMMAND Plain EMIT AS SELECT EVENT Moved (note := 'plain');
CREATE DECISION NeverIt FOR Booking ON COMMAND Never EMIT AS SELECT EVENT Moved (note := CURRENT_USER);
CREATE AGGREGATE Hidden VISIBLE WHERE HAS_ROLE('nurse');
CREATE COMMAND Hide (id STRING);
CREATE DECISION HideIt FOR Hidden ON COMMAND Hide EMIT AS SELECT EVENT Moved (note := 'hidden');
CREATE AGGREGATE Open VISIBLE TO ALL;
CREATE COMMAND Show (id STRING);
CREATE DECISION ShowIt FOR Open ON COMMAND Show EMIT AS SELECT EVENT Moved (note := 'shown');
CREATE REACTION Follow ON EVENT Cancelled EXECUTE Never (booking_id := :stream_id);
`;

const ada: CallerIdentity = {
  subject: 'ada',
  roles: ['nurse'],
  claims: { org: { clinic: 'north' }, level: 3, teams: ['a', 'b'], pin: '1234' },
};
const desk: CallerIdentity = { subject: 'desk', roles: ['reception', 'clerk'], claims: {} };
const nobody: CallerIdentity = { subject: null, roles: ['visitor'], claims: {} };
const claiming = (claims: CallerIdentity['claims']): CallerIdentity => ({ ...ada, claims });
const noCaller = undefined;

/** The payloads of its events, `rejected` or `replayed`, or the code and the message of the failure. */
async function told(
  engine: Engine,
  command: string,
  given: object,
  caller: CallerIdentity | undefined,
  more: object = {},
): Promise<unknown> {
  try {
    const asked = { command, arguments: sent({ booking_id: 'B1', ...given }), ...(caller && { caller }), ...more };
    const { outcome, replayed, events } = unmasked(await engine.execute(asked));
    if (replayed || outcome === 'rejected') return replayed ? 'replayed' : outcome;
    return events.map(({ fields }) => Object.fromEntries(fields.map(({ name, value }) => [name, value])));
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.message}`;
    throw error;
  }
}

type Case = readonly [what: string, command: string, given: object, caller: CallerIdentity | undefined, says: unknown];
const notAllowed = 'R0116 Book: only your own bookings';
const missing = (...names: readonly string[]): string =>
  names.length === 1
    ? `R0101 Book: argument '${names[0] ?? ''}' is missing; it takes STRING`
    : `R0113 Book: 2 arguments are wrong: ${names.map((name) => `argument '${name}' (STRING) is missing`).join('; ')}`;
const illTyped = (claim: string, type: string): string => `R0117 the claim '${claim}' of this token is no ${type}`;

const cases: readonly Case[] = [
  ['defaults of the caller', 'Book', {}, ada, [{ owner: 'ada', clinic: 'north', nurse: true }]],
  [
    'an argument in place of a default',
    'Book',
    { clinic: 'south' },
    ada,
    [{ owner: 'ada', clinic: 'south', nurse: true }],
  ],
  ['another owner', 'Book', { owner: 'bob' }, ada, notAllowed],
  ['a role that may', 'Book', { owner: 'bob', clinic: 'x' }, desk, [{ owner: 'bob', clinic: 'x', nurse: false }]],
  ['a claim that is not there', 'Book', { owner: 'bob' }, desk, missing('clinic')],
  ['an anonymous caller', 'Book', {}, nobody, missing('owner', 'clinic')],
  ['NULL = NULL', 'Book', { owner: 'x', clinic: 'y' }, nobody, notAllowed],
  ['no caller', 'Book', { owner: 'x', clinic: 'y' }, noCaller, [{ owner: 'x', clinic: 'y', nurse: false }]],
  ['no caller for a default', 'Book', { owner: 'x' }, noCaller, missing('clinic')],
  ['arguments before ALLOW', 'Book', { owner: 7 }, ada, "R0103 Book: argument 'owner' takes STRING, not 7"],
  ['a claim of another type', 'Book', {}, claiming({ org: { clinic: 7 } }), illTyped('clinic', 'STRING')],
  [
    'a claim of another type before the arguments',
    'Book',
    { owner: 7 },
    claiming({ org: { clinic: 7 } }),
    illTyped('clinic', 'STRING'),
  ],
  [
    'a claim that is not read',
    'Book',
    { clinic: 'x' },
    claiming({ level: 'high' }),
    [{ owner: 'ada', clinic: 'x', nurse: true }],
  ],
  ['no object on the way', 'Book', {}, claiming({ org: 'north' }), missing('clinic')],
  ['a list on the way', 'Book', {}, claiming({ org: ['north'] }), missing('clinic')],
  [
    'a member that is inherited',
    'Book',
    {},
    claiming(Object.create({ org: { clinic: 'x' } }) as object as CallerIdentity['claims']),
    missing('clinic'),
  ],
  ['a fault in ALLOW', 'Cancel', { n: 0 }, ada, 'R0116 Cancel: not allowed to this caller'],
  ['ALLOW that is FALSE', 'Cancel', { n: 9 }, ada, 'R0116 Cancel: not allowed to this caller'],
  ['ALLOW that is FALSE, without a caller', 'Never', {}, noCaller, [{ note: null }]],
  ['ALLOW WHERE FALSE', 'Never', {}, ada, 'R0116 Never: not allowed to this caller'],
  ['a number of the decision', 'Cancel', {}, claiming({ level: '3' }), 'rejected'],
  ['a fraction for a whole number', 'Cancel', {}, claiming({ level: 1.5 }), illTyped('level', 'INT')],
  ['a rounded whole number', 'Cancel', {}, claiming({ level: 2 ** 53 }), illTyped('level', 'INT')],
  ['a list', 'JoinTeam', { team: 'b' }, ada, [{ note: 'ada' }]],
  ['a value that is not in the list', 'JoinTeam', { team: 'c' }, ada, 'R0116 JoinTeam: not allowed to this caller'],
  ['no list', 'JoinTeam', { team: 'c' }, nobody, 'R0116 JoinTeam: not allowed to this caller'],
  ['a text for a list', 'JoinTeam', { team: 'a' }, claiming({ teams: 'a' }), illTyped('teams', 'STRING[]')],
  ['NULL in a list', 'JoinTeam', { team: 'a' }, claiming({ teams: ['a', null] }), illTyped('teams', 'STRING[]')],
  [
    'a list of 1,000',
    'JoinTeam',
    { team: 't999' },
    claiming({ teams: Array.from({ length: 1000 }, (_, at) => `t${at}`) }),
    [{ note: 'ada' }],
  ],
  [
    'a longer list',
    'JoinTeam',
    { team: 'a' },
    claiming({ teams: Array.from({ length: 1001 }, () => 'a') }),
    illTyped('teams', 'STRING[]'),
  ],
  ['a STATE of the caller', 'Move', {}, ada, [{ note: '1' }]],
  ['a STATE without a caller', 'Move', {}, noCaller, [{ note: '0' }]],
  ['a command that reads no caller', 'Plain', {}, claiming({ level: {} }), [{ note: 'plain' }]],
];

test('decisions of callers', async () => {
  const engine = await engineOf(schema);
  const said: unknown[] = [];
  for (const [index, [, command, given, caller]] of cases.entries()) {
    const own = { booking_id: `B${index}`, ...given };
    if (command === 'Move') await told(engine, 'Book', { ...own, owner: 'ada', clinic: 'x' }, desk);
    said.push(await told(engine, command, own, caller));
  }
  await engine.close();
  assert.equal(
    said,
    cases.map(([, , , , says]) => says),
  );
});

/** Recorded commands, without those of reactions. */
async function recorded(engine: Engine): Promise<readonly CommandEntry[]> {
  const entries: CommandEntry[] = [];
  for await (const entry of engine.store.log.read(1)) if (entry.kind === 'command') entries.push(entry);
  return entries;
}

test('the subject, all roles and the claims that were read are recorded', async () => {
  const keeping = schema.replace("'all'", "'all', envelope.sensitive_arguments = true");
  const north = '{"roles":["nurse"],"claims":{"clinic":"north"}}';
  const table: readonly (readonly [
    command: string,
    caller: CallerIdentity | undefined,
    kept: string,
    keepingAll?: string,
  ])[] = [
    ['Book', ada, `ada ${north}`],
    [
      'Book',
      { ...ada, roles: ['nurse', 'clerk', 'nurse'] },
      'ada {"roles":["clerk","nurse"],"claims":{"clinic":"north"}}',
    ],
    ['Cancel', { ...ada, claims: { level: 3 } }, 'ada {"roles":["nurse"],"claims":{"level":3}}'],
    ['Cancel', { ...ada, claims: {} }, 'ada {"roles":["nurse"],"claims":{"level":null}}'],
    [
      'Move',
      ada,
      'ada {"roles":["nurse"],"claims":{},"withheld":["pin"]}',
      'ada {"roles":["nurse"],"claims":{"pin":"1234"}}',
    ],
    ['Move', { ...ada, claims: {} }, 'ada {"roles":["nurse"],"claims":{"pin":null}}'],
    ['Plain', ada, 'ada {"roles":["nurse"],"claims":{}}'],
    ['Plain', nobody, 'undefined {"roles":["visitor"],"claims":{}}'],
    ['Plain', noCaller, 'undefined undefined'],
  ];
  for (const [text, isKept] of [
    [schema, false],
    [keeping, true],
  ] as const) {
    const engine = await engineOf(text.replace(/CREATE REACTION[^;]*;/, ''));
    for (const [command, caller] of table) await told(engine, command, {}, caller);
    const cells = (await recorded(engine)).map((entry) => `${entry.cells?.subject} ${entry.cells?.caller}`);
    await engine.close();
    assert.equal(
      cells,
      table.map(([, , kept, all = kept]) => (isKept ? all : kept)),
    );
  }
});

test('a reaction is the caller of its commands, which ALLOW does not refuse', async () => {
  const engine = await engineOf(schema, { reactions: 'asked' });
  // Reactions answer events behind the change that created them.
  const changes = engine
    .domain()
    .blocks.map(({ kind: block, name, text }) => ({ change: 'put', block, name, text }) as const);
  await engine.adopt(engine.domain(), { kind: 'schema', origin: 'files', changes });
  await told(engine, 'Book', {}, ada);
  await told(engine, 'Cancel', {}, ada);
  await engine.reactions.settled();
  const last = (await recorded(engine)).at(-1);
  await engine.close();
  assert.is(last?.command, 'Never');
  assert.is(last?.events[0]?.data, '{"note":"reaction:Follow"}');
  assert.equal([last?.cells?.subject, last?.cells?.caller], ['reaction:Follow', undefined]);
});

/** Recorded commands that are decided again, in the words of their outcomes. */
async function again(engine: Engine, text: string, command: string): Promise<readonly string[]> {
  const said: string[] = [];
  for await (const { outcome } of inspectEach(engine.store, await domainOf(text), { command }))
    said.push(
      outcome instanceof Failure
        ? outcome.message
        : outcome.rejection !== undefined
          ? 'rejected'
          : outcome.events
              .flatMap(({ fields }) => fields.map(({ type, value }) => writeJson(value, type)))
              .join(' ')
              .replaceAll('"', ''),
    );
  return said;
}

test('recorded commands are decided again with their callers', async () => {
  const engine = await engineOf(schema);
  await told(engine, 'Book', {}, ada);
  await told(engine, 'Cancel', {}, ada);
  await told(engine, 'Book', { clinic: 'x' }, { ...ada, roles: [] });
  await told(engine, 'Book', { owner: 'bob', clinic: 'x' }, desk);
  await told(engine, 'Book', { owner: 'bob', clinic: 'x' }, noCaller);
  await told(engine, 'Move', { pin: '1234' }, ada);
  // An entry of before roles and claims were recorded.
  const given = '{"booking_id":"B1","owner":"ada","clinic":"x"}';
  const before: CommandEntry = { kind: 'command', command: 'Book', streamType: 'Booking', streamId: 'B1', events: [] };
  await engine.store.turns.exclusively((turn) =>
    turn.append({ ...before, cells: { arguments: given, subject: 'ada' } }, 1_800_000_000_000_000n),
  );
  const changed = (...pairs: readonly (readonly [from: string, to: string])[]): string =>
    pairs.reduce((text, [from, to]) => {
      assert.ok(text.includes(from), from);
      return text.replace(from, to);
    }, schema);
  const notKept = (what: string): string => `AS OF: ${what} not recorded`;
  const [noRoles, noLevel] = [notKept('the roles of the caller are'), notKept("the claim 'level' of the caller is")];
  const refused = 'Book: only your own bookings';
  const table: readonly (readonly [what: string, text: string, command: string, says: readonly string[]])[] = [
    ['as it was', schema, 'Book', ['ada north true', 'ada x false', 'bob x false', 'bob x false', noRoles]],
    [
      'another ALLOW',
      changed(["HAS_ROLE('reception') OR owner = CURRENT_USER", "HAS_ROLE('nurse')"]),
      'Book',
      ['ada north true', refused, refused, 'bob x false', noRoles],
    ],
    [
      'without roles',
      changed(["HAS_ROLE('reception') OR ", ''], ["HAS_ROLE('nurse')", 'FALSE']),
      'Book',
      ['ada north false', 'ada x false', refused, 'bob x false', 'ada x false'],
    ],
    [
      'a claim that was not read',
      changed(['clinic := :clinic', 'clinic := CAST(CLAIM(level) AS STRING)'], ["HAS_ROLE('reception') OR ", '']),
      'Book',
      [noLevel, noLevel, refused, 'bob null false', noLevel],
    ],
    [
      'a default of the caller',
      changed(['DEFAULT CLAIM(clinic)', "DEFAULT 'now'"]),
      'Book',
      ['ada now true', 'ada x false', 'bob x false', 'bob x false', noRoles],
    ],
    ['a claim of before', schema, 'Cancel', ['3']],
    [
      'a claim of another type',
      changed(['CLAIM level INT', 'CLAIM level STRING'], ['CLAIM(level)', 'CAST(CLAIM(level) AS INT)']),
      'Cancel',
      ["AS OF: the recorded claim 'level' is no STRING"],
    ],
    ['a claim that was withheld', schema, 'Move', [notKept("the claim 'pin' of the caller is")]],
  ];
  for (const [what, text, command, says] of table) assert.equal(await again(engine, text, command), says, what);
  await engine.close();
});

test('the first outcome under a key belongs to the subject that sent it', async () => {
  const engine = await engineOf(schema.replace(/CREATE REACTION[^;]*;/, ''));
  const bob = { ...desk, subject: 'bob' };
  const reused = (command: string): string =>
    `R0104 command id 'k' was already used on this stream with another command or with arguments other than these of ${command}`;
  const book = [{ owner: 'ada', clinic: 'x', nurse: true }];
  const sentAgain = { owner: 'ada', clinic: 'x' };
  const table: readonly (readonly [
    what: string,
    command: string,
    given: object,
    caller: CallerIdentity | undefined,
    says: unknown,
  ])[] = [
    ['first', 'Book', sentAgain, ada, book],
    ['again', 'Book', sentAgain, ada, 'replayed'],
    ['with other roles and claims', 'Book', sentAgain, { subject: 'ada', roles: [], claims: {} }, 'replayed'],
    ['by another subject', 'Book', sentAgain, bob, reused('Book')],
    ['by another subject with other arguments', 'Book', { ...sentAgain, clinic: 'y' }, bob, reused('Book')],
    ['by the same subject with other arguments', 'Book', { ...sentAgain, clinic: 'y' }, ada, reused('Book')],
    ['by one that ALLOW refuses', 'Book', sentAgain, { ...bob, roles: [] }, notAllowed],
    ['by one without a caller', 'Book', sentAgain, noCaller, 'replayed'],
    ['of the decision', 'Cancel', { booking_id: 'B2' }, ada, 'rejected'],
    ['of the decision, by another subject', 'Cancel', { booking_id: 'B2' }, bob, reused('Cancel')],
    ['anonymous', 'Move', { booking_id: 'B3' }, nobody, [{ note: '0' }]],
    ['anonymous again', 'Move', { booking_id: 'B3' }, { ...nobody, roles: [] }, 'replayed'],
    ['anonymous, by a subject', 'Move', { booking_id: 'B3' }, { ...nobody, subject: 'null' }, reused('Move')],
    ['recorded without a caller', 'Move', { booking_id: 'B4' }, noCaller, [{ note: '0' }]],
    ['recorded without a caller, by a subject', 'Move', { booking_id: 'B4' }, ada, 'replayed'],
    ['of a command that reads no caller', 'Plain', { booking_id: 'B5' }, ada, [{ note: 'plain' }]],
    ['of an aggregate with VISIBLE', 'Hide', { booking_id: undefined, id: 'x' }, ada, [{ note: 'hidden' }]],
    ['of an aggregate with VISIBLE, by another', 'Hide', { booking_id: undefined, id: 'x' }, bob, reused('Hide')],
    ['of an aggregate TO ALL', 'Show', { booking_id: undefined, id: 'x' }, ada, [{ note: 'shown' }]],
    ['of an aggregate TO ALL, by another', 'Show', { booking_id: undefined, id: 'x' }, bob, 'replayed'],
    ['of a command that reads no caller, by another', 'Plain', { booking_id: 'B5' }, bob, 'replayed'],
  ];
  for (const [what, command, given, caller, says] of table)
    assert.equal(await told(engine, command, given, caller, { commandId: 'k' }), says, what);
  await engine.close();
});

test.run();
