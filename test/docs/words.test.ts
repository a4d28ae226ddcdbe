import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';
import { anchorsOf } from './anchors.ts';
import { pages } from './pages.ts';
import { proseOfModule, proseOfPage, type Prose } from './prose.ts';
import { quotations, turns } from './words.ts';

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

const patterns = turns.map(([pattern, instead]) => [new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead] as const);
/** Most texts have none of them, which one look tells. */
const anyTurn = new RegExp(`\\b(?:${turns.map(([pattern]) => `(?:${pattern})`).join('|')})\\b`, 'i');

test('comments, messages and pages have plain words', () => {
  const found = prose.flatMap((piece) => {
    if (isListed(piece) || isTestData(piece)) return [];
    const { path, line } = piece;
    const text = piece.kind === 'comment' ? piece.text.replace(/`[^`\n]*`/g, '') : piece.text;
    if (!anyTurn.test(text)) return [];
    if (quotations.some(([of, part]) => of === path && text.includes(part))) return [];
    return patterns.flatMap(([pattern, instead]) =>
      [...text.matchAll(pattern)].map(([word]) => `${path}:${line} '${word}': write ${instead}`),
    );
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
      text: '| block | a registered definition: aggregate, command, event, decision, projection, event store, template, subscription or reaction |',
    },
  );
});

test.run();
