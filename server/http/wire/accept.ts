/** CSV without cells that a spreadsheet runs (docs/http.md#forms-of-an-answer): the only offer with a parameter. */
export const safeCsv = 'text/csv;csv=safe';

/** A range of an `Accept` or `Accept-Encoding` header, with its weight from 0 to 1. */
interface Range {
  readonly value: string;
  readonly weight: number;
}

/** The ranges of a header in order. Unreadable ranges are ignored; an unreadable weight counts as 1. */
export function parseRanges(header: string): readonly Range[] {
  return header.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (type === '') return [];
    // Another value of this parameter names no form: who mistypes it does not get cells that a spreadsheet runs.
    const csv = type === 'text/csv' ? parameters.find((parameter) => parameter.startsWith('csv=')) : undefined;
    const value = csv === undefined ? type : `${type};${csv}`;
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = q !== undefined && /^(0(\.\d*)?|1(\.0*)?)$/.test(q) ? Number(q) : 1;
    return [{ value, weight }];
  });
}

/**
 * The offer that a caller prefers: the highest weight, then the most exact range, then the first offer. The most exact range that names an
 * offer decides its weight. An offer of `onlyInFull` is named by no wildcard. Undefined when all are refused or none is named.
 */
export function preferred(
  header: string | undefined,
  offers: readonly string[],
  onlyInFull: readonly string[] = [],
): string | undefined {
  if (header === undefined || header.trim() === '') return offers[0];
  const ranges = parseRanges(header);
  const rated = offers.flatMap((offer) => {
    const least = onlyInFull.includes(offer) ? inFull : 1;
    const named = ranges
      .map((range) => ({ exactness: exactness(range.value, offer), weight: range.weight }))
      .filter((candidate) => candidate.exactness >= least)
      .sort((one, other) => other.exactness - one.exactness)[0];
    return named === undefined || named.weight === 0 ? [] : [{ offer, ...named }];
  });
  // The sort is stable, so that equal wishes leave the order of the offers.
  rated.sort((one, other) => other.weight - one.weight || other.exactness - one.exactness);
  return rated[0]?.offer;
}

const inFull = 3;

/** 3: named in full; 2: `type/*`; 1: `*` or `*` + `/*`; 0: not named. */
function exactness(range: string, offer: string): number {
  if (range === offer) return inFull;
  if (range === '*/*' || range === '*') return 1;
  return range.endsWith('/*') && offer.startsWith(range.slice(0, -1)) ? 2 : 0;
}
