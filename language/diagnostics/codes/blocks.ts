import { entry } from '../define.ts';

/** E04xx: the contents of a block, and its changes. */
export const blocks = {
  E0402: entry<{ owner: string; name: string }>({
    severity: 'error',
    title: 'several KEY fields',
    message: (p) => `${p.owner} has a KEY field already; '${p.name}' cannot be one too`,
    explanation: 'One field is the stream id. A composite id is one text that the caller composes.',
    example: 'CREATE COMMAND Fill (a STRING KEY, b STRING KEY);',
  }),
  E0403: entry<{ name: string; type: string }>({
    severity: 'error',
    title: 'stream id of the wrong type',
    message: (p) => `'${p.name}' is the stream id and must be STRING, UUID, INT or BIGINT, not ${p.type}`,
    explanation: 'A stream id is kept and compared as canonical text. Mark another field KEY, or change the type.',
    example: 'CREATE COMMAND Fill (full BOOLEAN);',
  }),
  E0404: entry<{ name: string }>({
    severity: 'error',
    title: 'stream id is SENSITIVE',
    message: (p) => `'${p.name}' is the stream id and cannot be SENSITIVE`,
    explanation:
      'The stream id is shown wherever a stream is named. Use an id that reveals nothing, and keep the secret in another field.',
    example: 'CREATE COMMAND Enrol (ssn STRING SENSITIVE);',
  }),
  E0405: entry<{ name: string }>({
    severity: 'error',
    title: 'stream id may not be missing',
    message: (p) => `'${p.name}' is the stream id and cannot be NULL or empty`,
    explanation: 'Every command goes to one stream, so its id is always given and never empty.',
    example: 'CREATE COMMAND Fill (tank_id STRING NULL);',
  }),
  E0406: entry<{ name: string }>({
    severity: 'error',
    title: 'DEFAULT NULL',
    message: (p) => `'${p.name}': a field with a DEFAULT is never NULL; write NULL instead of DEFAULT NULL`,
    explanation:
      'DEFAULT says that an argument may be absent but is never NULL. An argument that may be NULL is declared NULL.',
    example: 'CREATE COMMAND Fill (tank_id STRING, note STRING DEFAULT NULL);',
  }),
  E0407: entry<{ name: string; first: string; second: string }>({
    severity: 'error',
    title: 'marks that exclude each other',
    message: (p) => `'${p.name}' cannot be both ${p.first} and ${p.second}`,
    explanation:
      'A tag is stored and shown in clear, so a SENSITIVE or VOLATILE field cannot be a TAG. A VOLATILE field is never stored, so it needs no SENSITIVE.',
    example: 'CREATE EVENT Joined (nick STRING SENSITIVE TAG);',
  }),
  E0408: entry<{ name: string; other: string }>({
    severity: 'error',
    title: 'KEY field that is computed',
    message: (p) => `'${p.name}' is the KEY, another name of the stream id; it cannot have ${p.other}`,
    explanation: 'The KEY field of an aggregate is always the stream id.',
    example: "CREATE AGGREGATE Tank (tank_id STRING KEY DEFAULT 'x');",
  }),
  E0410: entry<{ command: string; first: string }>({
    severity: 'error',
    title: 'second decision for a command',
    message: (p) => `command '${p.command}' is already decided by '${p.first}'`,
    explanation: 'One command has exactly one decision. Put the rules into branches of that one, or replace it.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT Filled ();\n' +
      'CREATE DECISION A FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled ();\n' +
      'CREATE DECISION B FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled ();',
  }),
  E0411: entry<{ function: string; where: string }>({
    severity: 'error',
    title: 'aggregate in a decision',
    message: (p) => `${p.function} is not allowed in ${p.where}; compute it in STATE`,
    explanation:
      'A guard and an assignment see one row of state. A value computed over many events belongs in the STATE query.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := SUM(:litres));',
  }),
  E0412: entry<{ where: string; decision: boolean }>({
    severity: 'error',
    title: 'query in a decision',
    message: (p) =>
      `a query is not allowed in ${p.where}; ${p.decision ? 'put it into STATE and use its columns' : 'it reads only what is given to it'}`,
    explanation:
      'Only the fields of the command and the columns of STATE are in scope there, and in a CHECK only the fields. A decision reads everything else in its STATE query.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT Filled ();\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled () WHERE EXISTS (SELECT 1);',
  }),
  E0413: entry<{ name: string }>({
    severity: 'error',
    title: 'assigned twice',
    message: (p) => `'${p.name}' is assigned twice`,
    explanation: 'Each field takes one value.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := 1, litres := 2);',
  }),
  E0414: entry<{
    aggregate: string;
    field: string;
    first: string;
    firstType: string;
    second: string;
    secondType: string;
  }>({
    severity: 'error',
    title: 'events that disagree on a field',
    message: (p) =>
      `events '${p.first}' and '${p.second}' of '${p.aggregate}' give '${p.field}' types with no common supertype (${p.firstType}, ${p.secondType})`,
    explanation:
      'The payload of an aggregate is one relation, so a field of one name has one type over all its events. Rename one of the fields.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT A (x INT);\nCREATE EVENT B (x BOOLEAN);\n' +
      'CREATE DECISION D FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT A (x := 1), SELECT EVENT B (x := TRUE);',
  }),
  E0415: entry<{ path: readonly string[] }>({
    severity: 'error',
    title: 'projections in a circle',
    message: (p) => `projection '${p.path[0] ?? ''}' reads itself: ${p.path.join(' → ')}`,
    explanation: 'A projection may read other projections, but never, directly or through others, itself.',
    example: 'CREATE PROJECTION P AS SELECT * FROM Reg."P";',
  }),
  E0416: entry<{ function: string; where: string }>({
    severity: 'error',
    title: 'random value in a read model',
    message: (p) => `${p.function} is not allowed in ${p.where}: it would give another value each time it is computed`,
    explanation:
      'A CHECK gives the same answer for the same command. Projections and folds are computed repeatedly from the same events and must always give the same result. Let a decision put the value into an event.',
    example: 'CREATE PROJECTION P AS SELECT random() AS r;',
  }),
  E0417: entry<{
    event: string;
    field: string;
    stored: string;
    given: string;
    wider?: string;
    versions: readonly { readonly version: number; readonly count: number }[];
    clause: string;
  }>({
    severity: 'error',
    title: 'stored events forbid the change',
    message: (p) =>
      `event '${p.event}' has stored events in which '${p.field}' is ${p.stored}; ` +
      (p.wider === undefined ? `it cannot become ${p.given}` : `it may become ${p.wider}, not ${p.given}`) +
      `, unless a clause says how ${p.versions.map(({ version, count }) => `version ${version} (${events(count)})`).join(' and ')} ` +
      `${p.versions.length === 1 ? 'reads' : 'read'}: ${p.clause}`,
    explanation:
      'Stored events never change. A field may be added or removed, and its type may be widened: INT to BIGINT to DECIMAL, VARCHAR(n) to STRING. ' +
      'For anything else say with UPCAST FROM how the stored events read as the new definition: write the clause of the message behind the fields, ' +
      'with an expression over the old fields in place of each comment. Or give the new meaning a new name.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\n' +
      "EXECUTE Fill(tank_id := 'T-1', litres := 5);\nCREATE OR REPLACE EVENT Filled (litres STRING);",
  }),
  E0418: entry<{ event: string; field: string }>({
    severity: 'error',
    title: 'stored as SENSITIVE',
    message: (p) =>
      `event '${p.event}' has stored events in which '${p.field}' is SENSITIVE, so it must stay SENSITIVE`,
    explanation: 'A value that was stored as a secret stays one. Use a new field name for values that may be shown.',
    example:
      'CREATE AGGREGATE Login;\nCREATE COMMAND Enrol (user_id STRING, ssn STRING SENSITIVE);\nCREATE EVENT Enrolled (ssn STRING SENSITIVE);\n' +
      'CREATE DECISION D FOR Login ON COMMAND Enrol EMIT AS SELECT EVENT Enrolled (ssn := :ssn);\n' +
      "EXECUTE Enrol(user_id := 'U-1', ssn := '1');\nCREATE OR REPLACE EVENT Enrolled (ssn STRING);",
  }),
  E0419: entry<{ dependent: string; problem: string }>({
    severity: 'error',
    title: 'change breaks another block',
    message: (p) => `${p.dependent} would no longer compile: ${p.problem}`,
    explanation:
      'A change is accepted only when everything that depends on it still compiles. Change the dependents in the same text, or first.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\nCREATE OR REPLACE EVENT Filled (km INT);',
  }),
  E0420: entry<{ kind: string; name: string; referrers: readonly string[] }>({
    severity: 'error',
    title: 'block is in use',
    message: (p) => `${p.kind} '${p.name}' is used by ${p.referrers.join(', ')}`,
    explanation: 'DROP removes a block that nothing refers to. Drop or change the blocks that use it first.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT Filled ();\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled ();\nDROP EVENT Filled;',
  }),
  E0421: entry<{ kind: string; name: string }>({
    severity: 'error',
    title: 'defined twice',
    message: (p) => `${p.kind} '${p.name}' is defined twice`,
    explanation:
      'In the files of one compilation every block is defined once. One CREATE OR REPLACE may override one CREATE.',
    example: 'CREATE EVENT Filled (litres INT);\nCREATE EVENT Filled (km INT);',
  }),
  E0422: entry<{ name: string }>({
    severity: 'error',
    title: 'field name taken by the relation',
    message: (p) => `'${p.name}' is a column of every $Agg relation; choose another name for the field`,
    explanation: 'Name$Agg begins with aggregate_id. A KEY field is that column under another name.',
    example: 'CREATE AGGREGATE Tank (aggregate_id STRING);',
  }),
  E0423: entry<{ event: string; field: string; added: string; count: number; clause: string }>({
    severity: 'warning',
    title: 'renamed field of stored events',
    message: (p) =>
      `event '${p.event}' has '${p.added}' in place of '${p.field}'; ${storedEvents(p.count)} with '${p.field}' and ${p.count === 1 ? 'reads' : 'read'} NULL for '${p.added}'; if it is the new name, write ${p.clause}`,
    explanation:
      'Stored events never change, so a new name does not reach them: they keep the value under the old name, which is no longer read. ' +
      'Say with UPCAST FROM that the new field takes the value of the old one. The warning comes once, when the change is made.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\n' +
      "EXECUTE Fill(tank_id := 'T-1', litres := 5);\nDROP DECISION Pour;\nCREATE OR REPLACE EVENT Filled (volume INT);",
  }),
  E0424: entry<{ event: string; field: string; count: number }>({
    severity: 'warning',
    title: 'dropped field of stored events',
    message: (p) =>
      `event '${p.event}' no longer stores '${p.field}'; ${storedEvents(p.count)} with it, and it is no longer read`,
    explanation:
      'The log keeps the values of a field that is removed or becomes VOLATILE, and nothing reads them until a definition stores the field again. ' +
      'The warning comes once, when the change is made.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\n' +
      "EXECUTE Fill(tank_id := 'T-1', litres := 5);\nDROP DECISION Pour;\nCREATE OR REPLACE EVENT Filled ();",
  }),
  E0425: entry<{ name: string }>({
    severity: 'error',
    title: 'command without a field',
    message: (p) => `command '${p.name}' has no field: one is the id of the stream that it is for`,
    explanation: 'The field marked KEY, else the first one, is the id of the stream. A CHECK alone is no field.',
    example: 'CREATE COMMAND Fill (CHECK (TRUE));',
  }),
  E0426: entry<{ name: string }>({
    severity: 'error',
    title: 'enum named as a type',
    message: (p) => `'${p.name}' is a type of the language; an enum needs another name`,
    explanation: 'The name of an ENUM is a type. A name that is a type already would have two meanings.',
    example: "CREATE ENUM Date AS ('today', 'tomorrow');",
  }),
  E0427: entry<{ name: string; problem: string }>({
    severity: 'error',
    title: 'values of an enum',
    message: (p) => `enum '${p.name}': ${p.problem}`,
    explanation: 'An ENUM has 1 to 1000 different values, each a text of 1 to 200 characters.',
    example: "CREATE ENUM Light AS ('on', 'off', 'on');",
  }),
  E0428: entry<{ name: string; values: readonly string[]; fields: readonly string[] }>({
    severity: 'error',
    title: 'stored events forbid the change of an enum',
    message: (p) =>
      `stored events have fields of enum '${p.name}' (${p.fields.join(', ')}), so it cannot lose ${p.values.map((value) => `'${value}'`).join(', ')}`,
    explanation:
      'Stored events never change, and each of them may have any value that the ENUM had. Values can be added, and their order may change.',
    example:
      "CREATE ENUM Light AS ('on', 'off');\nCREATE AGGREGATE Lamp;\nCREATE COMMAND Turn (lamp STRING, to_ Light);\nCREATE EVENT Turned (to_ Light);\n" +
      "CREATE DECISION TurnIt FOR Lamp ON COMMAND Turn EMIT AS SELECT EVENT Turned (to_ := :to_);\nEXECUTE Turn(lamp := 'l', to_ := 'on');\n" +
      "CREATE OR REPLACE ENUM Light AS ('on');",
  }),
  E0429: entry<{ name: string; problem: string }>({
    severity: 'error',
    title: 'call of a function',
    message: (p) => `function '${p.name}' ${p.problem}`,
    explanation: 'A function of the schema takes one value for each of its parameters, at most 100.',
    example: 'CREATE FUNCTION twice (n INT) RETURNS INT AS n + n;\nSELECT twice();',
  }),
  E0430: entry<{ path: readonly string[] }>({
    severity: 'error',
    title: 'function that calls itself',
    message: (p) => `functions cannot call themselves: ${p.path.join(' → ')}`,
    explanation:
      'The body of a function may call other functions, but not, directly or through them, itself: so every call ends.',
    example: 'CREATE FUNCTION count_down (n INT) RETURNS INT AS count_down(n - 1);',
  }),
  E0431: entry<{ name: string; limit: number }>({
    severity: 'error',
    title: 'call that grows too large',
    message: (p) =>
      `the call of '${p.name}' has more than ${p.limit} parts with the bodies of all functions written in place of their calls`,
    explanation:
      'In a query the body of a function is written in place of its call, and functions that call each other several times grow with each level.',
    example: [
      'CREATE FUNCTION f0 (n INT) RETURNS INT AS n % 9 + n % 8 + n % 7 + n % 6 + n % 5 + n % 4 + n % 3;',
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(
        (n) => `CREATE FUNCTION f${n} (n INT) RETURNS INT AS f${n - 1}(n) + f${n - 1}(n + 1);`,
      ),
      'CREATE FUNCTION f10 (n INT) RETURNS INT AS f9(n);',
    ].join('\n'),
  }),
  E0432: entry<{ name: string; accepted: boolean }>({
    severity: 'error',
    title: 'function named as one of the language',
    message: (p) =>
      p.accepted
        ? `'${p.name}' before a parenthesis belongs to the language since this version; rename function '${p.name}' with the version before, then start this one`
        : `'${p.name}' before a parenthesis belongs to the language; a function needs another name`,
    explanation:
      'A function cannot replace one of the language, nor be called like a word that the grammar takes before a parenthesis.',
    example: 'CREATE FUNCTION upper (t STRING) RETURNS STRING AS t;',
  }),
  E0433: entry<{ name: string; function: string }>({
    severity: 'error',
    title: 'current time in a function',
    message: (p) => `function '${p.name}' cannot use ${p.function}; give it the time as an argument`,
    explanation:
      'A function gives the same result for the same arguments, so that folds over events can use it. The current time is passed to it where it is called.',
    example: 'CREATE FUNCTION is_late (t TIMESTAMP) RETURNS BOOLEAN AS t < CURRENT_TIMESTAMP;',
  }),
  E0434: entry<{ problem: string }>({
    severity: 'error',
    title: 'MESSAGE of a CHECK or an ALLOW',
    message: (p) => `a MESSAGE is one line that a caller reads: ${p.problem}`,
    explanation:
      'MESSAGE is the error that a caller gets whose command does not satisfy the CHECK or the ALLOW: 1 to 500 characters on one line.',
    example: "CREATE COMMAND Fill (tank_id STRING, litres INT CHECK (litres > 0) MESSAGE '');",
  }),
  E0435: entry<{ owner: string; relation: string }>({
    severity: 'warning',
    title: 'STATE without a key',
    message: (p) =>
      `the STATE of '${p.owner}' reads all rows of ${p.relation}, and fails when there are several; choose one with WHERE and an argument`,
    explanation:
      'A STATE has one row at most (R0203). One that reads events or states whose conditions compare columns only has as many rows as there are streams, so it works until there is a ' +
      'second one. Compare the key with an argument, as in WHERE aggregate_id = :tank_id; a column that is compared with itself chooses every row.',
    example:
      'CREATE AGGREGATE Tank (tank_id STRING KEY, level INT DEFAULT 0 AS SUM(data.litres));\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill STATE AS SELECT level FROM Reg."Tank$Agg" WHERE tank_id = tank_id EMIT AS SELECT EVENT Filled (litres := :litres) WHERE level < 9;',
  }),
} as const;

function events(count: number): string {
  return count === 1 ? '1 event' : `${count} events`;
}

function storedEvents(count: number): string {
  return count === 1 ? '1 event is stored' : `${count} events are stored`;
}
