/** A server that is killed while it delivers: every row arrives, and what was acknowledged does not come again. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { until } from '../kit/until.ts';
import { watchOutput, type WatchedOutput } from '../kit/watch-output.ts';
import { startReceiver, type CloudEvent } from './receiver.ts';
import { firstRow } from '../kit/first-row.ts';

const events = 60;
const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION Putting FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
CREATE SUBSCRIPTION Boxes AS SELECT data.n FROM Reg."Box$Events" DELIVER TO WEBHOOK ENV('URL') SECRET ENV('SECRET');
`;

test(`${events} rows and a kill between`, () =>
  withTempFolder(async (folder) => {
    const receiver = await startReceiver();
    const push = { allowedHosts: [`127.0.0.1:${receiver.port}`] };
    writeFiles(folder, { 'schema/box.schema': schema, 'schemac.config.json': JSON.stringify({ push }) });
    const environment = {
      URL: receiver.url('/box'),
      SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    };
    let running: WatchedOutput | undefined;
    const start = async (): Promise<string> => {
      running = watchOutput(startTool(['start', '--port', '0', '--data', 'data'], { cwd: folder, environment }));
      return /http:\S+(?=,)/.exec(await running.until(', data '))?.[0] ?? '';
    };
    try {
      assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
      const lines = Array.from({ length: events }, (_, n) => `${JSON.stringify({ box_id: `b${n % 4}`, n })}\n`);
      writeFiles(folder, { 'rows.jsonl': lines.join('') });
      // Half of the rows are answered, then none.
      receiver.answer('/box', (_, response) => {
        if (receiver.at('/box').length <= events / 2) response.writeHead(204).end();
      });
      const url = await start();
      const sent = await runToolHere(['execute', 'Put', '--from', 'rows.jsonl', '--url', url], { cwd: folder });
      assert.is(sent.status, 0, sent.stderr);
      await until(() => receiver.at('/box').length > events / 2);
      const acknowledged = async (): Promise<number> =>
        Number((await firstRow(`${url}/api/subscriptions/Boxes`))['acknowledged']);
      await until(async () => (await acknowledged()) > 0);
      const before = await acknowledged();
      await running?.stop('SIGKILL');
      const atKill = receiver.at('/box').length;

      receiver.answer('/box', (_, response) => void response.writeHead(204).end());
      await start();
      const seen = (): readonly CloudEvent[] => receiver.at('/box').map(({ body }) => JSON.parse(body) as CloudEvent);
      await until(() => new Set(seen().map(({ id }) => id)).size === events);
      await running?.stop();
      const again = seen().slice(atKill);
      assert.ok(again.every(({ sequence }) => Number(sequence) > before));
      const latest = new Map<string, number>();
      for (const { subject, sequence } of again) {
        assert.ok(Number(sequence) > (latest.get(subject) ?? 0), `${subject} is out of order`);
        latest.set(subject, Number(sequence));
      }
    } finally {
      await running?.stop('SIGKILL');
      await receiver.stop();
    }
  }));

test.run();
