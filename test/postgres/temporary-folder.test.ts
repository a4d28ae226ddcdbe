/** The folder of a server on a log in PostgreSQL that keeps its read model on disk, and was given none. */
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseStore } from '../../server/start/choose-store.ts';
import { openStore } from '../../server/start/open-store.ts';
import { takeTemporaryFolder } from '../../server/start/temporary-folder.ts';
import { startDatabase } from '../kit/database.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { until } from '../kit/until.ts';

const database = await startDatabase();

test('a folder is private, and goes with its process; what a killed one left goes at the next start', () =>
  withTempFolder(async (base) => {
    const aged = (name: string, make: (path: string) => void): string => {
      const path = join(base, name);
      make(path);
      utimesSync(path, 1, 1);
      return name;
    };
    const asFolder = (path: string): void => {
      mkdirSync(path);
      writeFileSync(join(path, 'read-model.db'), 'rows');
      writeFileSync(join(path, 'lock.1'), ''); // no process listens there
    };
    const living = await takeTemporaryFolder(base);
    utimesSync(living.directory, 1, 1);
    const dead = aged('schemac-read-model-dead', asFolder);
    const others = [aged('other', asFolder), aged('schemac-read-model-file', (path) => writeFileSync(path, ''))];
    mkdirSync(join(base, 'schemac-read-model-young'));
    symlinkSync(join(base, 'other'), join(base, 'schemac-read-model-link'));
    const next = await takeTemporaryFolder(base);
    assert.is(statSync(next.directory).mode & 0o777, 0o700);
    assert.not.ok(existsSync(join(base, dead)));
    for (const { directory } of [living, next]) assert.ok(existsSync(directory));
    await living.remove();
    await next.remove();
    const left = [...others, 'schemac-read-model-young', 'schemac-read-model-link'];
    assert.equal(readdirSync(base).sort(), left.sort());
    assert.ok(existsSync(join(base, 'other/read-model.db')));
  }));

if ('missing' in database) test.skip(`a server without --data: ${database.missing}`, () => undefined);
else
  test('a server without --data has its read model on disk there, until it stops', () =>
    withTempFolder(async (base) => {
      const before = process.env['TMPDIR'];
      process.env['TMPDIR'] = base;
      try {
        const options = Object.entries({
          'durable.type': 'postgres',
          'durable.url': database.url,
          'durable.namespace': `folder_${process.pid}`,
          'read.engine': 'disk',
        }).map(([key, value]) => ({ key, value }));
        const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
        const choice = chooseStore([{ name: 'prod', options }], { base, environment: {} });
        const store = await openStore({ store: choice, log, version: '0.1.0' });
        const folders = (): readonly string[] =>
          readdirSync(base).filter((name) => name.startsWith('schemac-read-model-'));
        const [folder = '', ...more] = folders();
        assert.equal(more, []);
        assert.is(store.tables.in, 'disk');
        await until(() => existsSync(join(base, folder, 'read-model.db')));
        await store.close();
        assert.equal(folders(), []);
      } finally {
        if (before === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = before;
      }
    }));

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});

test.run();
