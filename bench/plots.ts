/**
 * `npm run bench:plots [-- --quick]`: measures the curves of `bench/curves`, each file in its own process on the built package, and
 * writes a page with its pictures to the folder of the documents. Takes a few minutes on an idle machine; a quick run writes to a temporary folder.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.ts';
import type { Curve } from './curve.ts';
import type { Skipped } from './report.ts';
import { drawCurve, shown } from './svg.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const quick = process.argv.includes('--quick');
const target = quick ? mkdtempSync(join(tmpdir(), 'schemac-plots-')) : join(root, 'docs');
const names = readdirSync(join(root, 'bench/curves')).map((file) => file.replace(/\.ts$/, ''));

async function run(name: string): Promise<readonly (Curve | Skipped)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'schemac-bench-'));
  const words = ['--expose-gc', join(root, `dist/bench/${name}.js`), root, folder, quick ? 'quick' : 'full'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  let written = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  if (written === '') throw new Error(`the curves of ${name} failed with ${String(status)}`);
  return JSON.parse(written) as readonly (Curve | Skipped)[];
}

function tableOf({ x, xs, y, series }: Curve): string {
  const head = `| ${x} | ${series.map(({ name }) => (series.length === 1 ? y : `${name}, ${y}`)).join(' | ')} |`;
  const rule = `|---|${series.map(() => '---').join('|')}|`;
  const rows = xs.map(
    (one, at) => `| ${shown(one)} | ${series.map(({ values }) => shown(values[at] ?? 0)).join(' | ')} |`,
  );
  return [head, rule, ...rows].join('\n');
}

function sectionOf(curve: Curve): string {
  const file = `plots/${curve.title.toLowerCase().replaceAll(' ', '-')}.svg`;
  writeFileSync(join(target, file), drawCurve(curve));
  return `## ${curve.title}\n\n${curve.says}\n\n![${curve.title}](${file})\n\n${tableOf(curve)}\n`;
}

const built = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
await bundle(
  root,
  names.map((name) => ({ in: `bench/curves/${name}`, out: `bench/${name}` })),
);
mkdirSync(join(target, 'plots'), { recursive: true });
const sections: string[] = [];
for (const name of names)
  for (const curve of await run(name)) {
    sections.push('skipped' in curve ? `## ${curve.name}\n\nNot measured: ${curve.skipped}\n` : sectionOf(curve));
  }
const { model = 'an unknown processor' } = cpus()[0] ?? {};
writeFileSync(
  join(target, 'benchmarks.md'),
  `# Benchmarks in pictures

This page and its pictures are written by \`npm run bench:plots\`, in one run: Node ${process.versions.node}, ${cpus().length} cores of ${model}.
How the other figures are measured, and what limits them, is in [performance](performance.md).

${sections.join('\n')}`,
);
console.log(`written to ${join(target, 'benchmarks.md')}`);
