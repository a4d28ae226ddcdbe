/** Stores with a field of every type, events of two months, and what is asked of them. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

export const schema = `
CREATE AGGREGATE Account (account_id STRING KEY, balance DECIMAL(12,2) AS SUM(data.amount));
CREATE AGGREGATE Till;
CREATE COMMAND PayIn (account_id STRING, amount DECIMAL(12,2), owner STRING NULL, email STRING NULL SENSITIVE, pin INT NULL SENSITIVE,
  whole BIGINT NULL, ratio DOUBLE NULL, is_new BOOLEAN NULL, at TIMESTAMP NULL, day DATE NULL, code UUID NULL, more JSON NULL, seq INT NULL, month STRING NULL);
CREATE COMMAND Adjust (account_id STRING, amount BIGINT, units BIGINT);
CREATE COMMAND Count_ (till_id STRING, n INT);
CREATE EVENT PaidIn (amount DECIMAL(12,2), owner STRING TAG, email STRING SENSITIVE, pin INT SENSITIVE, whole BIGINT, ratio DOUBLE, is_new BOOLEAN,
  at TIMESTAMP, day DATE, code UUID, more JSON, seq INT, Month STRING, data_seq STRING, seen TIMESTAMP VOLATILE, units DECIMAL(18,4));
CREATE EVENT Adjusted (amount DECIMAL(14,3), units BIGINT);
CREATE EVENT Counted (n INT);
CREATE DECISION PayInIt FOR Account ON COMMAND PayIn EMIT AS SELECT EVENT PaidIn (amount := :amount, owner := :owner, email := :email, pin := :pin,
  whole := :whole, ratio := :ratio, is_new := :is_new, at := :at, day := :day, code := :code, more := :more, seq := :seq, Month := :month, data_seq := 'd', units := :amount);
CREATE DECISION AdjustIt FOR Account ON COMMAND Adjust EMIT AS SELECT EVENT Adjusted (amount := :amount, units := :units);
CREATE DECISION CountIt FOR Till ON COMMAND Count_ EMIT AS SELECT EVENT Counted (n := :n), SELECT EVENT Counted (n := :n + 1);
CREATE PROJECTION Balances AS SELECT stream_id AS account, SUM(data.amount) AS balance, COUNT(*) AS n, MAX(data.at) AS latest FROM Reg."Account$Events" GROUP BY stream_id;
CREATE PROJECTION Tills AS SELECT stream_id AS till, SUM(data.n) AS n FROM Reg."Till$Events" GROUP BY stream_id;
`;

export const commands = `
EXECUTE PayIn(account_id := 'A', amount := 0.10, owner := 'Ada "x", y', email := 'ada@example.com', pin := 7, whole := 9007199254740993, ratio := 0.1, is_new := TRUE,
  at := '2026-03-01T12:00:00.123456Z', day := '2026-03-01', code := '01234567-89ab-cdef-0123-456789abcdef', more := '{"a": [1.50, "ü"]}', seq := 41, month := 'March');
EXECUTE PayIn(account_id := 'A', amount := 0.20, owner := '') WITH (command_id = 'c1', correlation_id = 'r1');
EXECUTE PayIn(account_id := 'B', amount := 9999999999.99, owner := '  two
lines', whole := -9223372036854775808, ratio := -1e300, is_new := FALSE, day := '1969-12-31', at := '1969-12-31T23:59:59.999999Z');
EXECUTE Adjust(account_id := 'B', amount := -3, units := 9223372036854775807);
EXECUTE Count_(till_id := 'T', n := 1);
EXECUTE Count_(till_id := 'T', n := 5);
`;

/** The rows of each statement, as the tool prints them. */
export async function runOn(directory: string, text: string): Promise<readonly (readonly (readonly unknown[])[])[]> {
  const store = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false });
  const session = await openSession({ store, readModel: 'inline', version: '0.0.0' });
  try {
    const all: (readonly (readonly unknown[])[])[] = [];
    for await (const outcome of session.run({ name: 'archive', text })) {
      const { rows, ...rest } = JSON.parse(outcomeJson(outcome)) as Record<string, unknown>;
      assert.is(outcome.kind === 'error' ? JSON.stringify(rest) : '', '');
      all.push((rows ?? []) as readonly (readonly unknown[])[]);
    }
    return all;
  } finally {
    await session.close();
  }
}

const month = 31n * 86_400_000_000n;

/** An event a month after the last one: sessions write at the present time. */
export async function appendLater(directory: string, streamId: string, data: object): Promise<void> {
  const store = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false });
  await store.turns.exclusively(async (turn) => {
    const streamType = 'Account';
    const seq = (await turn.head(streamType, streamId)) + 1;
    const position = turn.nextPosition();
    const event = { position, id: `later-${position}`, type: 'PaidIn', version: 1, streamType, streamId, seq };
    const events = [{ ...event, data: JSON.stringify(data) }];
    const at = store.turns.position().at + month;
    turn.append({ kind: 'command', command: 'PayIn', streamType, streamId, events }, at);
  });
  await store.close();
}

export const tool =
  (folder: string) =>
  (...words: readonly string[]): Promise<ToolResult> =>
    runToolHere(words, { cwd: folder });

export async function fillBank(folder: string): Promise<string> {
  const directory = join(folder, 'data');
  await runOn(directory, schema + commands);
  await appendLater(directory, 'A', { amount: '5.00', owner: 'Later' });
  return directory;
}
