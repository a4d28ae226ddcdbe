import * as fc from 'fast-check';

/** A slip of the pen: a token left out, doubled, replaced by another, or followed by another. */
export interface Slip {
  readonly place: number;
  readonly what: 'drop' | 'double' | 'replace' | 'insert';
  readonly word: string;
}

/** Slips of a text, whose words they are made of, and the text with some of them made. */
export function slipsOf(text: string): {
  readonly slip: fc.Arbitrary<Slip>;
  readonly withSlips: (slips: readonly Slip[]) => string;
} {
  const tokens = text.match(/--[^\n]*|'[^']*'|"[^"]*"|[A-Za-z_$][\w$]*|\d[\d.]*|[:<>=|]+|\s+|./g) ?? [];
  const places = tokens.flatMap((token, index) => (token.trim() === '' || token.startsWith('--') ? [] : [index]));
  const words = places.map((index) => tokens[index] ?? '');
  return {
    slip: fc.record({
      place: fc.nat(places.length - 1),
      what: fc.constantFrom('drop', 'double', 'replace', 'insert'),
      word: fc.constantFrom(...words),
    }),
    withSlips: (slips) => {
      const changed = [...tokens];
      for (const { place, what, word } of slips) {
        const index = places[place] ?? 0;
        const token = changed[index] ?? '';
        changed[index] = { drop: '', double: `${token} ${token}`, replace: word, insert: `${token} ${word}` }[what];
      }
      return changed.join('');
    },
  };
}
