import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createHeads } from '../../runtime/store/turns/heads.ts';

test('a head keeps the name of its stream, not the body that named it', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heads = createHeads(1);
  const streams = Array.from({ length: 1000 }, (_, number) => `a stream with a long name ${number}`);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const stream of streams) {
    const body = Buffer.from(`{"stream":"${stream}","text":"${'x'.repeat(50_000)}"}`).toString();
    heads.set('Letter', body.slice(11, 11 + stream.length), 1);
  }
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 5_000_000, `${grown} bytes for 1,000 heads, whose bodies were 50,000,000`);
  assert.ok(streams.every((stream) => heads.get('Letter', stream) === 1));
});

test.run();
