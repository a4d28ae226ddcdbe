/** Commands of one history, in order, and how their answers begin. A case is a line; `@` is replaced by digits of the door, so that doors share a server. */
export const commandSchema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE ENUM Kind AS ('plain', 'odd');
CREATE AGGREGATE Acc (acc_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount));
CREATE AGGREGATE Num (num_id INT KEY, last_n INT AS LAST(data.n));
CREATE EVENT Put (amount DECIMAL(12,2), note STRING, kind Kind, day DATE, at TIMESTAMP, big BIGINT, weight DOUBLE, id UUID, pin STRING SENSITIVE, slip STRING VOLATILE);
CREATE EVENT Got (n INT);
CREATE COMMAND Pay (acc_id STRING, amount DECIMAL(12,2) CHECK (amount < 1000), note STRING NULL, kind Kind NULL, day DATE NULL,
  at TIMESTAMP NULL, big BIGINT NULL, weight DOUBLE NULL, id UUID NULL, n INT NULL, target STRING NULL, pin STRING SENSITIVE NULL CHECK (LENGTH(pin) > 3));
CREATE DECISION PayIt FOR Acc ON COMMAND Pay
STATE AS SELECT balance FROM Reg."Acc$Agg" WHERE aggregate_id = :acc_id
EMIT AS BRANCH Little SELECT EVENT Put (amount := :amount, note := :note, kind := :kind, day := :day, at := :at, big := :big, weight := :weight,
  id := :id, pin := :pin, slip := 'thanks') WHERE :n IS NULL AND :target IS NULL AND :amount + balance < 100
UNION ALL BRANCH Twice SELECT EVENT Put (amount := 1), SELECT EVENT Put (amount := 2, note := 'second') WHERE :n = 2
UNION ALL BRANCH Counted SELECT EVENT Got (n := :n + 1), SELECT EVENT Got (n := 10 / :n) WHERE :n <> 2
UNION ALL BRANCH Elsewhere SELECT EVENT Got (n := 1) TO Num(:target), SELECT EVENT Put (amount := 3) WHERE :target IS NOT NULL
UNION ALL BRANCH Flood ${Array.from({ length: 101 }, (_, at) => `SELECT EVENT Got (n := ${at}) TO Num('1')`).join(', ')} WHERE :n = 3;
`;

export interface CommandCase {
  readonly what: string;
  readonly command: string;
  readonly given: Readonly<Record<string, string | number | boolean | null>>;
  /** `emitted`, `rejected`, or the code of the refusal. */
  readonly says: string;
}
const pay = (what: string, says: string, given: CommandCase['given']): CommandCase => ({
  what,
  command: 'Pay',
  given: { acc_id: 'A@', amount: 1, ...given },
  says,
});

export const commandCases: readonly CommandCase[] = [
  pay('an event', 'emitted', { amount: 5, note: 'n' }),
  pay('an empty text', 'emitted', { note: '' }),
  pay('every type', 'emitted', {
    acc_id: 'B@',
    amount: '0.10',
    note: 'ä "\\ \u2028 \u{1f600}',
    kind: 'odd',
    day: '0001-01-01',
    at: '9999-12-31T23:59:59.999999Z',
    big: '9223372036854775807',
    weight: 0.1,
    id: '00000000-0000-4000-8000-000000000001',
    pin: '1234',
  }),
  pay('two events', 'emitted', { n: 2 }),
  pay('a second stream', 'emitted', { target: '7@' }),
  pay('a rejection', 'rejected', { amount: 900, note: 'much', pin: '12345' }),
  pay('a rejection that shows types', 'rejected', {
    amount: '900.50',
    kind: 'plain',
    day: '2001-02-03',
    at: '2001-02-03T04:05:06.000007Z',
    big: '-9223372036854775808',
    weight: -1e300,
  }),
  pay('an id that is not of the type of the KEY', 'R0206', { target: 'x' }),
  pay('another form of the id', 'R0206', { target: '07@' }),
  pay('too many events', 'R0206', { n: 3 }),
  pay('an overflow', 'R0202', { n: 2_147_483_647 }),
  pay('a division by zero', 'R0201', { n: 0 }),
  pay('an amount that is too large', 'R0103', { amount: '10000000000' }),
  pay('a long id', 'R0103', { acc_id: 'x'.repeat(513) }),
  pay('an empty id', 'R0103', { acc_id: '' }),
  pay('a CHECK', 'R0115', { amount: 1000 }),
  pay('a CHECK of a secret', 'R0115', { pin: '1' }),
  { what: 'a missing argument', command: 'Pay', given: { acc_id: 'A@' }, says: 'R0101' },
  pay('an unknown argument', 'R0102', { amont: 1 }),
  pay('NULL', 'R0103', { amount: null }),
  pay('a text for a number', 'R0103', { amount: 'much' }),
  pay('a fraction for a whole number', 'R0103', { n: 1.5 }),
  pay('a value of no enum', 'R0103', { kind: 'strange' }),
  pay('a day that does not exist', 'R0103', { day: '2001-02-30' }),
  pay('two faults', 'R0113', { amount: 'much', amont: 1 }),
  { what: 'an unknown command', command: 'Nope', given: { acc_id: 'A@' }, says: 'R0106' },
];
