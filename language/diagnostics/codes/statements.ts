import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** The blocks that the examples below act on. */
const pour =
  'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
  'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\n';

/** E09xx: EXECUTE, INSPECT and session tables. */
export const statements = {
  E0901: entry<{ command: string; name: string; nearest: readonly string[]; known: readonly string[] }>({
    severity: 'error',
    title: 'unknown argument',
    message: (p) =>
      `command '${p.command}' takes no '${p.name}'${suggestion(p.nearest) || `; it takes ${p.known.join(', ')}`}`,
    explanation: 'EXECUTE gives values to the fields that the command declares, by name.',
    example: `${pour}EXECUTE Fill(tank_id := 'T-1', liters := 5);`,
  }),
  E0902: entry<{ command: string; name: string; type: string }>({
    severity: 'error',
    title: 'missing argument',
    message: (p) => `command '${p.command}' needs '${p.name}', which takes ${p.type}`,
    explanation:
      'Arguments are required unless the command declares them NULL (may be absent or NULL) or DEFAULT (may be absent; a reaction gives one with a DEFAULT of the caller). ' +
      'The source of an INSPECT DECISION gives them by the names of its columns; by position only where no column bears the name of an argument.',
    example: `${pour}EXECUTE Fill(tank_id := 'T-1');`,
  }),
  E0903: entry<{ what: string; found: string }>({
    severity: 'error',
    title: 'value is not constant',
    message: (p) => `${p.what} takes a literal or an expression of literals, not ${p.found}`,
    explanation:
      "The values of EXECUTE are known without reading anything. Write a text in single quotes: 'T-1'. A decision " +
      'reads the data it depends on in STATE.',
    example: `${pour}EXECUTE Fill(tank_id := T1, litres := 5);`,
  }),
  E0904: entry<{ name: string; nearest: readonly string[]; known: readonly string[] }>({
    severity: 'error',
    title: 'unknown option',
    message: (p) =>
      `EXECUTE … WITH has no option '${p.name}'${suggestion(p.nearest) || `; it takes ${p.known.join(', ')}`}`,
    explanation: 'The options of EXECUTE are command_id, expected_seq, correlation_id and causation_id.',
    example: `${pour}EXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (comand_id = 'c-1');`,
  }),
  E0905: entry<{ name: string; takes: string }>({
    severity: 'error',
    title: 'invalid option value',
    message: (p) => `option '${p.name}' takes ${p.takes}`,
    explanation: 'Ids are non-empty texts; expected_seq is a whole number of at least 0.',
    example: `${pour}EXECUTE Fill(tank_id := 'T-1', litres := 5) WITH (expected_seq = -1);`,
  }),
  E0906: entry<{ command: string }>({
    severity: 'error',
    title: 'command without a decision',
    message: (p) => `command '${p.command}' has no decision yet, so nothing can be executed`,
    explanation: 'A command is decided by exactly one decision. Create it before the command is executed.',
    example: "CREATE COMMAND Fill (tank_id STRING);\nEXECUTE Fill(tank_id := 'T-1');",
  }),
  E0907: entry<{
    command: string;
    name: string;
    type: string;
    given: string;
    nearest?: readonly string[];
    known?: readonly string[];
  }>({
    severity: 'error',
    title: 'ill-typed argument',
    message: (p) =>
      `'${p.name}' of command '${p.command}' takes ${p.type}, not ${p.given}${suggestion(p.nearest ?? [], p.known)}`,
    explanation: 'The value does not fit the declared type. Nothing is rounded, cut or converted silently on input.',
    example: `${pour}EXECUTE Fill(tank_id := 'T-1', litres := 'five');`,
  }),
  E0908: entry<{ decision: string; field: string; columns: number }>({
    severity: 'error',
    title: 'source lacks a required column',
    message: (p) => `INSPECT DECISION ${p.decision}: the source has no column for '${p.field}' (it has ${p.columns})`,
    explanation:
      'Columns of the source map to the fields of the command by name if one bears the name of a field, else by position.',
    example: `${pour}CREATE TABLE wanted (tank) AS VALUES ('T-1');\nINSPECT DECISION Pour FROM wanted INTO outcomes;`,
  }),
  E0909: entry<{ name: string }>({
    severity: 'error',
    title: 'target cannot be written',
    message: (p) => `'${p.name}' cannot be the target; INTO names a session table`,
    explanation:
      'An inspection writes a table of the session and nothing else; only INTO Reg."P" of the inspected projection rebuilds it.',
    example: `${pour}CREATE TABLE wanted (tank_id, litres) AS VALUES ('T-1', 5);\nINSPECT DECISION Pour FROM wanted INTO Reg."Tank$Events";`,
  }),
  E0910: entry<{ projection: string; problem: string }>({
    severity: 'error',
    title: 'projection cannot be inspected over this source',
    message: (p) => `INSPECT PROJECTION ${p.projection}: ${p.problem}`,
    explanation:
      'The source replaces the event relation that the projection reads: the target of an inspection, or Reg."X$Events".',
    example: `${pour}CREATE PROJECTION One AS SELECT 1 AS one;\nINSPECT PROJECTION One FROM Reg."Tank$Events" INTO outcomes;`,
  }),
  E0911: entry<{ command: string; name: string }>({
    severity: 'error',
    title: 'argument may not be NULL',
    message: (p) => `'${p.name}' of command '${p.command}' may not be NULL`,
    explanation: 'Only fields that the command declares NULL can be NULL.',
    example: `${pour}EXECUTE Fill(tank_id := 'T-1', litres := NULL);`,
  }),
  E0912: entry<{ statement: string }>({
    severity: 'warning',
    title: 'statement is not run here',
    message: (p) => `${p.statement} is checked but not run: check, build and dev only define blocks`,
    explanation:
      'Files given to check, build and dev define blocks. Other statements belong in a script for run or test.',
    example: 'SELECT 1;',
  }),
  E0913: entry<Record<string, never>>({
    severity: 'error',
    title: 'AS OF EACH without recorded commands or events',
    message: () =>
      'AS OF EACH is for INSPECT DECISION FROM the recorded commands of its aggregate and for INSPECT REACTION FROM Reg."X$Events"; a query takes AS OF POSITION or AS OF TIMESTAMP',
    explanation:
      'EACH means the moment before each recorded command, so it goes with Reg."X$Commands" of the aggregate of the decision, and that relation with EACH. For a reaction it is the moment after each event. A query has one moment.',
    example: 'SELECT 1 AS OF EACH;',
  }),
  E0914: entry<Record<string, never>>({
    severity: 'error',
    title: 'no part of a candidate schema',
    message: () => 'WITH SCHEMA takes CREATE of blocks other than event stores, DROP of blocks, and APPLY TEMPLATE',
    explanation:
      'The text of WITH SCHEMA says which definitions an inspection uses in place of the registered ones. Nothing of it is run or registered.',
    example: `${pour}CREATE TABLE wanted (tank_id, litres) AS VALUES ('T-1', 5);\nINSPECT DECISION Pour FROM wanted INTO outcomes WITH SCHEMA 'SELECT 1;';`,
  }),
  E0915: entry<{ reaction: string; problem: string }>({
    severity: 'error',
    title: 'reaction cannot be inspected over this source',
    message: (p) => `INSPECT REACTION ${p.reaction}: ${p.problem}`,
    explanation:
      'The rows of the source are the events that the reaction answers: those of Reg."X$Events", or the target of an INSPECT DECISION.',
    example: `${pour}CREATE REACTION Refill ON EVENT Filled EXECUTE Fill (tank_id := :stream_id, litres := 1);\nCREATE TABLE wanted (tank_id) AS VALUES ('T-1');\nINSPECT REACTION Refill FROM wanted INTO outcomes;`,
  }),
} as const;
