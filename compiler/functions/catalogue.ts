/**
 * The function catalogue: every function and operator of expressions, one entry each. Takes names, gives entries; the analyser resolves
 * types with them and the emitters print with them. Aggregates and window functions are in aggregates.ts.
 */
import { nearestNames } from '../../language/diagnostics/suggestion.ts';
import { aggregateNames, windowNames } from './aggregates.ts';
import { add, subtract } from './entries/add.ts';
import { arrowCast } from './entries/arrow.ts';
import { between, betweenSymmetric } from './entries/between.ts';
import { comparisons } from './entries/comparison.ts';
import { concat, concatenate, concatenateWith } from './entries/concat.ts';
import { coalesce, greatest, least, nullIf } from './entries/conditional.ts';
import { digest, encode } from './entries/digest.ts';
import { divide, mod, modulo } from './entries/divide.ts';
import { jsonAccess } from './entries/json.ts';
import { likes } from './entries/like.ts';
import { anyComparisons, cardinality } from './entries/list.ts';
import { and, isNull, not, or, truthTests } from './entries/logic.ts';
import { multiply } from './entries/multiply.ts';
import { negate } from './entries/negate.ts';
import { numberFunctions } from './entries/number.ts';
import { chances } from './entries/random.ts';
import { strpos, textFunctions } from './entries/text.ts';
import { timeFunctions } from './entries/time.ts';
import { timeZoneFunctions } from './entries/time-zone.ts';
import type { FunctionEntry } from './entry.ts';

const comparing = [...comparisons, between, betweenSymmetric, ...likes, ...anyComparisons];

/** The names of conditions over values. */
export const conditions: ReadonlySet<string> = new Set([...comparing, ...truthTests, isNull].map(({ name }) => name));

/** In the order of the reference. */
export const functionThemes: readonly { readonly theme: string; readonly entries: readonly FunctionEntry[] }[] = [
  { theme: 'Arithmetic', entries: [add, subtract, multiply, divide, modulo, negate] },
  { theme: 'Comparison', entries: comparing },
  { theme: 'Logic', entries: [and, or, not, ...truthTests, isNull] },
  { theme: 'Conditional values', entries: [coalesce, nullIf, greatest, least] },
  { theme: 'Numbers', entries: [...numberFunctions, mod] },
  { theme: 'Text', entries: [concat, concatenate, concatenateWith, ...textFunctions, strpos] },
  { theme: 'Time', entries: [...timeFunctions, ...timeZoneFunctions] },
  { theme: 'JSON and lists', entries: [...jsonAccess, cardinality] },
  { theme: 'Digests', entries: [digest, encode] },
  { theme: 'Chance', entries: chances },
  { theme: 'Conversion', entries: [arrowCast] },
];

const byName: ReadonlyMap<string, FunctionEntry> = new Map(
  functionThemes.flatMap(({ entries }) => entries).map((entry) => [entry.name, entry]),
);

/** The entry of exactly that name, as in a `call` of the catalog. */
export function lookupFunction(name: string): FunctionEntry | undefined {
  return byName.get(name);
}

/** The function that a user wrote, in any case; operators cannot be called by name. */
export function findCallable(name: string): FunctionEntry | undefined {
  return byName.get(name.toUpperCase());
}

/** Names of functions, aggregates and window functions similar to an unknown one. */
export function nearestFunctions(name: string, own: readonly string[] = []): readonly string[] {
  const callable = [...byName.keys()].filter((known) => known === known.toUpperCase());
  return nearestNames(name, [...callable, ...aggregateNames, ...windowNames, ...own]);
}
