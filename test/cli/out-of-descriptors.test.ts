import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { program, withoutSettings } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { until } from '../kit/until.ts';
import { watchOutput } from '../kit/watch-output.ts';

const schema = `CREATE AGGREGATE Box (label STRING);
CREATE COMMAND Fill (box_id STRING, label STRING);
CREATE EVENT Filled (label STRING);
CREATE DECISION FillBox FOR Box ON COMMAND Fill EMIT AS SELECT EVENT Filled (label := :label);`;

const allowed = 400;

/** In the server: opens all descriptors but one as soon as it serves, and closes them on SIGUSR2. */
const hoarder = `
import { closeSync, openSync } from 'node:fs';
const held = [];
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (...given) => {
  try { while (held.length < ${allowed}) held.push(openSync('/dev/null')); } catch { closeSync(held.pop()); }
  return write(...given);
};
process.on('SIGUSR2', () => { for (const descriptor of held.splice(0)) closeSync(descriptor); });`;

const said = 'the compiler of queries and schema cannot be loaded now: too many files and connections are open';

test('without free file descriptors only operations that need one are delayed', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schema/box.schema': schema });
    assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
    const words = [process.execPath, ...program, 'start', '--port', '0', '--enable-create', '--enable-query'];
    const child = spawn('sh', ['-c', `ulimit -n ${allowed}; exec "$@"`, 'sh', ...words], {
      cwd: folder,
      env: { ...withoutSettings(), NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hoarder)}` },
    });
    const output = watchOutput(child);
    const port = Number(/:(\d+), data/.exec(await output.until(', data'))?.[1]);
    const socket = connect(port, '127.0.0.1');
    const get = (path: string): Promise<Answer> => ask(socket, 'GET', path);
    const post = (path: string, body: object): Promise<Answer> => ask(socket, 'POST', path, body);
    try {
      const refused = [503, { error: said }];
      const filled = { event_type: 'Filled', stream_id: 'B', seq: 1, status: 'success', fields: '{"label":"a"}' };
      const box = { aggregate_id: 'B', label: 'a' };
      const create = { lang: 'CREATE EVENT Emptied (a INT);' };
      const select = { sql: 'SELECT label FROM Reg."Box$Agg"' };
      assert.equal(
        {
          health: await get('/health'),
          ready: await get('/ready'),
          command: await post('/api/aggregates/Box/execute/Fill', { box_id: 'B', label: 'a' }),
          all: await get('/api/aggregates/Box'),
          filtered: await get('/api/aggregates/Box?label=a'),
          console: await post('/api/query', select),
          create: await post('/api/lang/create', create),
        },
        {
          health: [200, { status: 'ok' }],
          ready: refused,
          command: [200, [filled]],
          all: [200, [box]],
          filtered: refused,
          console: refused,
          create: refused,
        },
      );
      child.kill('SIGUSR2');
      await until(async () => (await get('/ready'))[0] === 200);
      const created = [{ kind: 'event', name: 'Emptied', change: 'created' }];
      assert.equal(
        {
          ready: await get('/ready'),
          filtered: await get('/api/aggregates/Box?label=a'),
          console: await post('/api/query', select),
          create: await post('/api/lang/create', create),
        },
        {
          ready: [200, { status: 'ok' }],
          filtered: [200, [box]],
          console: [200, [{ label: 'a' }]],
          create: [201, { status: 'created', registry_version: 2, created }],
        },
      );
    } finally {
      socket.destroy();
      await output.stop('SIGKILL');
    }
  }));

type Answer = readonly [status: number, body: unknown];

/** Sends a request on a connection that is open already. */
function ask(socket: Socket, method: string, path: string, body?: object): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Accept: application/json'];
  if (body !== undefined) head.push('Content-Type: application/json', `Content-Length: ${text.length}`);
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  return new Promise((resolve, reject) => {
    let answer = '';
    const onClose = (): void => reject(new Error(`the connection ended after: ${answer}`));
    socket.once('close', onClose);
    const listen = (chunk: Buffer): void => {
      answer += chunk.toString();
      const begin = answer.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
      if (begin < 4 || answer.length < begin + length) return;
      socket.off('data', listen).off('close', onClose);
      resolve([Number(answer.slice(9, 12)), JSON.parse(answer.slice(begin, begin + length))]);
    };
    socket.on('data', listen);
  });
}

test.run();
