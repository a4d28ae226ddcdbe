import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';
import { follow } from './follow.ts';
import { pages } from './pages.ts';
import { appearsAs, walkthroughOf } from './walkthrough.ts';

/** `SCHEMAC_UPDATE=1` writes what appeared into the page, to be read before it is kept. */
const update = process.env['SCHEMAC_UPDATE'] === '1';

function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}

for (const path of pages.filter((page) => page.startsWith('README') || page.startsWith('docs/'))) {
  const page = readFileSync(join(root, path), 'utf8');
  const walkthrough = walkthroughOf(page);
  if (walkthrough.steps.every((step) => step.kind === 'file' || step.kind === 'stop')) continue;
  // Pages are followed with what their readers have; where it is missing, nothing can be said of them.
  const run = page.includes('$ curl') && !has('curl') ? test.skip : test;
  run(`${path} can be followed`, async () => {
    const surprises = await follow(walkthrough);
    if (update) writeFileSync(join(root, path), withOutputs(page, surprises));
    else
      for (const { command, actual } of surprises)
        assert.fixture(actual, command.output, `${path}, line ${command.from}: ${command.text}`);
  });
}

/** The page with what appeared. */
function withOutputs(page: string, surprises: Awaited<ReturnType<typeof follow>>): string {
  const lines = page.split('\n');
  for (const { command, actual } of [...surprises].reverse()) {
    const prompted = lines.slice(command.from, command.to).filter((line) => /^(schemac| {6}-)> /.test(line));
    lines.splice(command.from, command.to - command.from, ...prompted, ...actual.split('\n').slice(0, -1));
  }
  return lines.join('\n');
}

test('a page tells its steps', () => {
  const page = `<!-- in a clone: examples/a -->
\`\`\`sql file=a/b.schema
A

B
\`\`\`
\`\`\`sh
$ not typed
\`\`\`
\`\`\`console server
$ serve \\
  --all
on …
\`\`\`
\`\`\`console soon
$ one
$ two
schemac> a
      -> b
seen
\`\`\`
<!-- stop the server -->
`;
  const serve = { text: 'serve \\\n  --all', input: undefined, from: 12, to: 13, output: 'on …\n' };
  const one = { text: 'one', input: undefined, from: 16, to: 16, output: '' };
  const two = { text: 'two', input: 'a\nb\n', from: 17, to: 20, output: 'seen\n' };
  assert.equal(walkthroughOf(page), {
    folders: ['examples/a'],
    steps: [
      { kind: 'file', path: 'a/b.schema', text: 'A\n\nB\n' },
      { kind: 'serve', command: serve },
      { kind: 'type', commands: [one, two], soon: true },
      { kind: 'stop' },
    ],
  });
});

for (const [name, page, message] of [
  ['no end', '```console\n$ a\n', 'line 1: this fence has no end'],
  ['an unknown mark', '```console later\n$ a\n```\n', "line 1: 'later' is no mark of a console"],
  ['two servers at once', '```console server\n$ a\n$ b\n```\n', "line 1: 'server' is no mark of a console"],
  ['output of nothing', '```console\na\n```\n', 'line 2: this appears before anything is typed'],
  ['nothing', '```console\n```\n', 'line 1: nothing is typed here'],
] as const)
  test(`a page is refused: ${name}`, () =>
    assert.throws(
      () => walkthroughOf(page),
      (error: Error) => error.message === message,
    ));

for (const [actual, expected, same] of [
  ['a.b\n', 'a.b\n', true],
  ['axb\n', 'a.b\n', false],
  ['at 12:30, 7 ms\n', 'at …, … ms\n', true],
  ['at 12:30\nand 7 ms\n', 'at … ms\n', false],
  ['a\n1\n2\nb\n', 'a\n…\nb\n', true],
  ['a\nb\n', 'a\n…\nb\n', true],
  ['a\nc\nd\n', 'a\n…\nb\n', false],
  ['a\n', '', false],
] as const)
  test(`${JSON.stringify(actual)} ${same ? 'appears' : 'does not appear'} as ${JSON.stringify(expected)}`, () =>
    assert.is(appearsAs(actual, expected), same));

test.run();
