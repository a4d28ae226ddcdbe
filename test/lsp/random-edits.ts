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
  '\ufeff',
  '\0',
  '-- c',
  '--- doc\n',
  'WHERE ',
  'CASE ',
  'END TEMPLATE',
  'SELECT ',
  'CREATE EVENT ',
  'Reg.',
  'x',
  '0',
];

/**
 * Makes an edit: cut, paste from elsewhere, half a statement, a whole one again elsewhere, a lost `;`, a sign, a lone half of a character,
 * or closing and opening again.
 */
export function editRandomly(client: Client, uri: string, chance: Chance, original: string): void {
  const text = client.textOf(uri);
  const at = chance.below(text.length + 1);
  const length = chance.below(40);
  switch (chance.below(8)) {
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
    case 4: {
      const [from, to] = [text.lastIndexOf(';', at) + 1, text.indexOf(';', at) + 1];
      const place = text.indexOf(';', chance.below(text.length + 1)) + 1;
      client.edit(uri, place, place, text.slice(from, to));
      return;
    }
    case 5: {
      const end = text.indexOf(';', at);
      if (end >= 0) client.edit(uri, end, end + 1, '');
      return;
    }
    default:
      client.edit(uri, at, at, pieces[chance.below(pieces.length)] ?? '');
  }
}
