import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { startTool } from '../kit/tool.ts';
import { watchOutput } from '../kit/watch-output.ts';
import { findChromium } from './chromium.ts';
import { withScriptPage } from './script-page.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
`;
const page = readFileSync(new URL('./dev-page.js', import.meta.url), 'utf8');

const chromium = findChromium();
if (chromium === undefined) {
  console.log('skipped: there is no Chromium on this machine to call dev from');
  test.skip('a page of another port of this machine calls dev', () => undefined);
} else {
  test('a page of another port of this machine calls dev', () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, { 'schema/box.schema': schema });
      const output = watchOutput(startTool(['dev', 'schema', '--port', '0'], { cwd: folder }));
      try {
        const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
        const script = page.replaceAll('baseUrl', JSON.stringify(url));
        const told = await withScriptPage(chromium, ({ run }) => run(script));
        assert.equal(told, {
          outcome: [{ event_type: 'Added', stream_id: 'b', seq: 1, status: 'success', fields: '{"n":2}' }],
          seq: '"1"',
          hasRequestId: true,
          replayed: 'true',
          all: ['b', 'c'],
          filtered: ['c'],
        });
      } finally {
        await output.stop('SIGKILL');
      }
    }));
}

test.run();
