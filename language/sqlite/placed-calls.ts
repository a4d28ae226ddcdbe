/**
 * Places in the text of a query, at the calls that its expressions are printed as: in a comment, which SQLite does not read. A query that failed
 * is run once more with calls that note their place.
 */
import { sqliteFunctions, withArity, type SqliteFunction } from './functions.ts';

/** From one character of the text to another. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** The SQL of an expression with its place at each call that has none yet: that of a part is the place of the part. */
export function withPlace(sql: string, { start, end }: TextPlace): string {
  return sql.includes('schemac_')
    ? sql.replace(calls, (found, name?: string) => (name === undefined ? found : `${name}/*${start}:${end}*/(`))
    : sql;
}

/** Texts and names of a caller are skipped. */
const calls = /'[^']*'|"[^"]*"|(schemac_\w+)\(/g;
const placedCalls = /'[^']*'|"[^"]*"|(schemac_\w+)\/\*(\d+:\d+)\*\/\(/g;

const functions = new Map(sqliteFunctions.map((each) => [each.name, each]));

/** The SQL with calls that note where they fail; the same text if no call has a place. */
export function withNotes(sql: string): string {
  return sql.replace(placedCalls, (found, name: string | undefined, place: string) => {
    const arity = functions.get(name ?? '')?.arity;
    if (name === undefined || arity === undefined) return found;
    return `${noting(arity)}('${name}', '${place}'${arity === 0 ? '' : ', '}`;
  });
}

function noting(arity: number): string {
  return `schemac_noting_${arity}`;
}

let noted: TextPlace | undefined;

/** The place of the last call that failed, of the statement that runs: one at a time, in one thread. */
export const notedPlace = {
  clear: (): void => {
    noted = undefined;
  },
  get: (): TextPlace | undefined => noted,
};

/** Functions that call another one, by its name, and note the place of the call if it fails. */
export const notingFunctions: readonly SqliteFunction[] = [...new Set(sqliteFunctions.map(({ arity }) => arity))].map(
  (own) => ({
    name: noting(own),
    arity: own + 2,
    call: withArity(own + 2, ([name, place, ...given]) => {
      const called = functions.get(String(name));
      if (called === undefined) throw new Error(`there is no function ${String(name)}`);
      try {
        return called.call(...given);
      } catch (error) {
        const [start = 0, end = 0] = String(place).split(':').map(Number);
        noted = { start, end };
        throw error;
      }
    }),
  }),
);
