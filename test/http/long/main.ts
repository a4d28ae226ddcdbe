/**
 * `npm run test:http-long [-- part …]`: tests that take too long for every run. Serves the built tool (`npm run build` first) and asks
 * until it hurts: generated requests, overload, clients that read nothing (`-- budget 30` for 30 minutes), receivers of webhooks that
 * behave badly (`-- receivers 230` for 10 minutes each), slow callers, the main thread under load and while it compiles texts of callers,
 * commands while the console works, streams that are cut ten thousand times, a million rows for consumers that fail, the memory of the
 * console, and its whole corpus. Prints each figure with its bound, and ends with 1 where one is not kept. On a busy machine trust ratios
 * and processor time.
 */
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { root } from '../../kit/tool.ts';
import { budget } from './budget.ts';
import { commandsBesideConsole } from './commands-beside-console.ts';
import { compiledTexts } from './compiled-texts.ts';
import { consoleMemory } from './console-memory.ts';
import { eventLoop } from './event-loop.ts';
import { kept, type LongFigure } from './figure.ts';
import { followFigures } from './follow-figures.ts';
import { overload } from './overload.ts';
import { badReceivers } from './receivers.ts';
import { slowCallers } from './slow-callers.ts';

/** Numbers among the words are minutes, for the parts with a given duration. */
const numbers = process.argv.slice(2).filter((word) => /^\d+(\.\d+)?$/.test(word));
const minutes = Number(numbers[0] ?? 2);

const parts: Readonly<Record<string, () => Promise<readonly LongFigure[]>>> = {
  overload: () => overload(10),
  budget: () => budget(minutes),
  receivers: () => badReceivers(minutes),
  slow: slowCallers,
  loop: () => eventLoop(15),
  texts: compiledTexts,
  beside: () => commandsBesideConsole(5, 4),
  memory: () => consoleMemory(5),
  console: () => suite('test/http/console.test.ts', { SCHEMAC_TEST_LONG: '1' }),
  followers: followFigures,
  consumers: () => suite('test/http/competing-consumers.test.ts', { ROWS: process.env['ROWS'] ?? '1000000' }),
  follow: () => suite('test/http/follow.test.ts', { SCHEMAC_FOLLOW_CUTS: '10000' }),
  requests: () => suite('test/http/fuzz.test.ts', { SCHEMAC_FUZZ_RUNS: process.env['SCHEMAC_FUZZ_RUNS'] ?? '200000' }),
};

/** A suite of `npm test` at the size of a long run: 0 tests may fail. */
async function suite(path: string, environment: Readonly<Record<string, string>>): Promise<readonly LongFigure[]> {
  const child = spawn(process.execPath, ['--conditions=schemac-source', '--import', 'tsx', path], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return [{ name: path, value: status ?? 1, unit: 'exit', at: 'most', goal: 0 }];
}

const wanted = process.argv.slice(2).filter((word) => !numbers.includes(word));
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`there is no part '${unknown.join("', '")}'; there are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
process.once('exit', (status) => {
  if (status === 13) console.error('ended without its figures: something that it waited for can no longer come');
});
let failed = 0;
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const figure of await run()) {
    if (!kept(figure)) failed++;
    const bound = `${figure.at === 'most' ? '≤' : '≥'} ${figure.goal}`;
    const value = `${figure.value.toFixed(2)} ${figure.unit}`;
    console.log(`${kept(figure) ? 'ok  ' : 'FAIL'}  ${figure.name}  ${value} (${bound})  ${figure.beside ?? ''}`);
  }
  console.log(`      load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`);
}
process.exit(failed === 0 ? 0 : 1);
