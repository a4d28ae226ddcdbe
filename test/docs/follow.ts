/**
 * Follows a page: writes its files and types its commands, in one shell, in a folder of its own, with the tool. Gives what
 * appeared where the page says something else.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { packageHere } from '../kit/started-module.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { program, root, withoutSettings } from '../kit/tool.ts';
import { startResidentTool } from './resident-tool.ts';
import { appearsAs, type Command, type Step, type Walkthrough } from './walkthrough.ts';

export interface Surprise {
  readonly command: Command;
  readonly actual: string;
}

/** The texts on a page for the folder in which it is followed, and for the address of its server. */
const shownFolder = '/home/you';
const shownAddress = 'http://127.0.0.1:8080';

const patience = 60_000;
const done = `done-${process.pid}`;

interface Follower {
  readonly folder: string;
  readonly shell: ChildProcessWithoutNullStreams;
  /** Output of the shell that was not yet read. */
  written: string;
  address: string | undefined;
}

/** Each command is the tool as built, in a process of its own, or the same sources in this process, which takes a fifth of the time. */
export type How = 'built' | 'here';

export function follow({ folders, steps }: Walkthrough, how: How): Promise<readonly Surprise[]> {
  return withTempFolder(async (made) => {
    const folder = realpathSync(made);
    const tool = how === 'here' ? await startResidentTool(join(folder, '.tool')) : undefined;
    furnish(folder, folders, tool?.program ?? program, tool === undefined ? root : packageHere);
    const follower = startShell(folder);
    try {
      const surprises: Surprise[] = [];
      for (const step of steps) surprises.push(...(await take(follower, step)));
      return surprises;
    } finally {
      await endShell(follower);
      await tool?.close();
    }
  });
}

/** `npx schemac`, `npm start` and `import 'schemac'` find this checkout, and the examples that the page speaks of lie where it is followed. */
function furnish(folder: string, folders: readonly string[], tool: readonly string[], schemac: string): void {
  const shims = join(folder, '.bin');
  mkdirSync(shims);
  const words = [process.execPath, ...tool].map((word) => `'${word}'`).join(' ');
  const npx = `[ "$1" = schemac ] || { echo "only schemac is here" >&2; exit 1; }\nshift\nexec ${words} "$@"`;
  // Does the same as `scripts/start.ts`, with the tested tool and the copied example.
  const npm = `[ "$1" = start ] || { echo "only npm start is here" >&2; exit 1; }\nshift
cd '${join(folder, 'examples/bike-rental')}'
${words} build schema -o generated
exec ${words} start generated --data data "$@"`;
  // The two options that pages use of DuckDB's own tool.
  const query = join(shims, 'query.mjs');
  writeFileSync(
    query,
    `import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '${pathToFileURL(join(root, 'test/node_modules/@duckdb/node-api/lib/index.js')).href}';
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(\`COPY (\${process.argv[2]}) TO '${query}.csv' (FORMAT csv, HEADER)\`);
process.stdout.write(readFileSync('${query}.csv'));\n`,
  );
  const duckdb = `[ "$1 $2" = "-csv -c" ] || { echo "only -csv -c is here" >&2; exit 1; }\nexec '${process.execPath}' '${query}' "$3"`;
  for (const [name, text] of [
    ['npx', npx],
    ['npm', npm],
    ['duckdb', duckdb],
  ] as const)
    writeFileSync(join(shims, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(schemac, join(folder, 'node_modules/schemac'));
  for (const path of folders)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/\/(generated|data)$/.test(source),
    });
}

function startShell(folder: string): Follower {
  const environment = {
    ...withoutSettings(),
    NO_COLOR: '1',
    PATH: `${join(folder, '.bin')}:${process.env['PATH'] ?? ''}`,
  };
  const shell = spawn('sh', [], { cwd: folder, env: environment, detached: true });
  const follower: Follower = { folder, shell, written: '', address: undefined };
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (follower.written += text));
  shell.stdin.on('error', () => undefined);
  return follower;
}

async function endShell({ shell }: Follower): Promise<void> {
  const closed = new Promise((resolve) => shell.once('close', resolve));
  // The process group of the shell, which includes its server.
  if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  await closed;
}

async function take(follower: Follower, step: Step): Promise<readonly Surprise[]> {
  switch (step.kind) {
    case 'file': {
      const path = join((await type(follower, 'pwd')).trimEnd(), step.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
      return [];
    }
    case 'serve':
      return judge(follower, step.command, await serve(follower, step.command.text));
    case 'stop':
      await type(follower, 'kill $server; wait $server');
      return [];
    case 'type': {
      const surprises: Surprise[] = [];
      for (const command of step.commands) surprises.push(...(await attempt(follower, command, step.soon)));
      return surprises;
    }
  }
}

/** Types a command, and repeats it until its output matches, if the page allows it to take time. */
async function attempt(follower: Follower, command: Command, soon: boolean): Promise<readonly Surprise[]> {
  const last = Date.now() + (soon ? patience : 0);
  for (;;) {
    const surprises = judge(follower, command, await type(follower, command.text, command.input));
    if (surprises.length === 0 || Date.now() >= last) return surprises;
    await pause(100);
  }
}

/** Gives the output of a command, on both streams. */
async function type(follower: Follower, text: string, input?: string): Promise<string> {
  const { shell, address } = follower;
  follower.written = '';
  const actual = address === undefined ? text : text.replaceAll(shownAddress, address);
  const stdin = input === undefined ? '</dev/null' : `<<'END OF INPUT'\n${input}END OF INPUT`;
  shell.stdin.write(`{ ${actual}\n} 2>&1 ${stdin}\nprintf '\\n${done}\\n'\n`);
  const end = `\n${done}\n`;
  await until(
    `'${text}' to end`,
    () => follower.written.endsWith(end),
    () => follower.written,
  );
  return follower.written.slice(0, -end.length);
}

/** Starts a server on a free port, and gives its output until it served. */
async function serve(follower: Follower, text: string): Promise<string> {
  const log = join(follower.folder, '.server');
  rmSync(log, { force: true }); // the output of the last one
  await type(follower, `${text} --port 0 >'${log}' 2>&1 </dev/null & server=$!`);
  const written = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  const serving = /^serving on (http:\/\/[^,\s]+).*\n/m;
  await until(`'${text}' to serve`, () => serving.test(written()), written);
  follower.address = serving.exec(written())?.[1];
  return written();
}

async function until(what: string, reached: () => boolean, written: () => string): Promise<void> {
  const last = Date.now() + patience;
  while (!reached()) {
    if (Date.now() > last) throw new Error(`${patience} ms were too short for ${what}; so far: ${written()}`);
    await pause(5);
  }
}

function judge({ folder, address }: Follower, command: Command, written: string): readonly Surprise[] {
  // CSV has the line ends of its standard, a page has a page's.
  const shown = written.replaceAll('\r\n', '\n').replaceAll(folder, shownFolder);
  const actual = address === undefined ? shown : shown.replaceAll(address, shownAddress);
  const whole = actual === '' || actual.endsWith('\n') ? actual : `${actual}\n`;
  return appearsAs(whole, command.output) ? [] : [{ command, actual: whole }];
}
