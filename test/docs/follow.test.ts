import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { holdPage } from './hold-page.ts';
import { pages } from './pages.ts';
import { appearsAs, walkthroughOf } from './walkthrough.ts';

for (const path of pages.filter((page) => page.startsWith('README') || page.startsWith('docs/'))) holdPage(path);

test('the steps of a page are read', () => {
  const page = `In a clone of the repository, which has \`examples/a\`:
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
Stop the server with Ctrl-C.
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
  [
    'an invisible instruction',
    '<!-- stop the server -->\n',
    "line 1: a reader does not see '<!-- stop the server -->'; write it as text",
  ],
  [
    'a server while another one has the port',
    '```console server\n$ a\n```\n```console server\n$ b\n```\n',
    "line 4: the server of line 1 has the port; write 'Stop the server' before",
  ],
  ['an end of no server', 'Stop the server.\n', 'line 1: no server runs here'],
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
