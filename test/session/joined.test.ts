import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits } from '../../server/start/settings/limits.ts';
import { runServer, type RunningServer } from '../../server/start/run-server.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { Session } from '../../server/session/session.ts';
import { joinServer, type JoinedSession } from '../../server/session/socket/join-server.ts';
import { mostWaiting, protocolVersion } from '../../server/session/socket/protocol.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { domainOf } from '../kit/domain.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n BIGINT, pin STRING NULL SENSITIVE);
CREATE EVENT Added (n BIGINT, pin STRING SENSITIVE);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n, pin := :pin) WHERE :n > 0;
CREATE PROJECTION Sums AS SELECT stream_id, SUM(data.n) AS total FROM Reg."Box$Events" GROUP BY stream_id;`;
const domain = await domainOf(schema);

function serve(
  directory: string,
  more: {
    readonly readOnly?: boolean;
    readonly onError?: (message: string) => void;
    readonly onInfo?: (fields: object, message: string) => void;
  } = {},
): Promise<RunningServer> {
  const nothing = (): void => undefined;
  return runServer({
    domain,
    version: '0.0.0',
    store: { kind: 'embedded', directory, fsync: false },
    host: '127.0.0.1',
    port: 0,
    readOnly: more.readOnly === true,
    enableCreate: true,
    enableQuery: true,
    settings: { allowedHosts: [], allowedOrigins: [], metrics: 'here', limits: defaultLimits },
    log: {
      debug: nothing,
      info: more.onInfo ?? nothing,
      warn: nothing,
      error: (_, message) => more.onError?.(message),
    },
  });
}

async function joined(directory: string): Promise<JoinedSession> {
  const session = await joinServer(directory, { lenientPayload: true });
  if (session === undefined) throw new Error('no server was found');
  return session;
}

async function get(url: string): Promise<unknown> {
  return (await fetch(url, { headers: { Accept: 'application/json' } })).json();
}

/** Every outcome of a text as `run --json` writes it. */
async function outcomes(
  session: Session,
  text: string,
  keepGoing = false,
): Promise<readonly Record<string, unknown>[]> {
  const said: Record<string, unknown>[] = [];
  for await (const outcome of session.run({ name: 'input', text }, { keepGoing }))
    said.push(JSON.parse(outcomeJson(outcome)) as Record<string, unknown>);
  return said;
}
async function rows(session: Session, text: string): Promise<unknown> {
  const [first] = await outcomes(session, text);
  return first?.['rows'] ?? first?.['message'];
}

test('a session has its own caller, whom the audit log names', () =>
  withTempFolder(async (folder) => {
    const directory = join(folder, 'data');
    const audited: object[] = [];
    const onInfo = (fields: object, message: string): void => void (message === 'audit' && audited.push(fields));
    const server = await serve(directory, { onInfo });
    try {
      const [one, other] = [await joined(directory), await joined(directory)];
      await outcomes(
        one,
        "SET CALLER 'ada' ROLES ('nurse'); SET CALLER 'reaction:x'; SET CALLER NULL; SET CALLER 'bob';",
        true,
      );
      assert.equal(await rows(one, 'SELECT CURRENT_USER'), [['bob']]);
      assert.equal(await rows(other, 'SELECT CURRENT_USER'), [[null]]);
      await outcomes(one, 'RESET CALLER;');
      assert.equal(await rows(one, 'SELECT CURRENT_USER'), [[null]]);
      const told = audited.map((line) => Object.entries(line).filter(([name]) => name !== 'session'));
      const set = (subject: string | null): unknown => Object.entries({ subject, statement: 'SET CALLER' });
      assert.equal(told, [set('ada'), set(null), set('bob'), [['statement', 'RESET CALLER']]]);
      await one.close();
      await other.close();
    } finally {
      await server.stop();
    }
  }));

test('a session in a running server works like one on the directory, and its changes are served at once', () =>
  withTempFolder(async (folder) => {
    const directory = join(folder, 'data');
    const server = await serve(directory);
    const url = `http://127.0.0.1:${server.port}/api`;
    try {
      assert.is(statSync(join(directory, 'session.sock')).mode & 0o777, 0o600);
      const session = await joined(directory);
      assert.is(session.process, process.pid);
      assert.equal(
        session
          .known()
          .blocks.map(({ name }) => name)
          .sort(),
        ['Added', 'Box', 'Put', 'PutIn', 'Sums'],
      );

      const [executed, selected, failed, after] = await outcomes(
        session,
        `EXECUTE Put(box_id := 'a', n := 9007199254740993, pin := '4711');
SELECT stream_id, data FROM Reg."Box$Events";
SELECT nope;
SELECT 'on' AS went;`,
        true,
      );
      assert.equal(executed?.['outcome'], 'emitted');
      assert.equal(selected?.['rows'], [['a', { n: '9007199254740993', pin: '****' }]]);
      assert.equal([failed?.['code'], failed?.['statement_line'], failed?.['line']], ['E0203', 3, 3]);
      assert.equal(after?.['rows'], [['on']]);
      // Without keepGoing a failed statement ends the text.
      assert.is((await outcomes(session, 'SELECT nope; SELECT 1')).length, 1);

      await outcomes(session, 'CREATE PROJECTION Most AS SELECT MAX(data.n) AS most FROM Reg."Box$Events";');
      assert.ok(session.known().relations.includes('"Most"'));
      assert.equal(await get(`${url}/projections/Most/query`), [{ most: '9007199254740993' }]);
      await fetch(`${url}/lang/create`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ lang: 'CREATE AGGREGATE Posted;' }),
      });
      assert.equal(await rows(session, `SELECT name FROM Reg.meta_aggregates ORDER BY name`), [['Box'], ['Posted']]);

      await outcomes(
        session,
        `CREATE TABLE wanted AS VALUES ('b', 1), ('c', 0); INSPECT DECISION PutIn FROM wanted INTO would;`,
      );
      assert.equal(await rows(session, 'SELECT stream_id, event_type FROM would'), [
        ['b', 'Added'],
        ['c', '__REJECTED__'],
      ]);
      const kept = (await get(`${url}/aggregates/Box/inspect/would`)) as unknown[];
      assert.is(kept.length, 2);
      // A table dropped by one session is missing in the other, too.
      const other = await joined(directory);
      await outcomes(session, 'DROP TABLE would;');
      assert.is(await rows(other, 'SELECT stream_id FROM would'), "there is no table 'would'");
      await other.close();
      await session.close();
    } finally {
      await server.stop();
    }
    assert.equal(
      readdirSync(directory).filter((name) => name.endsWith('.sock')),
      [],
    );
    assert.is(await joinServer(directory, { lenientPayload: true }), undefined);
  }));

