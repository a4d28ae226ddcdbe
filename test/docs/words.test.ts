import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';
import { anchorsOf } from './anchors.ts';
import { pages } from './pages.ts';
import { proseOfModule, proseOfPage, type Prose } from './prose.ts';
import { openings, quotations, turns, turnsOfComments } from './words.ts';

/** Files for users' projects, and expected generated files: their words are examples. */
const samples = /^(templates\/(project|starters|stock)|test\/.*\/(cases|generated))\//;

const modules = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.js'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !samples.test(path) && existsSync(join(root, path)));

const prose = [...modules.flatMap(proseOfModule), ...pages.flatMap(proseOfPage)];
const isListed = ({ path }: Prose): boolean => path === 'test/docs/words.ts';
const isTestData = ({ path, kind }: Prose): boolean => kind === 'message' && path.startsWith('test/');

type Phrases = typeof turns;
/** Each phrase in a text, with the plain word for it. */
function createFind(phrases: Phrases): (text: string) => readonly (readonly [found: string, instead: string])[] {
  const patterns = phrases.map(([pattern, instead]) => [new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead] as const);
  // Most texts have none of them, which a single look shows.
  const any = new RegExp(`\\b(?:${phrases.map(([pattern]) => `(?:${pattern})`).join('|')})\\b`, 'i');
  return (text) =>
    any.test(text)
      ? patterns.flatMap(([pattern, instead]) => [...text.matchAll(pattern)].map(([word]) => [word, instead] as const))
      : [];
}
const findTurns = createFind(turns);
const findTurnsOfComments = createFind([...turns, ...turnsOfComments]);
const firstWords = openings.map(([pattern, instead]) => [new RegExp(`^(?:${pattern})\\b`), instead] as const);

test('comments, messages and pages have plain words', () => {
  const found = prose.flatMap((piece) => {
    const { path, line, kind } = piece;
    if (isListed(piece) || isTestData(piece)) return [];
    const text = kind === 'comment' ? piece.text.replace(/`[^`\n]*`/g, '') : piece.text;
    const words = kind === 'comment' ? findTurnsOfComments(text) : findTurns(text);
    if (words.length === 0 || quotations.some(([of, part]) => of === path && text.includes(part))) return [];
    return words.map(([word, instead]) => `${path}:${line} '${word}': write ${instead}`);
  });
  assert.equal(found, []);
});

test('comments begin with a noun or a verb', () => {
  const found = prose.flatMap(({ path, line, kind, text }, index) => {
    if (kind !== 'comment') return [];
    // A line of `//` behind another continues its sentence.
    const before = prose[index - 1];
    const continues = before?.kind === 'comment' && before.path === path && before.line === line - 1;
    if (continues && text.startsWith('//') && before.text.startsWith('//')) return [];
    const words = text.replace(/^(?:\/\*\*?|\/\/)\s*/, '');
    return firstWords.flatMap(([pattern, instead]) => {
      const [word] = pattern.exec(words) ?? [];
      return word === undefined ? [] : [`${path}:${line} '${word} …': write ${instead}`];
    });
  });
  assert.equal(found, []);
});

test('a comment cites documents and headings that exist', () => {
  const lost = prose.flatMap(({ path, line, kind, text }) => {
    if (kind !== 'comment') return [];
    return [...text.matchAll(/(?<![\w/.-])((?:[\w.-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g)].flatMap(
      ([whole, page = '', anchor]) => {
        const at = [page, join(dirname(path), page)].find((candidate) => existsSync(join(root, candidate)));
        const holds = at !== undefined && (anchor === undefined || anchorsOf(readPage(at)).has(anchor));
        return holds ? [] : [`${path}:${line} ${whole}`];
      },
    );
  });
  assert.equal(lost, []);
});

function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

test('prose is comments, sentences in strings, and pages without samples', () => {
  const own = proseOfModule('test/docs/words.ts').map(({ kind, text }) => [kind, text]);
  assert.equal(own[0], ['message', 'the noun: the caller, the reader, any …']);
  assert.ok(own.some(([kind, text]) => kind === 'comment' && text?.includes('each with the plain word for it')));
  assert.equal(
    proseOfPage('docs/vocabulary.md').find(({ text }) => text.startsWith('| block')),
    {
      path: 'docs/vocabulary.md',
      line: 9,
      kind: 'page',
      text: '| block | a registered definition: aggregate, command, event, decision, projection, event store, template, enum, function, claim, subscription or reaction |',
    },
  );
});

test.run();
