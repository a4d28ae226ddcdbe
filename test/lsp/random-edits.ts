/** Random edits of a text, as hands and pastes make them. */
import type { Chance } from '../crash/chance.ts';
import type { Client } from './client.ts';

const pieces = [
  "'",
  '"',
  ';',
  '(',
  ')',
  ',',
  '--',
  '/*',
  '*/',
  ':',
  '.',
  '{{',
  '\ud83d',
  '\udc00',
  '😀',
  '\r\n',
  '\n',
  ' ',
  'SELECT ',
  'CREATE EVENT ',
  'Reg.',
  'x',
  '0',
];

/** One edit: cut, paste from elsewhere, half a statement, a sign, a lone half of a character, or closing and opening again. */
export function editRandomly(client: Client, uri: string, chance: Chance, original: string): void {
  const text = client.textOf(uri);
  const at = chance.below(text.length + 1);
  const length = chance.below(40);
  switch (chance.below(6)) {
    case 0:
      client.edit(uri, at, Math.min(text.length, at + length), '');
      return;
    case 1: {
      const from = chance.below(original.length);
      client.edit(uri, at, at, original.slice(from, from + length * 3));
      return;
    }
    case 2: {
      const end = text.indexOf(';', at);
      client.edit(uri, at, end < 0 ? text.length : end, '');
      return;
    }
    case 3:
      client.close(uri);
      client.open(uri, text.length > 3 * original.length ? original : text);
      return;
    default:
      client.edit(uri, at, at, pieces[chance.below(pieces.length)] ?? '');
  }
}
