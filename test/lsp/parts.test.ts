import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pathOfUri, uriOfPath, type Platform } from '../../cli/lsp/file-uri.ts';
import { minimalEdits } from '../../cli/lsp/minimal-edits.ts';
import { offsetOf } from '../../cli/lsp/positions.ts';
import { createChance } from '../crash/chance.ts';

/** The last is the form that we write; undefined where it is the given one. */
const uris: readonly (readonly [platform: Platform, uri: string, path: string | undefined, ours?: string])[] = [
  ['posix', 'file:///home/a/b.schema', '/home/a/b.schema'],
  ['posix', 'file:///home/a%20b/%C3%A9.schema', '/home/a b/é.schema'],
  ['posix', 'file:///a/../b.schema', '/b.schema', 'file:///b.schema'],
  ['posix', 'file:///a%3Ab.schema', '/a:b.schema'],
  ['posix', 'untitled:Untitled-1', undefined],
  ['posix', 'git:/a.schema', undefined],
  ['posix', 'file:///%FF', undefined],
  ['windows', 'file:///c%3A/Users/a/b.schema', 'C:\\Users\\a\\b.schema'],
  ['windows', 'file:///C:/Users/a/b.schema', 'C:\\Users\\a\\b.schema', 'file:///c%3A/Users/a/b.schema'],
  ['windows', 'file:///c%3A', 'C:\\', 'file:///c%3A/'],
  ['windows', 'file://server/share/b.schema', '\\\\server\\share\\b.schema'],
];
for (const [platform, uri, path, ours = uri] of uris)
  test(`on ${platform}: ${uri}`, () => {
    assert.is(pathOfUri(uri, platform), path);
    if (path !== undefined) assert.is(uriOfPath(path, platform), ours);
  });

const edits: readonly (readonly [from: string, to: string, changes: number])[] = [
  ['', '', 0],
  ['a\nb\n', 'a\nb\n', 0],
  ['', 'a\n', 1],
  ['a\n', '', 1],
  ['a\nb\nc\n', 'a\nB\nc\n', 1],
  ['a\nb\nc\nd\ne\n', 'a\nB\nc\nD\ne\n', 2],
  ['a\nb\nc', 'b\nc\n', 2],
  ['x\nb\ny\n', 'b\n', 2],
];
for (const [from, to, changes] of edits)
  test(`edits from ${JSON.stringify(from)} to ${JSON.stringify(to)}`, () => {
    const found = minimalEdits(from, to);
    assert.equal([applied(from, found), found.length], [to, changes]);
  });

function applied(from: string, found: ReturnType<typeof minimalEdits>): string {
  return found
    .toReversed()
    .reduce((text, { start, end, text: made }) => text.slice(0, start) + made + text.slice(end), from);
}

test('edits between random texts give the second', () => {
  const chance = createChance(7);
  for (let run = 0; run < 300; run++) {
    const text = (): string => Array.from({ length: chance.below(8) }, () => 'ab\n'.charAt(chance.below(3))).join('');
    const [from, to] = [text(), text()];
    assert.is(applied(from, minimalEdits(from, to)), to);
  }
});

/** A position behind the end of a line is its end; between the units of a character it is before it. */
const places: readonly (readonly [line: number, character: number, offset: number])[] = [
  [0, 0, 0],
  [0, 1, 1],
  [0, 2, 1],
  [0, 3, 3],
  [0, 99, 4],
  [1, 0, 6],
  [1, 99, 7],
  [9, 0, 8],
];
for (const [line, character, offset] of places)
  test(`line ${line}, character ${character}`, () =>
    assert.is(offsetOf({ name: 'a', text: 'a😀b\r\nc\n' }, { line, character }), offset));

test.run();
