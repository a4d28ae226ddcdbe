/**
 * Searches in time linear in both lengths: `indexOf` of the platform takes their product for some texts, and a caller may choose both. Texts are
 * sound, so no occurrence begins or ends inside a pair of surrogates.
 */

/** The characters or units of a text as numbers. */
type Codes = ArrayLike<number>;

/** The place of the first occurrence at or after `from`, -1 when there is none. */
export type Find = (text: Codes, from: number) => number;

/** So short a needle costs little even where all of it is compared at each place. */
const shortNeedle = 32;

/** `needle` is not empty. */
export function createFind(needle: Codes): Find {
  return needle.length <= shortNeedle ? findAtEach(needle) : findByBorders(needle);
}

function findAtEach(needle: Codes): Find {
  return (text, from) => {
    for (let at = from; at + needle.length <= text.length; at++) {
      let matched = 0;
      while (matched < needle.length && text[at + matched] === needle[matched]) matched++;
      if (matched === needle.length) return at;
    }
    return -1;
  };
}

/** The method of Knuth, Morris and Pratt. */
function findByBorders(needle: Codes): Find {
  let borders: Int32Array | undefined;
  return (text, from) => {
    borders ??= bordersOf(needle);
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const code = text[at];
      while (matched > 0 && code !== needle[matched]) matched = borders[matched] ?? 0;
      if (code === needle[matched]) matched++;
      if (matched === needle.length) return at + 1 - matched;
    }
    return -1;
  };
}

/** For each length of a beginning of the needle the longest shorter beginning that it ends with. */
function bordersOf(needle: Codes): Int32Array {
  const borders = new Int32Array(needle.length + 1);
  let border = 0;
  for (let at = 1; at < needle.length; at++) {
    while (border > 0 && needle[at] !== needle[border]) border = borders[border] ?? 0;
    if (needle[at] === needle[border]) border++;
    borders[at + 1] = border;
  }
  return borders;
}

/** The places of the occurrences that do not overlap, from the start, at most `most`. `needle` is not empty. */
export function placesOf(needle: string, text: string, most = Infinity): readonly number[] {
  const isShort = needle.length <= shortNeedle;
  const units = isShort ? [] : unitsOf(text);
  const find = createFind(isShort ? [] : unitsOf(needle));
  // The platform's search is the fastest for a short needle.
  const next = (from: number): number => (isShort ? text.indexOf(needle, from) : find(units, from));
  const places: number[] = [];
  for (let at = next(0); at >= 0 && places.length < most; at = next(at + needle.length)) places.push(at);
  return places;
}

/** The parts of a text between the occurrences of a needle, which is not empty. */
export function splitAt(needle: string, text: string): readonly string[] {
  if (needle.length <= shortNeedle) return text.split(needle);
  const places = placesOf(needle, text);
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place));
    from = place + needle.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
