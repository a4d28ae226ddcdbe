/** A subscription whose state outside the log is lost continues from the place in the log. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { serveHere } from '../kit/served-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const schema = `CREATE AGGREGATE Shop; CREATE COMMAND Sell (shop STRING, item STRING); CREATE EVENT Sold (item STRING);
CREATE DECISION SellIt FOR Shop ON COMMAND Sell EMIT AS SELECT EVENT Sold (item := :item);
CREATE SUBSCRIPTION Sales AS SELECT data.item FROM Reg."Shop$Events";`;

interface Handed {
  readonly lease: string | null;
  readonly rows: readonly { readonly position: number; readonly item: string }[];
}

test('where the file of places is lost, and in a copy of the log', () =>
  withTempFolder(async (cwd) => {
    writeFiles(cwd, { 'a.schema': schema });
    assert.is((await runToolHere(['build', 'a.schema', '--out', 'generated'], { cwd })).status, 0);
    const served = async (data: string, work: (post: Post) => Promise<void>): Promise<void> => {
      const server = await serveHere(['generated', '--data', data], { cwd });
      try {
        await work(async (path, body) => {
          const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
          const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
          assert.is(answer.status, 200, path);
          return answer.json();
        });
      } finally {
        assert.is(await server.stop(), 0);
      }
    };
    type Post = (path: string, body: object) => Promise<unknown>;
    const next = async (post: Post, max: number): Promise<Handed> =>
      (await post('/api/subscriptions/Sales/next', { max, wait_seconds: 0 })) as Handed;
    const itemsAfter = async (data: string): Promise<readonly string[]> => {
      let items: readonly string[] = [];
      await served(data, async (post) => {
        items = (await next(post, 10)).rows.map(({ item }) => item);
      });
      return items;
    };
    const lose = (): void => rmSync(join(cwd, 'data/subscriptions.log'));

    await served('data', async (post) => {
      for (const item of ['a', 'b', 'c']) await post('/api/aggregates/Shop/execute/Sell', { shop: 's', item });
      const { lease } = await next(post, 2);
      await post('/api/subscriptions/Sales/ack', { lease });
    });
    lose();
    assert.equal(await itemsAfter('data'), ['c']);

    const words = ['log', 'export', 'all.jsonl', '--data', 'data'];
    assert.is((await runToolHere(words, { cwd })).status, 0);
    assert.is((await runToolHere(['log', 'import', 'all.jsonl', '--data', 'copy'], { cwd })).status, 0);
    assert.equal(await itemsAfter('copy'), ['c']);

    // The last place counts, also one that an operator has set back.
    await served('data', async (post) => {
      await post('/api/subscriptions/Sales/reset', { position: 1 });
    });
    lose();
    assert.equal(await itemsAfter('data'), ['b', 'c']);
  }));

test.run();
