/**
 * R7 on a real disk: the system calls of processes and their order, from strace. `order.test.ts` checks the same on a
 * simulated disk.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { writeFiles } from '../kit/temp-folder.ts';
import { startTool } from '../kit/tool.ts';
import { watchOutput } from '../kit/watch-output.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { bundled } from './bundled.ts';
import { checkOrder, type Answer } from './order-of-calls.ts';
import { checkLog, checkRestart, nothingSent } from './writer-process.ts';
import {
  readTrace,
  throughDescriptors,
  traceCommand,
  traceProcess,
  traceRefusal,
  type SystemCall,
} from './system-calls.ts';

/** The number of clients of a traced writer. */
const traced = 8;

const refusal = traceRefusal();
if (refusal !== undefined)
  console.log(`the order of calls is held by order.test.ts alone, for strace is not to be had: ${refusal}`);
const testTraced = refusal === undefined ? test : test.skip;

testTraced(
  'a store: every answer after the sync of its frame; segments and snapshots have durable names in time',
  async () => {
    const calls = await traceWriter(true);
    const answers = answersOf(calls);
    assert.ok(answers.length > 200, `${answers.length} answers`);
    assert.equal(checkOrder(calls, 'data', answers), []);
    const count = (name: string, file: RegExp): number =>
      calls.filter((call) => call.name === name && file.test(call.file)).length;
    console.log(
      `order: ${answers.length} answers, ${count('create', /seg$/)} segments, ${count('unlink', /^snapshot-/)} snapshots removed`,
    );
    assert.ok(count('create', /seg$/) > 2 && count('rename', /^snapshot-/) > 2 && count('unlink', /^snapshot-/) > 0);

    const without = (left: (call: SystemCall) => boolean): readonly string[] =>
      checkOrder(
        calls.filter((call) => !left(call)),
        'data',
        [],
      );
    const kinds = (problems: readonly string[]): string[] => [
      ...new Set(problems.map((problem) => problem.replaceAll(/\S*(log-|snapshot-|\\"|\d-\d)\S*/g, '…'))),
    ];
    assert.equal(kinds(without(({ name, file }) => name === 'fsync' && file === 'data')), [
      'the name of … was not synced before its first frame',
      '… was removed before the name of a newer one was synced',
    ]);
    assert.equal(kinds(without(({ name, file }) => name === 'fdatasync' && file.startsWith('snapshot-'))), [
      '… got its name before it was synced',
    ]);
  },
);

testTraced('the checker notices a store that does not sync', async () => {
  const calls = await traceWriter(false);
  const answers = answersOf(calls);
  assert.ok(answers.length > 200);
  const problems = checkOrder(calls, 'data', answers);
  const early = problems.filter((problem) => problem.endsWith('was answered before its frame was synced'));
  assert.is(early.length, answers.length);
});

testTraced('the server: no answer of HTTP leaves before the frame of its command is synced', async () => {
  const folder = freshFolder();
  writeFiles(folder, { 'schema/box.schema': schema });
  const child = startTool(['dev', 'schema', '--port', '0', '--data', 'data'], { cwd: folder });
  const output = watchOutput(child);
  let through: ReadonlySet<string> = new Set();
  try {
    const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
    through = throughDescriptors(child.pid ?? 0);
    const stop = await traceProcess(join(folder, 'trace'), child.pid ?? 0);
    await Promise.all(Array.from({ length: 8 }, (_, client) => putBoxes(url, client)));
    await stop();
  } finally {
    await output.stop('SIGKILL');
  }
  const calls = readTrace(join(folder, 'trace'), through);
  const answers = calls.flatMap((call): Answer[] => {
    if (call.name !== 'write' && call.name !== 'writev') return [];
    const box = /\\"stream_id\\":\\"(box-\d+-\d+)\\"/.exec(call.text)?.[1];
    return box === undefined ? [] : [{ call, token: `\\"${box}\\"` }];
  });
  assert.is(answers.length, 8 * 20);
  assert.equal(checkOrder(calls, 'data', answers), []);
});

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
`;

async function putBoxes(url: string, client: number): Promise<void> {
  for (let count = 0; count < 20; count += 1) {
    const answer = await fetch(`${url}/api/aggregates/Box/execute/Put`, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({ box_id: `box-${client}-${count}`, n: 1 }),
    });
    assert.is(answer.status, 200);
    await answer.arrayBuffer();
  }
}

for (const inject of ['fdatasync:error=EIO', 'pwrite64:error=EIO', 'pwrite64:error=ENOSPC', 'pwrite64:error=EDQUOT']) {
  testTraced(`${inject}: nothing more is written, nothing is answered that is not there after a restart`, async () => {
    const folder = freshFolder();
    const directory = join(folder, 'data');
    const program = bundled('kill-writer');
    const child = startWriter(folder, program, true, `${inject}:when=9+`);
    await new Promise((resolve) => child.on('close', resolve));
    const calls = readTrace(join(folder, 'trace'));
    const failed = calls.find((call) => call.failed && call.file.endsWith('.seg') && inject.startsWith(call.name));
    assert.ok(failed !== undefined, 'something of the log failed');
    const later = calls.filter(
      ({ name, file, begin }) => /write|sync|trunc/.test(name) && file.endsWith('.seg') && begin > failed.end,
    );
    assert.equal(later, []);
    const answers = answersOf(calls);
    assert.ok(answers.length > 20);
    assert.equal(checkOrder(calls, 'data', answers), []);
    const acknowledged = nothingSent.slice(0, traced).map((_, client) => {
      const counts = answers
        .map(({ token }) => /(\d+)-(\d+)/.exec(token))
        .filter((match) => Number(match?.[1]) === client);
      return Math.max(-1, ...counts.map((match) => Number(match?.[2]))) + 1;
    });
    await checkLog(directory, acknowledged, inject);
    await checkRestart(directory, inject);
  });
}

/** Some lives of `kill-writer.ts`, each with segments and a snapshot, killed under load. */
async function traceWriter(fsync: boolean): Promise<readonly SystemCall[]> {
  const folder = freshFolder();
  const child = startWriter(folder, bundled('kill-writer'), fsync);
  const ended = new Promise((resolve) => child.on('close', resolve));
  await filesMade(join(folder, 'data'), fsync ? /^snapshot-.*db$/ : /seg$/, fsync ? 4 : 2);
  for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, 'SIGKILL');
  await ended;
  return readTrace(join(folder, 'trace'));
}

function startWriter(folder: string, program: string, fsync: boolean, inject?: string): ChildProcess {
  const counts = JSON.stringify(nothingSent.slice(0, traced));
  const command = [process.execPath, program, join(folder, 'data'), counts, String(fsync)];
  const environment = { ...process.env, NODE_PATH: new URL('../../node_modules', import.meta.url).pathname };
  return traceCommand(join(folder, 'trace'), command, environment, inject);
}

async function filesMade(directory: string, pattern: RegExp, wanted: number): Promise<void> {
  const seen = new Set<string>();
  while (seen.size < wanted) {
    await pause(10);
    if (!existsSync(directory)) continue;
    for (const name of readdirSync(directory)) if (pattern.test(name)) seen.add(name);
  }
}

/** Ends only the traced process: strace ends after it, with a complete trace. */
function childrenOf(pid: number): readonly number[] {
  const said = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return said === '' ? [] : said.split(' ').map(Number);
}

function answersOf(calls: readonly SystemCall[]): readonly Answer[] {
  return calls.flatMap((call): Answer[] => {
    const [, client, count] = /^write\(1<.*?>, "(\d+) (\d+)\\n"/.exec(call.text) ?? [];
    return client === undefined || count === undefined ? [] : [{ call, token: `\\"${client}-${count}\\"` }];
  });
}

test.run();
