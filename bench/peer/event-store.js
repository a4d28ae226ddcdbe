/**
 * An event store written by hand with better-sqlite3: one transaction per command that reads the stream's state, checks the guard and
 * inserts the event, durable when it returns. `node event-store.js <folder> <commands>` prints commands per second.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const [folder, count] = process.argv.slice(2);
const db = new Database(join(folder, `peer-${randomUUID()}.db`));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY, id TEXT, stream TEXT, seq INTEGER, type TEXT, data TEXT, at INTEGER);
CREATE UNIQUE INDEX by_stream ON events (stream, seq);
CREATE TABLE balances (stream TEXT PRIMARY KEY, balance INTEGER, seq INTEGER)`);
const state = db.prepare('SELECT balance, seq FROM balances WHERE stream = ?');
const insert = db.prepare('INSERT INTO events (id, stream, seq, type, data, at) VALUES (?, ?, ?, ?, ?, ?)');
const keep = db.prepare('INSERT OR REPLACE INTO balances VALUES (?, ?, ?)');
const deposit = db.transaction((stream, amount) => {
  const { balance, seq } = state.get(stream) ?? { balance: 0, seq: 0 };
  if (balance + amount < 0) return;
  insert.run(randomUUID(), stream, seq + 1, 'Deposited', JSON.stringify({ amount }), Date.now() * 1000);
  keep.run(stream, balance + amount, seq + 1);
});
const start = performance.now();
for (let number = 0; number < Number(count); number++) deposit(`A-${number % 1000}`, 5);
console.log((Number(count) * 1000) / (performance.now() - start));
