/**
 * R3, R4 and R6 for the database of a read model on disk: after a crash at any moment it is as it was after some
 * `settle`; a failing or full disk changes nothing that was settled; a flipped bit is found or harmless.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quoted, type Database } from '../../runtime/store/tables/core/engine.ts';
import { DamagedFile, UnwritableFile, type DatabaseFile } from '../../runtime/store/tables/files/database-file.ts';
import { createLockMemory } from '../../runtime/store/tables/files/file-lock.ts';
import { pageBytes } from '../../runtime/store/tables/files/page-check.ts';
import { loadSqlite } from '../../runtime/store/tables/core/sqlite.ts';
import { createChance, parameter, seedOf, type Chance } from './chance.ts';
import { crashed, type Content, type Fate, type Operation } from './simulated-disk.ts';
import { createSimulatedFileSystem, type SimulatedFileSystem } from './simulated-file-system.ts';

const test = suite('the database of a read model on disk');
const engine = await loadSqlite();
const path = '/data/read-model.db';

/** A small cache, so that pages are written before they are settled. */
function openOn(files: SimulatedFileSystem, cacheBytes = 6 * pageBytes): Database {
  const file: DatabaseFile = { path, cacheBytes, patience: 0, lock: { memory: createLockMemory(), holder: 0 }, files };
  return engine({ in: 'file', file });
}

const kept = (database: Database): string => {
  if (database.rows(`SELECT 1 FROM sqlite_schema WHERE name = 'reached'`).length === 0) return 'nothing';
  const reached = database.rows('SELECT turn FROM reached')[0] ?? [];
  const tables = database.rows(`SELECT name FROM sqlite_schema WHERE name GLOB 't*' AND type = 'table' ORDER BY name`);
  const sums = tables.flatMap(([name]) => [
    name,
    ...(database.rows(`SELECT COUNT(*), SUM(id * turn) FROM ${quoted(String(name))} NOT INDEXED`)[0] ?? []),
    ...(database.rows(`SELECT COUNT(text) FROM ${quoted(String(name))} WHERE text > ''`)[0] ?? []),
  ]);
  return [...reached, ...sums].map(String).join(' ');
};

