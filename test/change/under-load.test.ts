import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder } from '../kit/temp-folder.ts';
import { build, start } from './served.ts';
import { load, lost, postChanges } from './under-load.ts';

test('schema posted under load is served at once, and no request fails or is lost', () =>
  withTempFolder(async (folder) => {
    await build(folder);
    const { url, output } = await start(folder);
    try {
      const milliseconds = 3000;
      const [{ failures, acknowledged }, changed] = await Promise.all([
        load(url, { clients: 8, milliseconds, rate: 400 }),
        postChanges(url, 12, milliseconds),
      ]);
      assert.equal([...failures, ...changed], []);
      assert.ok(acknowledged.length > 0);
      assert.equal(await lost(url, 0, acknowledged), []);
      assert.is(await output.stop(), 0);
    } finally {
      await output.stop('SIGKILL');
    }
  }));

test.run();
