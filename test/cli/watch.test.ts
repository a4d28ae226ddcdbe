import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readSchemaFiles } from '../../cli/schema-files.ts';
import type { Shell } from '../../cli/shell.ts';
import { watchPaths } from '../../cli/watch-paths.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';

/** The input of a run: the text of each schema file, or its error. */
type Seen = Readonly<Record<string, string>> | string;

interface Acting {
  /** Path of a name below the watched folder. */
  readonly path: (name: string) => string;
  readonly save: (name: string, text: string) => void;
}

interface Watched extends Acting {
  /** The inputs of all runs since the last call, once one equals `wanted` and no change follows. */
  readonly until: (wanted: Seen) => Promise<readonly Seen[]>;
  /** The inputs of all runs since the last call, once no change follows. */
  readonly idle: () => Promise<readonly Seen[]>;
}

/** Watches the folder `schema`, which holds these files. */
function watched(files: Readonly<Record<string, string>>, work: (watched: Watched) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    writeFiles(folder, files);
    const stop = new AbortController();
    let seen: Seen[] = [];
    const shell = { cwd: folder, stopSignal: () => stop.signal } as Pick<Shell, 'cwd' | 'stopSignal'> as Shell;
    const watching = watchPaths(shell, ['schema'], () => {
      seen.push(read(folder));
      return Promise.resolve();
    });
    const idle = async (): Promise<readonly Seen[]> => {
      for (let before = -1; before !== seen.length;) {
        before = seen.length;
        await wait(400);
      }
      const all = seen;
      seen = [];
      return all;
    };
    const until = async (wanted: Seen): Promise<readonly Seen[]> => {
      const text = JSON.stringify(wanted);
      const late = AbortSignal.timeout(20_000);
      while (!seen.some((each) => JSON.stringify(each) === text)) {
        if (late.aborted) throw new Error(`never seen: ${text}, but ${JSON.stringify(seen)}`);
        await wait(10);
      }
      return idle();
    };
    await until(files);
    try {
      const path = (name: string): string => join(folder, 'schema', name);
      await work({ path, until, idle, save: (name, text) => writeFileSync(path(name), text) });
    } finally {
      stop.abort();
      await watching;
    }
  });
}

function read(folder: string): Seen {
  try {
    return Object.fromEntries(readSchemaFiles(folder, ['schema']).map(({ name, text }) => [name, text]));
  } catch (error) {
    return (error as Error).message;
  }
}