test('a waiting block is shown to all sessions, served when it no longer waits, and not kept before', () =>
  withTempFolder(async (folder) => {
    const input = `CREATE PROJECTION Later AS SELECT n FROM Reg."Missing"; SELECT nope; CREATE PROJECTION Missing AS SELECT 1 AS n;`;
    const shown = (url: string): Promise<unknown> => get(`${url}/api/reg/projections/Later`);
    const waits = { name: 'Later', query_sql: 'SELECT n FROM Reg.Missing', event_types: null };
    const waitsFor = "projection 'Missing'";
    const open = { visible: null, clear: null };

    const first = await serve(folder);
    const url = `http://127.0.0.1:${first.port}`;
    try {
      const session = await joined(folder);
      await outcomes(session, input);
      assert.equal(await shown(url), [{ ...waits, waits_for: waitsFor, doc: null, ...open }]);
      assert.equal(await rows(session, `SELECT waits_for FROM Reg.meta_projections WHERE name = 'Later'`), [
        [waitsFor],
      ]);
      assert.equal(await get(`${url}/api/projections/Later/query`), {
        error: "there is no projection 'Later'",
      });
      await session.close();
    } finally {
      await first.stop();
    }

    const second = await serve(folder);
    const again = `http://127.0.0.1:${second.port}`;
    try {
      const other = await joined(folder);
      assert.equal(await shown(again), { error: "there is no projection 'Later'" });
      await outcomes(other, input);
      await fetch(`${again}/api/lang/create`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ lang: 'CREATE PROJECTION Missing AS SELECT 2 AS n;' }),
      });
      assert.equal(await shown(again), [{ ...waits, waits_for: null, doc: null, ...open }]);
      assert.equal(await get(`${again}/api/projections/Later/query`), [{ n: 2 }]);
      await other.close();
    } finally {
      await second.stop();
    }
  }));

