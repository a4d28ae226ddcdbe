/**
 * A history, the fold of its first events that a test computes by itself, and every kind of question about a moment of it: over HTTP, at the console
 * and in sessions. Each question gives its answer and the one that the fold has.
 */
import type { Session } from '../../server/session/session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { Chance } from '../crash/chance.ts';

export const schema = `
CREATE AGGREGATE Account (account_id STRING KEY, paid INT DEFAULT 0 AS SUM(data.amount), last INT AS LAST(data.amount));
CREATE COMMAND Pay (account_id STRING, amount INT);
CREATE COMMAND Spread (account_id STRING, second STRING, third STRING, amount INT);
CREATE EVENT Paid (amount INT);
CREATE DECISION PayIt FOR Account ON COMMAND Pay EMIT AS SELECT EVENT Paid (amount := :amount);
CREATE DECISION SpreadIt FOR Account ON COMMAND Spread
EMIT AS SELECT EVENT Paid (amount := :amount), SELECT EVENT Paid (amount := :amount + 1) TO Account(:second),
  SELECT EVENT Paid (amount := :amount + 2) TO Account(:third), SELECT EVENT Paid (amount := :amount + 3);
CREATE COMMAND Take (account_id STRING, amount INT);
CREATE EVENT Taken (amount INT);
CREATE DECISION TakeIt FOR Account ON COMMAND Take
STATE AS SELECT (SELECT SUM(data.amount) FROM Reg."Account$Events") AS all_paid, paid FROM Reg."Account$Agg" WHERE aggregate_id = :account_id
EMIT AS SELECT EVENT Taken (amount := all_paid) WHERE paid >= :amount;
CREATE PROJECTION Sums AS SELECT stream_id AS account, SUM(data.amount) AS paid, COUNT(*) AS n FROM Reg."Account$Events" GROUP BY stream_id;
CREATE PROJECTION Whole AS SELECT SUM(paid) AS paid, COUNT(*) AS accounts FROM Reg."Sums";
`;

/** A block of the registry that comes later than the first events. */
export const later = 'CREATE PROJECTION Later AS SELECT COUNT(*) AS n FROM Reg."Account$Events";';

const accounts = ['A', 'B', 'C', 'D'] as const;

interface Paid {
  readonly account: string;
  readonly amount: number;
}

/** The events of a history, of which each command has one or four. */
export interface History {
  readonly events: Paid[];
  /** The positions at which commands ended. */
  readonly ends: number[];
  /** The position at which `later` was created. */
  laterAt: number;
}

/** The text of a random command; its events are added to the history. */
export function nextCommand(chance: Chance, { events, ends }: History): string {
  const [account, second, third] = [chance.pick(accounts), chance.pick(accounts), chance.pick(accounts)];
  const amount = chance.below(100);
  const isOne = chance.below(3) === 0;
  events.push({ account, amount });
  if (!isOne)
    events.push(
      { account: second, amount: amount + 1 },
      { account: third, amount: amount + 2 },
      { account, amount: amount + 3 },
    );
  ends.push(events.length);
  return isOne
    ? `EXECUTE Pay(account_id := '${account}', amount := ${amount});`
    : `EXECUTE Spread(account_id := '${account}', second := '${second}', third := '${third}', amount := ${amount});`;
}

/** A position: mostly inside the events of a command or at their borders. */
export function randomPosition(chance: Chance, { events, ends }: History): number {
  if (chance.below(4) === 0) return chance.below(events.length + 1);
  const at = chance.below(ends.length);
  return chance.below((ends[at] ?? 0) - (ends[at - 1] ?? 0) + 1) + (ends[at - 1] ?? 0);
}

interface Account {
  readonly account: string;
  readonly paid: number;
  readonly n: number;
  readonly last: number;
}

/** The accounts that had events then, by name. */
function accountsAt({ events }: History, position: number): readonly Account[] {
  const then = events.slice(0, position);
  return accounts.flatMap((account) => {
    const amounts = then.filter((event) => event.account === account).map(({ amount }) => amount);
    const last = amounts.at(-1);
    return last === undefined ? [] : [{ account, paid: sum(amounts), n: amounts.length, last }];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, next) => all + next, 0);
}

/** Where questions are asked. */
export interface Asked {
  readonly get: (path: string) => Promise<Response>;
  readonly post: (path: string, body: unknown) => Promise<Response>;
  /** A session that no other caller uses meanwhile. */
  readonly session: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
}

