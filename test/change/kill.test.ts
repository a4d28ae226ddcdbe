import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as wait } from 'node:timers/promises';
import { withTempFolder } from '../kit/temp-folder.ts';
import { build, change, get, start } from './served.ts';
import { load, lost, newCommand } from './under-load.ts';

const kills = Number(process.env['SCHEMAC_CHANGE_KILLS'] ?? 4);

test(`a server killed ${kills} times during changes has the whole old or new registry, and every acknowledged event`, () =>
  withTempFolder(async (folder) => {
    await build(folder);
    const acknowledged: string[] = [];
    let next = 0;
    let accepted = 0;
    for (let kill = 0; kill < kills; kill++) {
      const { url, output } = await start(folder);
      const names = await commands(url);
      const known = names.length - 1; // Put
      assert.ok(known === accepted || known === next, `${accepted} were accepted, ${next} posted, ${known} are there`);
      assert.equal(await lost(url, 0, acknowledged), []);
      accepted = next = known;
      const working = ignoringTheEnd(async () => {
        for (;;) {
          const posted = change(url, newCommand(next));
          next += 1;
          assert.is((await posted).status, 201);
          accepted = next;
        }
      });
      const running = [
        working,
        ...Array.from({ length: 4 }, () => ignoringTheEnd(() => commandsUntilKilled(url, acknowledged))),
      ];
      await wait(20 + Math.random() * 400);
      await output.stop('SIGKILL');
      await Promise.all(running);
    }
  }));

/** Names of commands; each exists only together with its decision and its event. */
async function commands(url: string): Promise<readonly string[]> {
  const [all, decisions, events] = await Promise.all(
    ['commands', 'decisions', 'events'].map(
      async (group) => (await get(url, `/api/reg/${group}`)).body as readonly unknown[],
    ),
  );
  assert.is(decisions?.length, all?.length);
  assert.is(events?.length, all?.length);
  return (all ?? []).map((row) => JSON.stringify(row));
}

async function commandsUntilKilled(url: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    const result = await load(url, { clients: 1, milliseconds: 0.1 });
    assert.equal(result.failures, []);
    acknowledged.push(...result.acknowledged);
  }
}

/** A connection that breaks when the server is killed is no error. */
async function ignoringTheEnd(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the error of `fetch`
  }
}

test.run();