test('tables belong to one session; changes of two sessions at once are all kept', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    try {
      const [a, b] = await Promise.all([joined(folder), joined(folder)]);
      await outcomes(a, 'CREATE TABLE t AS VALUES (1)');
      await outcomes(b, 'CREATE TABLE t AS VALUES (2), (3)');
      assert.equal([await rows(a, 'SELECT * FROM t'), await rows(b, 'SELECT * FROM t')], [[[1]], [[2], [3]]]);
      const names = Array.from({ length: 8 }, (_, index) => `A${index}`);
      await Promise.all(names.map((name, index) => outcomes(index % 2 === 0 ? a : b, `CREATE AGGREGATE ${name};`)));
      assert.equal(
        await rows(a, `SELECT name FROM Reg.meta_aggregates WHERE name LIKE 'A_' ORDER BY name`),
        names.map((name) => [name]),
      );
      await a.close();
      assert.equal(await rows(b, 'SELECT COUNT(*) FROM t'), [[2]]);
      await b.close();
    } finally {
      await server.stop();
    }
  }));

test('a session that stops reading the outcomes of a text can run the next one', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    try {
      const session = await joined(folder);
      for await (const outcome of session.run({ name: 'input', text: 'SELECT 1; SELECT 2; SELECT 3;' })) {
        assert.is(outcome.kind, 'select');
        break;
      }
      assert.equal(await rows(session, 'SELECT 4'), [[4]]);
      await session.close();
    } finally {
      await server.stop();
    }
  }));

test('commands continue during a long inspection in a server, and are not part of it', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    try {
      const session = await joined(folder);
      await outcomes(
        session,
        `CREATE TABLE wanted (box_id, n) AS WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 3000)
SELECT 'b', n % 10 FROM i;`,
      );
      const told: string[] = [];
      const inspected: unknown[] = [];
      const run = session.run(
        { name: 'input', text: 'INSPECT DECISION PutIn FROM wanted INTO would;' },
        { onProgress: (said) => told.push(said) },
      );
      const inspection = (async () => {
        for await (const outcome of run) inspected.push(JSON.parse(outcomeJson(outcome)));
      })();
      const other = await joined(folder);
      // Number of inspections that had ended when a command was answered.
      const ended: number[] = [];
      do {
        await outcomes(other, `EXECUTE Put(box_id := 'c', n := 1)`);
        ended.push(inspected.length);
      } while (inspected.length === 0);
      await inspection;
      assert.equal(inspected, [{ statement_line: 1, kind: 'inspect', into: 'would', rows: 3000, rejected: 300 }]);
      assert.is(ended[0], 0);
      assert.match(told[0] ?? '', / rows inspected$/);
      assert.equal(await rows(session, `SELECT COUNT(*), MAX(seq), COUNT(DISTINCT stream_id) FROM would`), [
        [3000, 2700, 1],
      ]);
      await session.close();
      await other.close();
    } finally {
      await server.stop();
    }
  }));

