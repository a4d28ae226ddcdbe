/**
 * Part of `npm run test:change`: the memory of a server after 100, 300 and 1,000 changes of a registry of constant
 * size. Reports the heap in use after a collection, and the resident memory with the young generations of its threads,
 * which V8 lets grow up to a limit. Ends with 1 when the heap after the last change exceeds 1.2 times that after the
 * first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, change, execute, get, start, type Answer } from './served.ts';
import { load } from './under-load.ts';

const [last = 1000] = process.argv.slice(2).map(Number);
const looks = [last / 10, (last * 3) / 10, last].map(Math.round);
const most = 1.2;

/** Loaded before the server: prints its heap after a collection to stderr, in MiB, on SIGUSR2. */
const telling = `
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', async () => {
    for (let round = 0; round < 4; round++) {
      collect();
      await new Promise((resume) => setTimeout(resume, 50));
    }
    const [heap, resident] = ['heapUsed', 'rss'].map((name) => (process.memoryUsage()[name] / 2 ** 20).toFixed(1));
    process.stderr.write('memory ' + heap + ' ' + resident + ' MiB\\n');
  });
}`;

/** A replacement of each kind of block, always with a new definition. */
const replacements: readonly ((index: number) => string)[] = [
  (index) => `CREATE OR REPLACE DECISION PutIn FOR Box ON COMMAND Put
STATE AS SELECT n AS had FROM Reg."Box$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0 AND had < ${1_000_000 + index};`,
  (index) =>
    `CREATE OR REPLACE PROJECTION Sums AS SELECT COUNT(*) AS events, SUM(data.n + ${index}) AS total FROM Reg."Box$Events";`,
  (index) => `CREATE OR REPLACE COMMAND Put (id STRING, n INT, extra${index} STRING NULL);`,
  (index) =>
    `CREATE OR REPLACE AGGREGATE Box (id STRING KEY, n INT DEFAULT 0 AS SUM(data.n), most INT DEFAULT ${index} AS MAX(data.n));`,
  (index) => `CREATE OR REPLACE EVENT Added (n INT, note${index % 2} STRING);`,
];

const folder = mkdtempSync(join(tmpdir(), 'schemac-change-'));
let failed = false;
try {
  await build(folder);
  const preload = `data:text/javascript,${encodeURIComponent(telling)}`;
  const { url, output } = await start(folder, { NODE_OPTIONS: `--import=${preload}` });
  await load(url, { clients: 8, milliseconds: 5000 }); // serving has allocated its memory before that of changes is measured
  const heaps: number[] = [];
  for (let index = 1; index <= last; index++) {
    const replace = replacements[index % replacements.length];
    must(await change(url, replace?.(index) ?? ''), 201);
    must(await execute(url, 'Put', { id: `b-${index % 10}`, n: 1 }), 200);
    must(await get(url, '/api/projections/Sums/query'), 200);
    if (!looks.includes(index)) continue;
    output.signal('SIGUSR2');
    const [, heap = '', resident = ''] = /memory (\S+) (\S+)/.exec(await output.until(' MiB\n')) ?? [];
    console.log(`${index} changes: heap ${heap} MiB, resident ${resident} MiB`);
    heaps.push(Number(heap));
  }
  const times = (heaps.at(-1) ?? 0) / (heaps[0] ?? 0);
  console.log(`heap ${times.toFixed(2)} times, at most ${most}`);
  failed = !(times <= most);
  if ((await output.stop()) !== 0) failed = true;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function must({ status, body }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`${status} ${JSON.stringify(body)}`);
}