export interface Answered {
  readonly given: unknown;
  readonly right: unknown;
}

export type Question = (asked: Asked, history: History, position: number, chance: Chance) => Promise<Answered>;

const accept = async (answer: Response): Promise<unknown> => [answer.status, await answer.json()];

async function told(session: Session, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const all: Readonly<Record<string, unknown>>[] = [];
  for await (const outcome of session.run({ name: 'past', text }))
    all.push(JSON.parse(outcomeJson(outcome)) as Readonly<Record<string, unknown>>);
  return all;
}

/** The rows of the last statement, or the error of the first that fails. */
async function rowsIn(session: Session, text: string): Promise<unknown> {
  const outcomes = await told(session, text);
  return outcomes.find(({ code }) => code !== undefined) ?? outcomes.at(-1)?.['rows'];
}

const inSession =
  (text: (position: number) => string, right: (history: History, position: number) => unknown): Question =>
  async ({ session }, history, position) => ({
    given: await session((one) => rowsIn(one, text(position))),
    right: right(history, position),
  });

const atConsole =
  (text: (position: number) => string, right: (history: History, position: number) => unknown): Question =>
  async ({ post }, history, position) => ({
    given: await accept(await post('/api/query', { sql: text(position) })),
    right: [200, right(history, position)],
  });

const overHttp =
  (
    path: (position: number) => string,
    right: (history: History, position: number) => unknown,
    status: (history: History, position: number) => number = () => 200,
  ): Question =>
  async ({ get }, history, position) => {
    const answer = await get(path(position));
    const expected = status(history, position);
    return {
      given: [await accept(answer), answer.headers.get('schemac-as-of')],
      right: [[expected, right(history, position)], expected === 200 ? String(position) : null],
    };
  };

const states = 'SELECT account_id, paid, last FROM Reg."Account$Agg" ORDER BY account_id';
const stateRows = (history: History, position: number): unknown =>
  accountsAt(history, position).map(({ account, paid, last }) => [account, paid, last]);
const sums = 'SELECT account, paid, n FROM Reg."Sums" ORDER BY account';
const sumRows = (history: History, position: number): unknown =>
  accountsAt(history, position).map(({ account, paid, n }) => [account, paid, n]);
const sumObjects = (history: History, position: number): unknown =>
  accountsAt(history, position).map(({ account, paid, n }) => ({ account, paid, n }));
const whole = (history: History, position: number): { readonly paid: number | null; readonly accounts: number } => {
  const then = accountsAt(history, position);
  return { paid: then.length === 0 ? null : sum(then.map(({ paid }) => paid)), accounts: then.length };
};

/** The event that taking would have then, if the account had as much. */
function takenAt(history: History, position: number, account: string, amount: number): number | undefined {
  const then = accountsAt(history, position);
  const has = then.find((one) => one.account === account)?.paid;
  return has !== undefined && has >= amount ? sum(then.map(({ paid }) => paid)) : undefined;
}

let tables = 0;

