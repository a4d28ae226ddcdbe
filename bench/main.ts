/**
 * `npm run bench [-- --only name] [--quick] [--out file]`: builds, runs the files of `bench/figures` one after the other, each in its own
 * process on the built package, prints a table and writes it as JSON. docs/performance.md explains the figures.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../scripts/bundle.ts';
import { startDatabase } from '../test/kit/database.ts';
import { reached, type Figure } from './measure.ts';
import type { Skipped } from './report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(join(root, 'bench/figures')).map((file) => file.replace(/\.ts$/, ''));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'bench/results.json') },
  },
});
const unknown = options.only?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`there are no figures '${unknown}'; there are ${names.join(', ')}`);
  process.exit(2);
}

/**
 * The figures of one file; an error in it is reported and does not end the others. Figures of a shared log get a database whose commits
 * wait for the disk.
 */
async function run(name: string): Promise<readonly (Figure | Skipped)[]> {
  if (!name.startsWith('shared-log')) return runWith(name, {});
  const database = await startDatabase({ fsync: 'on', shared_buffers: '256MB', max_connections: '100' });
  if ('missing' in database) return [{ name, skipped: database.missing }];
  try {
    return await runWith(name, { DATABASE_URL: database.url });
  } finally {
    await database.stop();
  }
}

async function runWith(
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly (Figure | Skipped)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'schemac-bench-'));
  const script = join(root, `dist/bench/${name}.js`);
  const child = spawn(process.execPath, ['--expose-gc', script, root, folder, options.quick ? 'quick' : 'full'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let written = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  return written === ''
    ? [{ name, skipped: `failed with ${String(status)}` }]
    : (JSON.parse(written) as readonly (Figure | Skipped)[]);
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

function line(figure: Figure | Skipped): string {
  if ('skipped' in figure) return `| ${figure.name} | skipped: ${figure.skipped} | | | |`;
  const { name, unit, goal, value, sides } = figure;
  const bound = `${goal.at === 'most' ? '≤' : '≥'} ${rounded(goal.value)}`;
  const both = sides === undefined ? '' : `${rounded(sides[0])} : ${rounded(sides[1])}`;
  return `| ${name} | ${rounded(value)} ${unit} | ${bound} | ${reached(figure) ? 'yes' : 'no'} | ${both} |`;
}

const built = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
await bundle(
  root,
  names.map((name) => ({ in: `bench/figures/${name}`, out: `bench/${name}` })),
);
const began = performance.now();
const results: (Figure | Skipped)[] = [];
console.log('| figure | value | goal | reached | sides |\n|---|---|---|---|---|');
for (const name of names) {
  if (options.only !== undefined && !options.only.includes(name)) continue;
  const figures = await run(name);
  results.push(...figures);
  for (const figure of figures) console.log(line(figure));
}
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem(), node: process.version };
writeFileSync(options.out, `${JSON.stringify({ machine, quick: options.quick, figures: results }, undefined, 2)}\n`);
console.log(`${Math.round((performance.now() - began) / 1000)} s; written to ${options.out}`);
const missed = results.some((figure) => 'skipped' in figure && figure.skipped.startsWith('failed'));
process.exitCode = missed ? 1 : 0;
