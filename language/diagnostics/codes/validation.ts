import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** The blocks that the examples below begin with. */
const tank =
  'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n';

/** E10xx: findings of VALIDATE REGISTRY. They hint at mistakes in the domain; nothing is refused. */
export const validation = {
  E1001: entry<{ command: string }>({
    severity: 'warning',
    title: 'command without a decision',
    message: (p) => `no decision decides command '${p.command}'`,
    explanation: 'The command cannot be executed until a decision decides it.',
    example: 'CREATE COMMAND Fill (tank_id STRING);\nVALIDATE REGISTRY;',
  }),
  E1002: entry<{ event: string }>({
    severity: 'warning',
    title: 'event that is never emitted',
    message: (p) => `no decision emits event '${p.event}'`,
    explanation: 'The event can never happen. Emit it from a decision, or drop it.',
    example: 'CREATE EVENT Filled (litres INT);\nVALIDATE REGISTRY;',
  }),
  E1003: entry<{ aggregate: string }>({
    severity: 'warning',
    title: 'aggregate without decisions',
    message: (p) => `no decision writes to aggregate '${p.aggregate}'`,
    explanation: 'Streams of this aggregate can never have events.',
    example: 'CREATE AGGREGATE Tank;\nVALIDATE REGISTRY;',
  }),
  E1004: entry<{ projection: string; aggregate: string }>({
    severity: 'warning',
    title: 'projection over streams without events',
    message: (p) => `projection '${p.projection}' reads aggregate '${p.aggregate}', which no event reaches`,
    explanation: 'The relations of that aggregate are always empty.',
    example: 'CREATE AGGREGATE Tank;\nCREATE PROJECTION P AS SELECT seq FROM Reg."Tank$Events";\nVALIDATE REGISTRY;',
  }),
  E1005: entry<{ decision: string; branch: string }>({
    severity: 'warning',
    title: 'guard that never holds',
    message: (p) => `decision '${p.decision}': the guard of ${p.branch} can never be true`,
    explanation: 'The branch never emits. The conditions of the guard exclude each other, or compare with NULL.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres) WHERE :litres > 5 AND :litres < 3;\nVALIDATE REGISTRY;`,
  }),
  E1006: entry<{ decision: string; branch: string }>({
    severity: 'info',
    title: 'guard that always holds',
    message: (p) => `decision '${p.decision}': the guard of ${p.branch} is always true`,
    explanation: 'A guard that is always true has no effect; leave it out.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres) WHERE :litres > 5 OR :litres <= 5;\nVALIDATE REGISTRY;`,
  }),
  E1007: entry<{ decision: string; first: string; second: string }>({
    severity: 'info',
    title: 'branches that overlap',
    message: (p) => `decision '${p.decision}': ${p.first} and ${p.second} can emit together`,
    explanation:
      'Branches are independent: each branch whose guard is true emits. If only one of them should emit, make their guards exclude each other.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres) WHERE :litres > 5\nUNION ALL SELECT EVENT Filled (litres := 0) WHERE :litres <= 10;\nVALIDATE REGISTRY;`,
  }),
  E1008: entry<{ decision: string; gap: string }>({
    severity: 'info',
    title: 'gap between branches',
    message: (p) => `decision '${p.decision}': no branch covers ${p.gap}`,
    explanation:
      'For these values no branch emits and the command is rejected. If that is not intended, widen a guard.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres) WHERE :litres > 5\nUNION ALL SELECT EVENT Filled (litres := 0) WHERE :litres < 5;\nVALIDATE REGISTRY;`,
  }),
  E1009: entry<{ place: string; event: string; nearest: readonly string[] }>({
    severity: 'warning',
    title: 'comparison with an event that never occurs',
    message: (p) =>
      `${p.place} compares event_type with '${p.event}', which never occurs in the relation it reads${suggestion(p.nearest)}`,
    explanation: 'The name is misspelt, or no decision emits the event into that aggregate.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\nCREATE PROJECTION P AS SELECT seq FROM Reg."Tank$Events" WHERE event_type = 'Filed';\nVALIDATE REGISTRY;`,
  }),
  E1010: entry<{ event: string; from: string }>({
    severity: 'info',
    title: 'clause that no stored event needs',
    message: (p) => `event '${p.event}': no stored event has the shape of UPCAST FROM ${p.from}`,
    explanation:
      'No event of that shape is stored in this log, so the clause is never used. Another store may need it; else remove it, or correct its fields.',
    example:
      'CREATE EVENT Emptied (why STRING) UPCAST FROM (reason INT) AS (why := CAST(reason AS STRING));\nVALIDATE REGISTRY;',
  }),
  E1011: entry<{ place: string; event: string; now: string }>({
    severity: 'warning',
    title: 'comparison with an earlier name of an event',
    message: (p) => `${p.place} compares event_type with '${p.event}', whose events read as '${p.now}'`,
    explanation:
      'UPCAST FROM EVENT renames the stored events everywhere: queries see only the new name. Compare with that one.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\nCREATE OR REPLACE EVENT Filled (litres INT) UPCAST FROM EVENT Poured (litres INT) AS ();\nCREATE PROJECTION P AS SELECT seq FROM Reg."Tank$Events" WHERE event_type = 'Poured';\nVALIDATE REGISTRY;`,
  }),
  E1012: entry<{ place: string; enum: string }>({
    severity: 'warning',
    title: 'values of an ENUM in the order of their texts',
    message: (p) =>
      `${p.place} compares values of ENUM '${p.enum}' by their texts, not in the order of their declaration`,
    explanation:
      'Values of an ENUM compare and sort as texts, unlike in PostgreSQL. Compare with single values, use a CASE that numbers them, or write CAST(… AS STRING) if the texts are meant.',
    example:
      "CREATE ENUM Size AS ('small', 'large');\nCREATE COMMAND Fill (tank_id STRING, size Size CHECK (size > 'small'));\nVALIDATE REGISTRY;",
  }),
  E1013: entry<{ command: string }>({
    severity: 'info',
    title: 'command without ALLOW',
    message: (p) => `command '${p.command}' has no ALLOW, where others have one`,
    explanation: 'Every caller with the right to execute it may send it, with any arguments.',
    example:
      "CREATE COMMAND Fill (tank_id STRING) ALLOW WHERE HAS_ROLE('clerk');\nCREATE COMMAND Empty (tank_id STRING);\nVALIDATE REGISTRY;",
  }),
  E1014: entry<{ block: string; clause: string; outcome: string }>({
    severity: 'warning',
    title: 'clause with one outcome for all callers',
    message: (p) => `${p.clause} of ${p.block} is ${p.outcome} for all callers`,
    explanation: 'VISIBLE TO ALL shows every row, and a condition that is never true shows none.',
    example: `${tank}CREATE PROJECTION Levels VISIBLE WHERE seq = NULL AS SELECT seq FROM Reg."Tank$Events";\nVALIDATE REGISTRY;`,
  }),
  E1015: entry<{ block: string }>({
    severity: 'warning',
    title: 'CLEAR without a SENSITIVE column',
    message: (p) => `CLEAR of ${p.block} has no effect: no column of it is SENSITIVE`,
    explanation: 'CLEAR shows SENSITIVE values in the clear, and there are none.',
    example: `${tank}CREATE PROJECTION Levels CLEAR WHERE HAS_ROLE('clerk') AS SELECT seq FROM Reg."Tank$Events";\nVALIDATE REGISTRY;`,
  }),
  E1022: entry<{ reaction: string; path: string }>({
    severity: 'warning',
    title: 'circle of reactions',
    message: (p) => `reaction '${p.reaction}' can lead back to itself: ${p.path}`,
    explanation:
      'If no guard ends the circle, it runs until an event has 50 reactions behind it. That event is then parked. An AFTER or AT breaks a circle.',
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\nCREATE REACTION Refill ON EVENT Filled EXECUTE Fill (tank_id := :stream_id, litres := :litres);\nVALIDATE REGISTRY;`,
  }),
  E1023: entry<{ reaction: string; event: string }>({
    severity: 'warning',
    title: 'reaction on an event that never occurs',
    message: (p) => `reaction '${p.reaction}': no decision emits '${p.event}', and none is stored`,
    explanation:
      'The reaction never answers that event. A decision is missing, or the reaction names another event than it should.',
    example: `${tank}CREATE EVENT Emptied ();\nCREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\nCREATE REACTION Refill ON EVENT Emptied EXECUTE Fill (tank_id := :stream_id, litres := 1);\nVALIDATE REGISTRY;`,
  }),
  E1024: entry<{ reaction: string; due: string }>({
    severity: 'warning',
    title: 'commands of the past are due at once',
    message: (p) =>
      `reaction '${p.reaction}' begins with the first event: for old events ${p.due} is over, so their commands run at once`,
    explanation:
      "With FROM START a reaction answers the events before its creation too. A branch with a time and a WHERE is not reported: WHERE :due > CURRENT_TIMESTAMP - INTERVAL '1 day' leaves out what is long over. FROM NOW leaves out all events of the past.",
    example: `${tank}CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\nCREATE REACTION Refill FROM START ON EVENT Filled EXECUTE Fill (tank_id := :stream_id, litres := 1) AFTER 2 DAYS;\nVALIDATE REGISTRY;`,
  }),
} as const;