/** Makes a turn: rows in random places, sometimes another table, sometimes one less; every third takes back its last step. */
function write(database: Database, turn: number, chance: Chance): void {
  database.begin();
  if (turn === 1) {
    database.run('CREATE TABLE reached (turn INTEGER)');
    database.run('INSERT INTO reached VALUES (0)');
  }
  if (turn % 4 === 1) {
    database.run(`CREATE TABLE t${turn} (id INTEGER PRIMARY KEY, text TEXT, turn INTEGER)`);
    database.run(`CREATE INDEX i${turn} ON t${turn} (text)`);
  }
  if (turn === 7) database.run('DROP TABLE t1');
  const table = `t${turn - ((turn - 1) % 4)}`;
  for (let row = 0; row < 20; row += 1)
    database.run(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`, [
      chance.below(5000),
      `${chance.below(1e9)}`.repeat(12),
      turn,
    ]);
  database.run('UPDATE reached SET turn = ?', [turn]);
  database.commit();
  if (turn % 3 !== 0) return;
  database.begin();
  database.run(`DELETE FROM ${table}`);
  database.rollback();
}

const turns = 9;

/** Each settled state in order, and the disk that recorded how it was written. */
function history(chance: Chance): { readonly files: SimulatedFileSystem; readonly states: readonly string[] } {
  const files = createSimulatedFileSystem();
  const database = openOn(files);
  const states = ['nothing'];
  for (let turn = 1; turn <= turns; turn += 1) {
    write(database, turn, chance);
    assert.ok(database.settle());
    files.mark(String(turn));
    states.push(kept(database));
  }
  database.close();
  return { files, states };
}

function found(content: Content): string {
  const database = openOn(createSimulatedFileSystem(content));
  try {
    return kept(database);
  } finally {
    database.close();
  }
}

const wanted = parameter('SCHEMAC_CRASH_STATES', 300);

test(`${wanted} crash states are the last settled state or the next one`, () => {
  const chance = createChance(seedOf('crash states of a database'));
  const { files, states } = history(chance);
  const { operations } = files;
  let undone = 0;
  for (let state = 0; state < wanted; state += 1) {
    const upTo = 1 + chance.below(operations.length);
    const fate = [always('lost'), always('kept'), byChance(chance)][state % 3] ?? always('lost');
    const settled = operations.slice(0, upTo).filter(({ kind }) => kind === 'mark').length;
    const content = crashed(new Map(), operations, upTo, fate);
    if ((content.get('/data/read-model.undo')?.[0] ?? 0) !== 0) undone += 1;
    const name = `state ${state}, ${upTo} operations`;
    try {
      assert.ok(
        [settled, settled + 1].some((at) => states[at] === found(content)),
        name,
      );
    } catch (error) {
      // Before anything was settled, it may be found to be no database.
      if (!(error instanceof DamagedFile) || settled > 0) throw error;
    }
  }
  assert.ok(undone > 0, 'some states had something to undo');
});

test('a disk that syncs nothing loses what was settled, so the test above can fail', () => {
  const chance = createChance(seedOf('a database without sync'));
  const { files, states } = history(chance);
  const operations = files.operations.filter(({ kind }) => kind !== 'sync');
  let wrong = 0;
  for (let state = 0; state < 60; state += 1) {
    const upTo = 1 + chance.below(operations.length);
    const settled = operations.slice(0, upTo).filter(({ kind }) => kind === 'mark').length;
    try {
      const now = found(crashed(new Map(), operations, upTo, byChance(chance)));
      if (![settled, settled + 1].some((at) => states[at] === now)) wrong += 1;
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      wrong += 1;
    }
  }
  assert.ok(wrong > 0);
});

test('a write, sync or truncation that fails, at any call, changes nothing that was settled', () => {
  const seed = seedOf('failing calls of a database');
  const { states } = history(createChance(seed));
  let failures = 0;
  for (const code of ['EIO', 'ENOSPC'])
    for (let failing = 1; ; failing += 5) {
      let calls = 0;
      const files = createSimulatedFileSystem(new Map(), (call) => {
        if (!['write', 'sync', 'truncate'].includes(call)) return undefined;
        calls += 1;
        if (calls !== failing) return undefined;
        return { error: Object.assign(new Error(`${code}: ${call}`), { code }), after: 100 };
      });
      let settled = 0;
      try {
        const database = openOn(files);
        const chance = createChance(seed);
        for (let turn = 1; turn <= turns; turn += 1) {
          write(database, turn, chance);
          database.settle();
          settled = turn;
        }
        database.close();
      } catch (error) {
        assert.ok(error instanceof UnwritableFile, `call ${failing}: ${String(error)}`);
        failures += 1;
        const content = files.content();
        if (settled > 0)
          assert.ok(
            [settled, settled + 1].some((at) => states[at] === found(content)),
            `call ${failing}`,
          );
      }
      if (calls < failing) break;
    }
  assert.ok(failures > 20, `${failures} failures`);
});

test('a flipped bit is found, or changes no row', () => {
  const { files, states } = history(createChance(seedOf('flipped bits of a database')));
  const whole = files.content();
  const bytes = whole.get(path) ?? Buffer.alloc(0);
  let detected = 0;
  for (let at = 0; at < bytes.length; at += 1201) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
    try {
      assert.is(found(new Map([...whole, [path, flipped]])), states.at(-1), `byte ${at}`);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      detected += 1;
    }
  }
  assert.ok(detected > 10, `${detected} found`);
});

function always(fate: Fate): (operation: Operation) => Fate {
  return () => fate;
}

function byChance(chance: Chance): (operation: Operation) => Fate {
  return () => chance.pick<Fate>(['kept', 'lost', { torn: (bytes) => bytes.subarray(0, chance.below(bytes.length)) }]);
}

test.run();
