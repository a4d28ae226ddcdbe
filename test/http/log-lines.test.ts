import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gathered } from '../../server/http/log/gathered.ts';
import { createLog } from '../../server/http/log/log.ts';

const test = suite('log lines');

test('are structured or pretty', () => {
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text);
  createLog({ write, level: 'info', pretty: false }).info({ route: 'info', ms: 1.5 }, 'request');
  const { time, ...rest } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.equal(rest, { level: 'info', route: 'info', ms: 1.5, msg: 'request' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const pretty = createLog({ write, level: 'info', pretty: true });
  pretty.debug({}, 'not shown');
  pretty.info({ path: '/a\u001b[2J', status: 200 }, 'request');
  assert.match(lines[1] ?? '', /^\d\d:\d\d:\d\d\.\d{3} INFO {2}request path="\/a\\u001b\[2J" status=200\n$/);
  pretty.warn({ subject: 'a\u009b2Jb\u202e', err: 'c\u009b' }, 'no answer:\n\u009b2J');
  assert.is(
    lines[2]?.slice(13),
    String.raw`WARN  no answer:\u{a}\u{9b}2J subject="a\u{9b}2Jb\u{202e}" err={"stack":"'c\\x9B'"}` + '\n',
  );
  assert.is(lines.length, 3);
});

test('have the stack of an error', () => {
  const lines: string[] = [];
  createLog({ write: (text) => lines.push(text), level: 'error', pretty: false }).error(
    { err: new Error('broken') },
    'request failed',
  );
  assert.match(lines[0] ?? '', /"message":"broken".*"stack":/);
});

test('have everything that was thrown, whatever it is', () => {
  const lines: string[] = [];
  const log = createLog({ write: (text) => lines.push(text), level: 'info', pretty: false });
  const socket = { of: {}, bytes: 1n };
  socket.of = socket;
  const failed = Object.assign(new TypeError('no answer', { cause: new Error('refused') }), { socket });
  log.warn({ err: failed, line: 3 }, 'a');
  log.warn({ err: 'text' }, 'b');
  log.warn({ missing: undefined }, 'c');
  const [first, ...rest] = lines.map((line) => JSON.parse(line) as { readonly time: string; readonly err?: object });
  const { time: _, err, ...fields } = first ?? { time: '' };
  const { stack, ...described } = { stack: '', ...err };
  assert.equal(
    [fields, described],
    [
      { level: 'warn', line: 3, msg: 'a' },
      { type: 'TypeError', message: 'no answer' },
    ],
  );
  assert.match(stack, /^TypeError: no answer\n/);
  assert.match(stack, /Circular/);
  assert.match(stack, /\[cause\]: Error: refused\n/);
  assert.equal(
    rest.map(({ time, ...line }) => line),
    [
      { level: 'warn', err: { stack: "'text'" }, msg: 'b' },
      { level: 'warn', msg: 'c' },
    ],
  );
});

test('lines of one turn are written at once, at the latest when the process ends, which nothing else waits for', async () => {
  const before = process.listenerCount('exit');
  const written: string[] = [];
  const line = gathered((text) => written.push(text));
  assert.is(process.listenerCount('exit'), before);
  line('a\n');
  line('b\n');
  assert.equal([written, process.listenerCount('exit')], [[], before + 1]);
  await new Promise(setImmediate);
  assert.equal([written, process.listenerCount('exit')], [['a\nb\n'], before]);
});

test.run();