test('a read-only server runs statements that only read', () =>
  withTempFolder(async (folder) => {
    const writing = await serve(folder);
    const before = await joined(folder);
    await outcomes(before, `CREATE TABLE wanted AS VALUES ('b', 1); INSPECT DECISION PutIn FROM wanted INTO recorded;`);
    await before.close();
    await writing.stop();
    const server = await serve(folder, { readOnly: true });
    try {
      const session = await joined(folder);
      await outcomes(session, `CREATE TABLE wanted AS VALUES ('b', 1)`);
      for (const [text, message] of [
        ['SELECT COUNT(*) FROM Reg."Box$Events"', [[0]]],
        [`EXECUTE Put(box_id := 'a', n := 1)`, 'executing a command is refused: the server is in read-only mode'],
        ['CREATE AGGREGATE Other', 'a change of the registry is refused: the server is in read-only mode'],
        [
          'INSPECT DECISION PutIn FROM wanted INTO would',
          'recording an inspection is refused: the server is in read-only mode',
        ],
        ['DROP TABLE recorded', 'dropping a recorded table is refused: the server is in read-only mode'],
        ['SELECT stream_id FROM recorded', [['b']]],
      ] as const)
        assert.equal(await rows(session, text), message, text);
      await session.close();
    } finally {
      await server.stop();
    }
  }));

test('a server that stops ends its sessions with a clear message', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    const session = await joined(folder);
    await server.stop();
    const message = await rows(session, 'SELECT 1').catch((error: unknown) => (error as Error).message);
    assert.is(
      message,
      `the server on ${folder} has ended; it is not known whether the running statement was executed; all statements before it were`,
    );
  }));