/** By their subjects. The first `quick` ones compile no text. */
export const quick = 5;
export const questions: Readonly<Record<string, Question>> = {
  'states over HTTP': overHttp(
    (position) => `/api/aggregates/Account/state?as_of=${position}&select=account_id,paid,last&order=account_id`,
    (history, position) =>
      accountsAt(history, position).map(({ account, paid, last }) => ({ account_id: account, paid, last })),
  ),
  'the state of a stream over HTTP': overHttp(
    (position) => `/api/aggregates/Account/B?as_of=${position}&select=paid,last`,
    (history, position) => {
      const [found] = accountsAt(history, position).filter(({ account }) => account === 'B');
      return found === undefined
        ? { error: "aggregate 'Account' had no stream 'B' then" }
        : [{ paid: found.paid, last: found.last }];
    },
    (history, position) => (accountsAt(history, position).some(({ account }) => account === 'B') ? 200 : 404),
  ),
  'a projection over HTTP': overHttp(
    (position) => `/api/projections/Sums/query?as_of=${position}&order=account`,
    sumObjects,
  ),
  'a projection over a projection over HTTP': overHttp(
    (position) => `/api/projections/Whole/query?as_of=${position}`,
    (history, position) => [whole(history, position)],
  ),
  'events over HTTP': overHttp(
    (position) =>
      `/api/aggregates/Account/events?as_of=${position}&select=global_position&order=global_position.desc&limit=3`,
    (_, position) =>
      [position, position - 1, position - 2].filter((at) => at > 0).map((at) => ({ global_position: at })),
  ),
  'the registry over HTTP': async ({ get }, { laterAt }, position) => {
    const rows = (await (await get(`/api/reg/projections?as_of=${position}`)).json()) as readonly { name: string }[];
    return {
      given: Array.isArray(rows) ? rows.map(({ name }) => name) : rows,
      // Nothing decided event 0.
      right: position === 0 ? [] : [...(position > laterAt ? ['Later'] : []), 'Sums', 'Whole'],
    };
  },
  'states at the console': atConsole(
    (position) => `${states} AS OF POSITION ${position}`,
    (history, position) =>
      accountsAt(history, position).map(({ account, paid, last }) => ({ account_id: account, paid, last })),
  ),
  'a projection at the console': atConsole((position) => `${sums} AS OF POSITION ${position}`, sumObjects),
  'a projection as of a moment beside the text': async ({ post }, history, position) => ({
    given: await accept(await post(`/api/query?as_of=${position}`, { sql: sums })),
    right: [200, sumObjects(history, position)],
  }),
  'a decision inspected over HTTP': async ({ post }, history, position, chance) => {
    const [account, amount] = [chance.pick(accounts), chance.below(300)];
    const body = { decision: 'TakeIt', commands: [{ account_id: account, amount }], as_of: position };
    const answer = await post('/api/inspect', body);
    const rows = (await answer.json()) as readonly { readonly data: unknown; readonly event_type: string }[];
    const taken = takenAt(history, position, account, amount);
    return {
      given: Array.isArray(rows) ? rows.map(({ event_type, data }) => [event_type, data]) : rows,
      right: [taken === undefined ? ['__REJECTED__', null] : ['Taken', { amount: taken }]],
    };
  },
  'a projection inspected over HTTP': async ({ post }, history, position) => {
    const answer = await post('/api/inspect', { projection: 'Sums', as_of: position });
    const rows = (await answer.json()) as readonly { readonly account: string }[];
    return {
      given: Array.isArray(rows) ? [...rows].sort((a, b) => (a.account < b.account ? -1 : 1)) : rows,
      right: sumObjects(history, position),
    };
  },
  'states in a session': inSession((position) => `${states} AS OF POSITION ${position};`, stateRows),
  'the state of a stream in a session': inSession(
    (position) => `SELECT paid FROM Reg."Account$Agg" WHERE account_id = 'C' AS OF POSITION ${position};`,
    (history, position) =>
      accountsAt(history, position).flatMap(({ account, paid }) => (account === 'C' ? [[paid]] : [])),
  ),
  'a projection in a session': inSession((position) => `${sums} AS OF POSITION ${position};`, sumRows),
  'a table of then': inSession((position) => {
    const name = `then_${++tables}`;
    return `CREATE TABLE ${name} AS ${sums} AS OF POSITION ${position}; SELECT account, paid, n FROM ${name} ORDER BY account;`;
  }, sumRows),
  'a decision inspected in a session': inSession(
    (position) => {
      const name = `would_${++tables}`;
      return `CREATE TABLE of_${name} AS SELECT 'A' AS account_id, 150 AS amount UNION ALL SELECT 'B' AS account_id, 50 AS amount;
        INSPECT DECISION TakeIt FROM of_${name} INTO ${name} AS OF POSITION ${position};
        SELECT stream_id, event_type, data.amount AS amount FROM ${name} ORDER BY stream_id;`;
    },
    (history, position) =>
      (
        [
          ['A', 150],
          ['B', 50],
        ] as const
      ).map(([account, amount]) => {
        const taken = takenAt(history, position, account, amount);
        return taken === undefined ? [account, '__REJECTED__', null] : [account, 'Taken', taken];
      }),
  ),
  'a projection inspected in a session': inSession((position) => {
    const name = `shown_${++tables}`;
    return `INSPECT PROJECTION Sums FROM Reg."Account$Events" INTO ${name} AS OF POSITION ${position};
      SELECT account, paid, n FROM ${name} ORDER BY account;`;
  }, sumRows),
  'the exported registry': async ({ session }, { laterAt }, position) => ({
    given: await session(async (one) => {
      const [{ text } = { text: '' }] = await told(one, `EXPORT REGISTRY AS OF POSITION ${position};`);
      return [String(text).includes('Sums'), String(text).includes('Later')];
    }),
    right: [position > 0, position > laterAt],
  }),
};
