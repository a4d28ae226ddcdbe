import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

const sold = 'CREATE AGGREGATE Shop;\n';
const rows = 'AS SELECT stream_id AS shop FROM Reg."Shop$Events"';

/** E11xx: subscriptions. */
export const subscriptions = {
  E1101: entry<{ part: string; reason: string }>({
    severity: 'error',
    title: 'not one row for each event',
    message: (p) => `a subscription cannot have ${p.part}: ${p.reason}`,
    explanation:
      'A subscription computes a row from one event, or leaves the event out. So the row is the same whenever it is delivered again, and its place ' +
      'is that of the event. A PROJECTION answers questions about several events.',
    example: `${sold}CREATE SUBSCRIPTION Sales ${rows} ORDER BY shop;`,
  }),
  E1102: entry<{ problem: string }>({
    severity: 'error',
    title: 'rows that are no events of their own',
    message: (p) => `this cannot be subscribed to: ${p.problem}`,
    explanation:
      'Each term of a subscription reads the events of one aggregate, and no two terms the same ones: the position of an event is the key by which a ' +
      'consumer recognises a row that it has seen.',
    example: `${sold}CREATE SUBSCRIPTION Sales AS SELECT aggregate_id AS shop FROM Reg."Shop$Agg";`,
  }),
  E1103: entry<{ name: string; reserved: readonly string[] }>({
    severity: 'error',
    title: 'column with the name of a fact of the row',
    message: (p) => `a row has its own '${p.name}'; give the column another name than ${p.reserved.join(', ')}`,
    explanation: 'Each row that is handed out says its position, the attempt and whether it comes out of turn.',
    example: `${sold}CREATE SUBSCRIPTION Sales AS SELECT seq AS position FROM Reg."Shop$Events";`,
  }),
  E1104: entry<{ problem: string }>({
    severity: 'error',
    title: 'key that cannot order rows',
    message: (p) => `KEY cannot be ${p.problem}`,
    explanation:
      'Rows with the same key are delivered one after the other. A key is a single value, and none that is SENSITIVE, because the order of rows shows it.',
    example: `${sold}CREATE SUBSCRIPTION Sales AS SELECT data FROM Reg."Shop$Events" KEY data;`,
  }),
  E1105: entry<{ written: string }>({
    severity: 'error',
    title: 'start that is no place in the log',
    message: (p) => `FROM takes START, NOW, POSITION with a whole number, or TIMESTAMP with a time, not '${p.written}'`,
    explanation: "Examples: FROM NOW, FROM POSITION 1200, FROM TIMESTAMP '2026-01-31T00:00:00Z'.",
    example: `${sold}CREATE SUBSCRIPTION Sales FROM TIMESTAMP 'yesterday' ${rows};`,
  }),
  E1106: entry<{ key: string; nearest: readonly string[]; known: readonly string[] }>({
    severity: 'error',
    title: 'unknown option of a subscription',
    message: (p) =>
      `there is no option '${p.key}'${p.nearest.length > 0 ? suggestion(p.nearest) : `; there are ${p.known.join(', ')}`}`,
    explanation: 'The options of a subscription are in docs/language.md#subscription.',
    example: `${sold}CREATE SUBSCRIPTION Sales ${rows} WITH (atempts = 3);`,
  }),
  E1107: entry<{ key: string; takes: string }>({
    severity: 'error',
    title: 'invalid value of an option',
    message: (p) => `option '${p.key}' takes ${p.takes}`,
    explanation:
      'The value has the wrong type, lies outside the bounds, or the option belongs to webhooks and there is none.',
    example: `${sold}CREATE SUBSCRIPTION Sales ${rows} WITH (attempts = 0);`,
  }),
  E1108: entry<{ problem: string }>({
    severity: 'error',
    title: 'webhook that cannot be called safely',
    message: (p) => `DELIVER TO WEBHOOK ${p.problem}`,
    explanation:
      "The address is a URL with https, without user and password, or the variable of the environment that contains it: ENV('NAME'). The secret that signs " +
      'the requests is never written in a schema: SECRET takes one or two variables of the environment. Only an address of this computer works ' +
      'without a secret, for trials.',
    example: `${sold}CREATE SUBSCRIPTION Sales ${rows} DELIVER TO WEBHOOK 'https://example.com/hook' SECRET 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';`,
  }),
} as const;