test('a socket without a listener, and one of another directory, are not taken for a server', () =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'session.sock');
    writeFileSync(path, '');
    assert.is(await joinServer(folder, { lenientPayload: true }), undefined);
    // A killed process leaves its socket; the next server uses the same name.
    const leave = `require('node:net').createServer().listen(${JSON.stringify(`${folder}/left.sock`)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    spawnSync('mv', [join(folder, 'left.sock'), path]);
    assert.is(await joinServer(folder, { lenientPayload: true }), undefined);
    const server = await serve(folder);
    await (await joined(folder)).close();
    await server.stop();

    const stray = createServer((socket) => {
      socket.write(
        `${JSON.stringify({ schemac: '9.9.9', protocol: protocolVersion, process: 1, device: '1', inode: '1' })}\n`,
      );
    });
    await new Promise<void>((resolve) => stray.listen(path, resolve));
    assert.is(await joinServer(folder, { lenientPayload: true }), undefined);
    stray.close();
  }));

test('a server whose lock was taken away leaves the socket of the next owner alone', () =>
  withTempFolder(async (folder) => {
    const first = await serve(folder);
    rmSync(join(folder, 'lock.1'));
    const second = await serve(folder);
    await first.stop();
    const session = await joined(folder);
    assert.equal(await rows(session, 'SELECT 1 AS one'), [[1]]);
    await session.close();
    await second.stop();
    assert.equal(
      readdirSync(folder).filter((name) => /^(lock|starting|session)/.test(name)),
      [],
    );
  }));

test('a server with another protocol is named, and the directory stays unchanged', () =>
  withTempFolder(async (folder) => {
    const other = createServer((socket) => {
      socket.end(`${JSON.stringify({ schemac: '9.9.9', protocol: 99, process: 7, device: '1', inode: '1' })}\n`);
    });
    await new Promise<void>((resolve) => other.listen(join(folder, 'session.sock'), resolve));
    const message = await joinServer(folder, { lenientPayload: true }).catch(
      (error: unknown) => (error as Error).message,
    );
    other.close();
    assert.is(
      message,
      `the data directory ${folder} is in use by a server that is schemac 9.9.9 (process 7), whose sessions this version cannot join`,
    );
  }));

test('a session is found in a directory whose path is too long for a socket', () =>
  withTempFolder(async (folder) => {
    const directory = join(folder, 'd'.repeat(120));
    mkdirSync(directory);
    const server = await serve(directory);
    try {
      const session = await joined(directory);
      assert.equal(await rows(session, 'SELECT 1'), [[1]]);
      await session.close();
    } finally {
      await server.stop();
    }
  }));

/** The server's answers after its greeting to lines written to its socket, until it ends the connection. */
async function answers(folder: string, text: string): Promise<readonly unknown[]> {
  const socket = connect(join(folder, 'session.sock')).setEncoding('utf8');
  let said = '';
  socket.on('data', (chunk) => (said += String(chunk))).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  await closed;
  const lines = said.split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

const opened = '{"ask":"open","lenientPayload":false}\n';
const ran = (text: string): string => `${JSON.stringify({ ask: 'run', name: 'n', text, options: {} })}\n`;

test('an invalid or endless line is answered with an error and ends the session', () =>
  withTempFolder(async (folder) => {
    const faults: string[] = [];
    const server = await serve(folder, { onError: (message) => faults.push(message) });
    try {
      const lines: readonly string[] = [
        '',
        'null',
        '1',
        '[]',
        '{"ask":',
        '{"$map":5}',
        '{"ask":"open"}',
        '{"ask":"run","name":"n","text":"SELECT 1","options":{"adoptAtEnd":1}}',
        '{"ask":"run","name":"n","text":1,"options":{}}',
        '{"ask":"use","store":{"$whole":"x"}}',
        '['.repeat(100_000),
        '['.repeat(100_000) + ']'.repeat(100_000),
      ];
      for (const line of lines)
        assert.equal(
          [line.slice(0, 70), await answers(folder, `${line}\n`)],
          [line.slice(0, 70), [{ reply: 'failed', message: 'this is not a request' }]],
        );
      assert.equal(await answers(folder, 'x'.repeat(9 * 1024 * 1024)), []);
      const many = await answers(folder, opened + ran('SELECT 1;').repeat(mostWaiting.requests + 1));
      const message = `at most ${mostWaiting.requests} requests may wait, of ${mostWaiting.characters} characters in all`;
      assert.equal(many.at(-1), { reply: 'failed', message });
      const piece = `${JSON.stringify({ ask: 'text', text: 'x'.repeat(1024 * 1024) })}\n`;
      assert.equal(await answers(folder, opened + piece.repeat(17)).then((all) => all.at(-1)), {
        reply: 'failed',
        message,
      });
      await (await joined(folder)).close();
    } finally {
      await server.stop();
    }
    assert.equal(faults, []);
  }));

test('a long text is sent in pieces and run as one', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    try {
      const session = await joined(folder);
      const text = `/*${'\u0001𝄞'.repeat(400_000)}*/ SELECT '${'é'.repeat(40_000)}' AS a;`;
      assert.equal(await rows(session, text), [['é'.repeat(40_000)]]);
      await session.close();
    } finally {
      await server.stop();
    }
  }));

test('the waiting requests of a tool are dropped when it disconnects', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    const runs = mostWaiting.requests - 2;
    const statements = 100;
    try {
      const socket = connect(join(folder, 'session.sock'));
      const text = `EXECUTE Put(box_id := 'a', n := 1);`.repeat(statements);
      await new Promise<void>((resolve) => socket.write(opened + ran(text).repeat(runs), () => resolve()));
      socket.destroy();
    } finally {
      await server.stop();
    }
    const again = await serve(folder);
    try {
      const { event } = again.engine.store.turns.position();
      assert.ok(event < (runs * statements) / 4, `${event} events`);
    } finally {
      await again.stop();
    }
  }));

test('a stopping server accepts no connection, even while a tool runs statements', () =>
  withTempFolder(async (folder) => {
    const server = await serve(folder);
    const session = await joined(folder);
    const text = `EXECUTE Put(box_id := 'a', n := 1);`.repeat(1_000);
    const first = session.run({ name: 'input', text })[Symbol.asyncIterator]();
    await first.next();
    const stopped = server.stop();
    const refused = await fetch(`http://127.0.0.1:${server.port}/health`).then(
      ({ status }) => status,
      (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code,
    );
    assert.is(refused, 'ECONNREFUSED');
    await stopped;
  }));

test('a directory never has two owners', () =>
  withTempFolder(async (folder) => {
    const store = await openEmbeddedStore({ directory: folder, readModel: 'inline' });
    assert.is(await joinServer(folder, { lenientPayload: true }), undefined);
    const refused = await openEmbeddedStore({ directory: folder }).then(
      () => 'opened',
      (error: unknown) => (error as Error).message,
    );
    assert.match(refused, `the data directory ${folder} is in use by process ${process.pid}`);
    await store.close();
  }));

test.run();
