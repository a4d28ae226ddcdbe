/** INSPECT REACTION shows what ran: the commands of the log, their arguments, and what was parked, over histories made by chance. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { collect } from '../contract/accounts.ts';
import { createChance } from '../crash/chance.ts';

const rounds = Number(process.env['ROUNDS'] ?? 1);

/** A state by folds of two aggregates, one by a scan, and none; branches at once, later, cancelled, never, and that fail. */
const schema = `
CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = 'all');
CREATE AGGREGATE Seat (seat STRING KEY, status STRING DEFAULT 'free' AS LAST(CASE event_type WHEN 'Held' THEN 'held' WHEN 'Paid' THEN 'paid' ELSE 'free' END));
CREATE AGGREGATE Customer (customer STRING KEY, told INT DEFAULT 0 AS COUNT(*));
CREATE COMMAND Hold (seat STRING, customer STRING, minutes INT NULL);
CREATE COMMAND Pay (seat STRING);
CREATE COMMAND Expire (seat STRING, secret STRING SENSITIVE NULL, due TIMESTAMP);
CREATE COMMAND Tell (customer STRING, what STRING, share DECIMAL(12,4) NULL);
CREATE EVENT Held (customer STRING, minutes INT, secret STRING SENSITIVE);
CREATE EVENT Paid ();
CREATE EVENT Expired ();
CREATE EVENT Told (what STRING);
CREATE DECISION Holding FOR Seat ON COMMAND Hold
STATE AS SELECT status FROM Reg."Seat$Agg" WHERE seat = :seat
EMIT AS SELECT EVENT Held (customer := :customer, minutes := :minutes, secret := 'of ' || :customer) WHERE status = 'free';
CREATE DECISION Paying FOR Seat ON COMMAND Pay
STATE AS SELECT status FROM Reg."Seat$Agg" WHERE seat = :seat
EMIT AS SELECT EVENT Paid () WHERE status = 'held';
CREATE DECISION Expiring FOR Seat ON COMMAND Expire
STATE AS SELECT status FROM Reg."Seat$Agg" WHERE seat = :seat
EMIT AS SELECT EVENT Expired () WHERE status = 'held';
CREATE DECISION Telling FOR Customer ON COMMAND Tell EMIT AS SELECT EVENT Told (what := :what);
`;
const reactions = {
  Folded: `CREATE REACTION Folded ON EVENT Held OF Seat
STATE AS SELECT s.status, c.told FROM Reg."Seat$Agg" s LEFT JOIN Reg."Customer$Agg" c ON c.customer = :customer WHERE s.seat = :stream_id
EXECUTE Expire (seat := :stream_id, secret := :secret, due := :due) AFTER :minutes MINUTES UNLESS EVENT Paid WHERE status = 'held'
UNION ALL BRANCH Hello EXECUTE Tell (customer := :customer, what := COALESCE(told, 0)::STRING, share := 10.0 / :minutes) WHERE :minutes < 40 OR :minutes IS NULL
UNION ALL BRANCH Again EXECUTE Tell (customer := :customer, what := status) WHERE status = 'held';`,
  Scanned: `CREATE REACTION Scanned ON EVENT Expired, Paid
STATE AS SELECT COUNT(DISTINCT stream_id) AS seats, MAX(seq) AS longest FROM Reg."Seat$Events"
EXECUTE Tell (customer := 'desk', what := :event_type || seats::STRING) AFTER 5 MINUTES WHERE longest % 2 = 0;`,
  Alone: `CREATE REACTION Alone ON EVENT Held
EXECUTE Tell (customer := :customer, what := :stream_id) AT :occurred_at + INTERVAL '90 seconds' UNLESS EVENT Paid
UNION ALL EXECUTE Tell (customer := 'log', what := :event_id) WHERE :customer <> 'bob';`,
} as const;

type Told = { readonly rows?: readonly (readonly unknown[])[] };

async function run(session: OpenSession, text: string): Promise<readonly (readonly unknown[])[]> {
  let told: Told = {};
  for await (const outcome of session.run({ name: 'script', text })) {
    told = JSON.parse(outcomeJson(outcome)) as Told;
    assert.ok(outcome.kind !== 'error', JSON.stringify(told));
  }
  return told.rows ?? [];
}

/** Answers of a reaction in the log: `event branch command arguments`, or `event branch parked`. */
async function done(session: OpenSession, reaction: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await collect(session.engine.store.log.read(1))) {
    if (entry.kind !== 'command' || entry.cells?.reaction?.name !== reaction) continue;
    const { cells, causationId, command, commandId = '' } = entry;
    if (cells.failure !== undefined) found.push(`${causationId} parked`);
    else if (command !== '') found.push(`${causationId} ${commandId.split('/')[3]} ${command} ${given(cells)}`);
  }
  return found.sort();
}

function given({
  arguments: kept = '{}',
  withheld = [],
}: {
  arguments?: string;
  withheld?: readonly string[];
}): string {
  const values = JSON.parse(kept) as Record<string, unknown>;
  for (const name of withheld) values[name] = '****';
  // The log has decimals as texts, with all their digits.
  const shownAs = (value: unknown): string =>
    /^-?\d+\.\d+$/.test(String(value)) ? String(Number(value)) : String(value);
  const texts = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${shownAs(value)}`],
  );
  return texts.sort().join(' ');
}

/** Answers that the inspection says were due until now, in the same words. */
async function shown(session: OpenSession, reaction: string, each: string): Promise<readonly string[]> {
  const rows = await run(
    session,
    `INSPECT REACTION ${reaction} FROM Reg."Seat$Events" INTO found ${each};
SELECT event_id, branch, command, arguments, would FROM found WHERE would IN ('execute', 'fault') AND (due IS NULL OR due <= CURRENT_TIMESTAMP);`,
  );
  const texts = rows.map(([event, branch, command, text, would]) => {
    const done = [event, branch, command].map(String).join(' ');
    return would === 'fault' ? `${String(event)} parked` : `${done} ${given({ arguments: JSON.stringify(text) })}`;
  });
  // All branches of an event that are decided together are parked by one entry.
  return [...new Set(texts)].sort();
}

for (let round = 1; round <= rounds; round++)
  test(`what ran is what an inspection shows, round ${round}`, async () => {
    const chance = createChance(round);
    const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
    await run(session, schema + Object.values(reactions).join('\n'));
    const seat = (): string => `'${chance.pick(['A', 'B', 'C', 'D'])}'`;
    for (let step = 0; step < 60; step++) {
      const minutes = chance.pick(['0', '1', '10', '30', '60', 'NULL']);
      await run(
        session,
        chance.pick([
          `EXECUTE Hold(seat := ${seat()}, customer := '${chance.pick(['ada', 'bob'])}', minutes := ${minutes});`,
          `EXECUTE Hold(seat := ${seat()}, customer := '${chance.pick(['ada', 'cleo'])}', minutes := ${minutes});`,
          `EXECUTE Pay(seat := ${seat()});`,
          `ADVANCE CLOCK ${chance.below(40) + 1} MINUTES;`,
        ]),
      );
    }
    for (const reaction of Object.keys(reactions)) {
      const ran = await done(session, reaction);
      assert.ok(ran.length > 0, `${reaction} did nothing`);
      assert.equal(await shown(session, reaction, 'AS OF EACH'), ran, reaction);
    }
    // Without a STATE the present state says the same.
    assert.equal(await shown(session, 'Alone', ''), await done(session, 'Alone'));
    await session.close();
  });

test.run();
