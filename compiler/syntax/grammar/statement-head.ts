import { blockKeywords, kindsKeywords } from '../../../language/contract/block-kind.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Span } from '../../../language/source/span.ts';
import { foreignKinds, foreignStatements, insteadOf } from '../habits/names.ts';
import type { Token } from '../tokens/token.ts';
import { isWord, shortened } from '../tokens/token-text.ts';

const kinds: readonly string[] = blockKeywords;
const plurals = [...kindsKeywords, 'INSPECTIONS'];

/** First words of statements in other dialects, and here before CALLER. */
const settings: readonly string[] = ['SET', 'RESET'];

/** First words of statements, and for kinds of blocks the words that may follow. */
const heads: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ['CREATE', [...kinds, 'TABLE']],
  ['DROP', [...kinds, 'TABLE']],
  ['DESCRIBE', [...kinds, 'INSPECTION', ...plurals]],
  ...['APPLY', 'USE', 'EXECUTE', 'SELECT', 'WITH', 'VALUES', 'INSPECT', 'VALIDATE', 'EXPLAIN', 'EXPORT', 'ADVANCE'].map(
    (word): [string, undefined] => [word, undefined],
  ),
]);

/**
 * Whether a statement with errors was meant to create a block: its first words say so, correctly or misspelt, or it ends before them. Text
 * that does not begin with a word is not another statement either.
 */
export function startsBlock(tokens: readonly Token[]): boolean {
  const words = tokens.slice(0, 4).map((token) => (isWord(token) ? token.image.toUpperCase() : undefined));
  const [word] = words;
  if (word === undefined) return true;
  if (heads.has(word) || foreignStatements.has(word)) {
    if (word !== 'CREATE') return false;
  } else if (!nearestNames(word, heads.keys()).includes('CREATE')) return false;
  const kind = words[words[1] === 'OR' ? 3 : 1];
  return kind === undefined || kinds.includes(kind) || (kind !== 'TABLE' && nearestNames(kind, kinds).length > 0);
}

/** A diagnostic for a statement with misspelt or foreign first words, which is better than "unexpected text". */
export function checkHead(tokens: readonly Token[], spanOf: (token: Token) => Span): Diagnostic | undefined {
  const first = tokens[0];
  if (first === undefined || !isWord(first)) return undefined;
  const word = first.image.toUpperCase();
  const [, next] = tokens;
  const isSetting = settings.includes(word) && next?.image.toUpperCase() === 'CALLER';
  if (!heads.has(word) && !isSetting) {
    const instead = insteadOf(foreignStatements, word);
    const nearest = instead === undefined ? nearestNames(word, heads.keys()) : [];
    const hint = instead === undefined ? {} : { instead };
    return diagnose('E0102', spanOf(first), { word: shortened(first.image), nearest, ...hint });
  }
  const allowed = heads.get(word);
  const replaces = tokens[1]?.image.toUpperCase() === 'OR' && tokens[2]?.image.toUpperCase() === 'REPLACE';
  const second = tokens[replaces ? 3 : 1];
  if (allowed === undefined || second === undefined || !isWord(second)) return undefined;
  const kind = second.image.toUpperCase();
  const known = replaces ? kinds : allowed;
  if (known.includes(kind) || (kind === 'OR' && !replaces)) return undefined;
  if (word === 'DESCRIBE' && tokens.length === 2) return undefined; // a name without its kind
  const statement = replaces ? `${word} OR REPLACE` : word;
  const singular = known.filter((each) => !plurals.includes(each));
  const instead = insteadOf(foreignKinds, kind);
  const nearest = instead === undefined ? nearestNames(kind, known) : [];
  const hint = instead === undefined ? {} : { instead };
  const parameters = { statement, word: shortened(second.image), nearest, known: singular, ...hint };
  return diagnose('E0103', spanOf(second), parameters);
}
