import * as fc from 'fast-check';

/** A small mistake: a token omitted, doubled, replaced by another, or followed by another. */
export interface Slip {
  readonly place: number;
  readonly what: 'drop' | 'double' | 'replace' | 'insert';
  readonly word: string;
}

/** Mistakes in a text, made from its words, and the text with some of them. */
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
