/** Counts the files that a process of the built tool loads before it does something: each costs a part of a millisecond of every start. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';

const dist = join(root, 'dist');

const answering = ['main', 'start', 'server', 'serve-domain', 'log', 'serve-store', 'start-http', 'embedded-store'];

/** The modules at which a command or thread begins, those after them that it loads in any case, and the most files that all these may be. */
const table: readonly (readonly [what: string, entries: readonly string[], most: number])[] = [
  ['--help', ['main'], 10],
  ['check', ['main', 'check', 'index'], 25],
  ['run', ['main', 'run', 'memory-store', 'open-session'], 40],
  ['the thread of the read model', ['worker'], 15],
  ['the answer of /health', ['main', 'start', 'server', 'serve-domain', 'log'], 30],
  ['the first answer with data', answering, 45],
];

for (const [what, entries, most] of table)
  test(`${what} loads few files`, () => {
    const files = new Set(entries.flatMap((entry) => [...loadedFrom(entryFile(entry))]));
    assert.ok(files.size > entries.length && files.size <= most, `${files.size} files: ${[...files].join('\n')}`);
  });

test('a server loads the compiler after its first answer', () => {
  const files = new Set(answering.flatMap((entry) => [...loadedFrom(entryFile(entry))]));
  assert.equal(
    [...files].filter((path) => readFileSync(path, 'utf8').includes('\n// compiler/syntax/grammar/parser.ts\n')),
    [],
  );
});

/** A stable path, or one in which only the name is. */
function entryFile(name: string): string {
  const known = {
    main: 'cli/main.js',
    index: 'compiler/index.js',
    server: 'server/index.js',
    worker: 'runtime/store/tables/thread/worker.js',
  };
  const path = Object.entries(known).find(([key]) => key === name)?.[1];
  if (path !== undefined) return join(dist, path);
  const found = readdirSync(join(dist, 'chunks')).filter((file) => new RegExp(`^${name}-[A-Z0-9]{8}\\.js$`).test(file));
  // Several entries may have a name; the one that loads most is the one that does the work.
  const [most] = found
    .map((file) => join(dist, 'chunks', file))
    .toSorted((one, other) => loadedFrom(other).size - loadedFrom(one).size);
  assert.ok(most, `there is no file of '${name}' in dist/chunks`);
  return most;
}

/** A file and what it imports statically, which a bundle writes as `from "./…"` and `import "./…"` at the start of a line. */
function loadedFrom(file: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || !existsSync(path)) continue;
    seen.add(path);
    for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(/^(?:import|\} from) "(\.[^"]+)";$/gm))
      waiting.push(join(dirname(path), imported));
  }
  return seen;
}

test.run();
