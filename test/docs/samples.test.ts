import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { placeOf } from '../../compiler/index.ts';
import { openSession } from '../../server/session/open-session.ts';
import type { OpenSession } from '../../server/session/open-session.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { followedFile, samplesOf, type Sample } from './samples.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...docs.map((name) => `docs/${name}`)].filter((path) => existsSync(join(root, path)));

/** Runs a sample as the page says: every statement succeeds, or the first problem has the code of its mark. */
async function run(session: OpenSession, sample: Sample, path: string): Promise<void> {
  const problems: string[] = [];
  for await (const outcome of session.run({ name: path, text: sample.text }))
    if (outcome.kind === 'error')
      for (const { code, message, span } of outcome.problems)
        problems.push(`line ${placeOf(span.file, span.start).line + sample.line - 1}: ${code} ${message}`);
  if (sample.error === undefined) assert.equal(problems, []);
  else {
    const first = problems[0] ?? `line ${sample.line}: no error`;
    assert.match(first, new RegExp(`^line [0-9]+: ${sample.error} `), `${first}, not ${sample.error}`);
  }
}

/** Like the prompt, a sample may have an aggregate before its events. */
function sessionOn(store: Store, folder: string): Promise<OpenSession> {
  return openSession({
    store,
    version: '0.0.0',
    lenientPayload: true,
    locate: (_stores, name) => ({ kind: 'directory', directory: join(folder, name) }),
  });
}

async function runAll(session: OpenSession, samples: readonly Sample[], path: string): Promise<void> {
  try {
    for (const sample of samples) await run(session, sample, path);
  } finally {
    await session.close();
  }
}

for (const path of pages) {
  test(`the samples of ${path} run as shown`, () =>
    withTempFolder(async (folder) => {
      const page = readFileSync(join(root, path), 'utf8');
      const followed = followedFile(page);
      const before = followed === undefined ? [] : [{ text: readFileSync(join(root, followed), 'utf8'), line: 1 }];
      const samples = [...before, ...samplesOf(page)];
      const named = samples.findIndex(({ text }) => /\bEVENTSTORE prod\b/.test(text));
      // The event store `prod` of a page has the state that the page has built before.
      if (named >= 0) {
        const prod = await openEmbeddedStore({ directory: join(folder, 'prod'), readModel: 'inline' });
        // Its clock is that of the system.
        const building = samples
          .slice(0, named)
          .map((sample) => ({ ...sample, text: sample.text.replace(/^ADVANCE CLOCK .*;$/gm, '') }));
        await runAll(await sessionOn(prod, folder), building, path);
      }
      await runAll(await sessionOn(await openMemoryStore(), folder), samples, path);
    }));
}

test('the samples of a page are read', () => {
  const page =
    'text\n```schema\nA\n\nB\n```\n```sh\nnpm ci\n```\n```sql error E0203\nC\n```\n```sql file=d.schema\nD\n```\n';
  assert.equal(samplesOf(page), [
    { text: 'A\n\nB', line: 3 },
    { text: 'C', line: 11, error: 'E0203' },
  ]);
  assert.throws(() => samplesOf('```sql wrong\n```\n'), /'wrong' is no mark/);
  assert.throws(() => samplesOf('```sql\n'), /no end/);
});

test.run();
