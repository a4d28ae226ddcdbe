/**
 * `npm start [-- name [options]]`: builds the example `examples/<name>` (default `bike-rental`) in its own folder, so that its
 * configuration is used, and serves it until it is stopped. Options go to `schemac start`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name = 'bike-rental', ...options] = process.argv.slice(2);
const tool = join(root, 'dist/cli/main.js');
const example = join(root, 'examples', name);

function examples(): string {
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map((entry) => entry.name)
    .sort()
    .join(', ');
}

function step(cwd: string, parameters: readonly string[]): void {
  const result = spawnSync(process.execPath, parameters, { cwd, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

if (!/^[a-z0-9-]+$/.test(name) || !existsSync(example)) {
  console.error(`there is no example '${name}'; there are ${examples()}`);
  process.exit(2);
}
if (!existsSync(tool)) step(root, ['--import=tsx', join(root, 'scripts/build.ts')]);
step(example, [tool, 'build', 'schema', '-o', 'generated']);
const server = spawn(process.execPath, [tool, 'start', 'generated', '--data', 'data', ...options], {
  cwd: example,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
server.on('exit', (status) => process.exit(status ?? 1));