/** Changes of the folder, and the input of the last run; undefined when no run is expected. */
const steps: readonly [name: string, act: (at: Acting) => void | Promise<void>, wanted: Seen | undefined][] = [
  [
    'saved as an editor does, by a rename over it',
    ({ save, path }) => {
      save('a.schema.tmp', 'renamed');
      renameSync(path('a.schema.tmp'), path('a.schema'));
    },
    { 'schema/a.schema': 'renamed', 'schema/sub/b.schema': 'b' },
  ],
  [
    'a burst',
    async ({ save }) => {
      for (let index = 0; index < 20; index++) {
        save('a.schema', `${index}`);
        await wait(7);
      }
    },
    { 'schema/a.schema': '19', 'schema/sub/b.schema': 'b' },
  ],
  [
    'twice within 50 ms',
    async ({ save }) => {
      save('a.schema', 'once');
      await wait(40);
      save('a.schema', 'twice');
    },
    { 'schema/a.schema': 'twice', 'schema/sub/b.schema': 'b' },
  ],
  [
    'a file appears',
    ({ save }) => save('c.schema', 'c'),
    { 'schema/a.schema': 'twice', 'schema/c.schema': 'c', 'schema/sub/b.schema': 'b' },
  ],
  ['and goes', ({ path }) => rmSync(path('c.schema')), { 'schema/a.schema': 'twice', 'schema/sub/b.schema': 'b' }],
  [
    'a file goes for a moment',
    async ({ save, path }) => {
      rmSync(path('a.schema'));
      await wait(60);
      save('a.schema', 'again');
    },
    { 'schema/a.schema': 'again', 'schema/sub/b.schema': 'b' },
  ],
  [
    'a file may not be read for a moment',
    async ({ save, path }) => {
      chmodSync(path('a.schema'), 0);
      await wait(60);
      chmodSync(path('a.schema'), 0o644);
      save('a.schema', 'readable');
    },
    { 'schema/a.schema': 'readable', 'schema/sub/b.schema': 'b' },
  ],
  [
    'a folder is renamed',
    ({ path }) => renameSync(path('sub'), path('other')),
    { 'schema/a.schema': 'readable', 'schema/other/b.schema': 'b' },
  ],
  [
    'a file is saved in it',
    ({ save }) => save('other/b.schema', 'B'),
    { 'schema/a.schema': 'readable', 'schema/other/b.schema': 'B' },
  ],
  [
    'files that editors leave next to a file are no schema',
    ({ save, path }) => {
      for (const name of ['.a.schema.swp', 'a.schema~', '4913', '#a.schema#']) save(name, 'x');
      symlinkSync('me@here.1', path('.#a.schema'));
      rmSync(path('.#a.schema'));
    },
    undefined,
  ],
  [
    'a link to a file',
    ({ save, path }) => {
      mkdirSync(path('../elsewhere'));
      save('../elsewhere/l.schema', 'l');
      symlinkSync('../elsewhere/l.schema', path('l.schema'));
    },
    { 'schema/a.schema': 'readable', 'schema/l.schema': 'l', 'schema/other/b.schema': 'B' },
  ],
  [
    'what it leads to is saved',
    ({ save }) => save('../elsewhere/l.schema', 'L'),
    { 'schema/a.schema': 'readable', 'schema/l.schema': 'L', 'schema/other/b.schema': 'B' },
  ],
  [
    'a link to a folder takes its place',
    ({ path }) => {
      rmSync(path('l.schema'));
      symlinkSync('../elsewhere', path('linked'));
    },
    { 'schema/a.schema': 'readable', 'schema/linked/l.schema': 'L', 'schema/other/b.schema': 'B' },
  ],
  [
    'a file is saved behind it',
    ({ save }) => save('../elsewhere/l.schema', 'll'),
    { 'schema/a.schema': 'readable', 'schema/linked/l.schema': 'll', 'schema/other/b.schema': 'B' },
  ],
  ['all is removed', ({ path }) => rmSync(path('.'), { recursive: true }), "there is no file or folder 'schema'"],
  [
    'and comes back',
    ({ save, path }) => {
      mkdirSync(path('.'));
      save('a.schema', 'back');
    },
    { 'schema/a.schema': 'back' },
  ],
  ['and is watched as before', ({ save }) => save('a.schema', 'watched'), { 'schema/a.schema': 'watched' }],
  [
    'another folder takes its place at once',
    ({ save, path }) => {
      mkdirSync(path('../next'));
      save('../next/a.schema', 'next');
      renameSync(path('.'), path('../before'));
      renameSync(path('../next'), path('.'));
    },
    { 'schema/a.schema': 'next' },
  ],
  [
    'and a file is saved in that',
    async ({ save }) => {
      await wait(200);
      save('b.schema', 'B');
    },
    { 'schema/a.schema': 'next', 'schema/b.schema': 'B' },
  ],
];

test('every change of files starts a run, and the last run reads their final content', () =>
  watched({ 'schema/a.schema': 'a', 'schema/sub/b.schema': 'b' }, async (at) => {
    for (const [name, act, wanted] of steps) {
      await act(at);
      const seen = wanted === undefined ? await at.idle() : await at.until(wanted);
      assert.equal([name, seen.at(-1)], [name, wanted]);
    }
  }));

test('many files at once are one change, or two when writing them takes long', () =>
  watched({ 'schema/a.schema': 'a' }, async ({ save, until }) => {
    const names = Array.from({ length: 200 }, (_, index) => `m${String(index).padStart(3, '0')}.schema`);
    for (const text of ['first', 'second']) {
      for (const name of names) save(name, text);
      const wanted = Object.fromEntries(names.map((name) => [`schema/${name}`, text]));
      const seen = await until({ 'schema/a.schema': 'a', ...wanted });
      assert.ok(seen.length <= 2, `${seen.length} runs`);
    }
  }));

test.run();
