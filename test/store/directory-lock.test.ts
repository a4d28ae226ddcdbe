/** Looking at the lock of a data directory changes nothing for the rest of the process. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lockDirectory } from '../../runtime/store/disk/directory-lock.ts';
import { freshFolder } from './fresh-folder.ts';

test('a module behind a symbolic link is found at its own place right after the lock was looked at', async () => {
  const folder = freshFolder();
  for (const name of ['data', 'package', 'linking']) mkdirSync(`${folder}/${name}`);
  writeFileSync(`${folder}/linking/known.cjs`, '');
  writeFileSync(`${folder}/package/index.cjs`, 'module.exports = __dirname;');
  symlinkSync(`${folder}/package`, `${folder}/linking/link`, 'dir');
  const require = createRequire(`${folder}/linking/index.cjs`);
  require('./known.cjs'); // now the loader knows that the folder is none
  const lock = await lockDirectory(`${folder}/data`);
  assert.is(lock.lost(), undefined);
  assert.is(require('./link/index.cjs'), `${folder}/package`);
  await lock.release();
});

test.run();
