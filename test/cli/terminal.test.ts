import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';
import { watchOutput } from '../kit/watch-output.ts';

/** `script` of util-linux gives a program a terminal; without it the test is skipped. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const onTerminal = hasTerminal ? test : test.skip;
const sources = '--conditions=schemac-source --import tsx cli/main.ts';
const tool = process.env['SCHEMAC_TEST_BUILT'] === '1' ? 'dist/cli/main.js' : sources;

function startOnTerminal(words: string, environment: Record<string, string> = {}) {
  // Settings that would change colours, or hide the progress.
  const changing = /^(NO_COLOR|FORCE_COLOR|CI)$/;
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !changing.test(name)));
  return spawn('script', ['-qec', `stty cols 40; exec ${process.execPath} ${tool} ${words}`, '/dev/null'], {
    cwd: root,
    env: { ...inherited, TERM: 'xterm', SCHEMAC_HISTORY: '', ...environment },
  });
}

onTerminal('a prompt greets, asks for more, colours faults and fits tables to the width', async () => {
  const child = startOnTerminal('repl');
  const output = watchOutput(child);
  const type = (line: string): boolean => child.stdin.write(`${line}\r`);
  assert.match(await output.until('schemac> '), 'schemac, in memory\r\n\\? shows help, \\q leaves\r\n');
  type('SELECT 1 AS n,');
  await output.until('the statement goes on to a ; (\\r drops it, \\q leaves)\r\n');
  await output.until('      -> ');
  type('\\timing');
  await output.until('timing is on\r\n');
  await output.until('      -> ');
  type('\\timing');
  await output.until('timing is off\r\n');
  await output.until('      -> ');
  type(`'${'x'.repeat(60)}' AS long;`);
  assert.match(await output.until('(1 row)'), `| ${'x'.repeat(33)}…\r\n`);
  await output.until('schemac> ');
  type('SELECT nope;');
  await output.until('\u001b[31merror[E0203]\u001b[39m');
  await output.until('schemac> ');
  child.stdin.write('SELECT \u0003');
  await output.until('schemac> ');
  type('\\d');
  await output.until('there are no blocks yet');
  await output.until('schemac> ');
  type('SELECT 1');
  await output.until('      -> ');
  const ended = new Promise((resolve) => child.once('close', resolve));
  type('\\q');
  assert.is(await ended, 0);
});

onTerminal('Tab completes commands and their fields, the history comes back, Ctrl-D leaves', async () => {
  const child = startOnTerminal('repl');
  const output = watchOutput(child);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await output.until('schemac> ');
  child.stdin.write(
    'CREATE AGGREGATE Box; CREATE COMMAND PutInto (box_id STRING, amount INT); CREATE EVENT Added (amount INT);\r',
  );
  await output.until('event Added created');
  await output.until('schemac> ');
  child.stdin.write('EXECUTE PutI\t');
  await output.until('PutInto(');
  child.stdin.write('am\t');
  await output.until('amount := ');
  child.stdin.write('\u0003');
  await output.until('schemac> ');
  child.stdin.write("SELECT 'typed before' AS a;\r");
  await output.until('(1 row)');
  await output.until('schemac> ');
  child.stdin.write('\u001b[A');
  await output.until("SELECT 'typed before' AS a;");
  child.stdin.write('\r');
  await output.until('(1 row)');
  await output.until('schemac> ');
  child.stdin.write('\u0004');
  assert.is(await ended, 0);
});

onTerminal(
  'Ctrl-C stops a running statement, a statement of several lines comes back whole, half a one is not run at Ctrl-D',
  async () => {
    const child = startOnTerminal('repl');
    const output = watchOutput(child);
    const ended = new Promise((resolve) => child.once('close', resolve));
    const prompt = (): Promise<string> => output.until('schemac> ');
    await prompt();
    child.stdin.write('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)\r');
    await output.until('-> ');
    child.stdin.write('SELECT COUNT(*) AS c FROM n AS a CROSS JOIN n AS b CROSS JOIN n AS c;\r');
    await output.until(' s '); // of the progress
    child.stdin.write('\u0003');
    await output.until('the statement was stopped');
    await prompt();
    child.stdin.write('SELECT 1 AS a,\r');
    await output.until('-> ');
    child.stdin.write('2 AS b;\r');
    await output.until('(1 row)');
    await prompt();
    child.stdin.write('\u001b[A');
    await output.until('SELECT 1 AS a, 2 AS b;');
    child.stdin.write('\u0003');
    await prompt();
    child.stdin.write('CREATE AGGREGATE Never\r');
    await output.until('-> ');
    child.stdin.write('\u0004');
    assert.is(await ended, 0);
    assert.not.match(await output.until('\n').catch(() => ''), 'created');
  },
);

onTerminal('a statement that is dropped goes into the history like one that is run, sensitive values left out', () =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'history');
    const child = startOnTerminal('repl', { SCHEMAC_HISTORY: path });
    const output = watchOutput(child);
    const ended = new Promise((resolve) => child.once('close', resolve));
    const prompt = (): Promise<string> => output.until('schemac> ');
    const kept = (): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);
    await prompt();
    child.stdin.write('CREATE COMMAND Pay (id STRING, card STRING SENSITIVE);\r');
    await output.until('command Pay created');
    await prompt();
    const typed = ["EXECUTE Pay(id := 'a',\r", "card := 'secret-1')\r"];
    for (const line of typed) {
      child.stdin.write(line);
      await output.until('-> ');
    }
    const before = kept();
    child.stdin.write('\u0003');
    await prompt();
    child.stdin.write("SELECT 'harmless',\r");
    await output.until('-> ');
    child.stdin.write('\u0003');
    await prompt();
    child.stdin.write("EXECUTE Pay(id := 'b', card := 'secret-2')\r");
    await output.until('-> ');
    child.stdin.write('\u0004');
    assert.is(await ended, 0);
    const created = 'CREATE COMMAND Pay (id STRING, card STRING SENSITIVE);';
    assert.equal([before, kept()], [[created], [created, "SELECT 'harmless',"]]);
  }),
);

onTerminal('help and exit are understood', async () => {
  const child = startOnTerminal('repl examples/bike-rental/schema');
  const output = watchOutput(child);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await output.until('schemac> ');
  child.stdin.write('help\r');
  await output.until('describe the block of that name');
  child.stdin.write('\\d\r');
  await output.until('decision    GiveBack');
  child.stdin.write('exit\r');
  assert.is(await ended, 0);
});

onTerminal('--color wins over NO_COLOR, which wins over the terminal', async () => {
  const shown = (words: string): Promise<string> =>
    watchOutput(startOnTerminal(words, { NO_COLOR: '1' })).until('^^^^', 20_000);
  assert.match(await shown('explain E0201 --color'), '\u001b[31merror[E0201]');
  assert.not.match(await shown('explain E0201'), '\u001b[31m');
});

test('without a terminal there is no colour', () => {
  const { stdout } = spawnSync(process.execPath, [...tool.split(' '), 'explain', 'E0201'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  });
  assert.not.match(stdout, '\u001b');
});

test.run();
