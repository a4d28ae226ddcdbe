import { signatures, sqliteName, type Crossing, type SqliteFunctionName } from './signatures.ts';

/** A function call as SQL text, with arguments as SQL text; type.ts says how SQLite holds the values. */
export function sqliteCall(name: SqliteFunctionName, ...given: readonly string[]): string {
  const crossings: readonly Crossing[] = signatures[name];
  const passed = given.map((argument, index) =>
    asText.has(crossings[index]) ? `CAST(${argument} AS TEXT)` : argument,
  );
  const call = `${sqliteName(name)}(${passed.join(', ')})`;
  const result = crossings.at(-1);
  return result === 'int' || result === 'long' ? `CAST(${call} AS INTEGER)` : call;
}

const asText: ReadonlySet<Crossing | undefined> = new Set<Crossing>(['long', 'sum']);

/** Functions that never fail because of their arguments; `tooManyValues` is called for the size of a set, which belongs to no row. */
const unfailing: ReadonlySet<string> = new Set(
  (
    [
      ...([
        'keep',
        'kept',
        'widen',
        'keptStart',
        'nullIfDecimal',
        'compareDecimal',
        'distinctDecimal',
        'decimalToDouble',
        'decimalToText',
      ] as const),
      ...([
        'bareDecimalToText',
        'doubleToText',
        'timestampToDate',
        'timestampToText',
        'wallTimeToText',
        'dateToText',
      ] as const),
      ...(['upper', 'lower', 'initcap', 'trim', 'trimLeft', 'trimRight', 'position', 'startsWith', 'reverse'] as const),
      ...(['cutText', 'jsonField', 'jsonItem', 'jsonFieldText', 'jsonItemText', 'hour', 'minute'] as const),
      ...([
        'nullIfInterval',
        'intervalKey',
        'keyedInterval',
        'intervalListKey',
        'packIntervals',
        'unpackIntervals',
        'distinctIntervals',
        'intervalSummand',
        'greatestInterval',
        'leastInterval',
      ] as const),
      ...(['betweenSymmetricLong', 'betweenSymmetricDouble', 'betweenSymmetricText'] as const),
      ...(['anyInt', 'anyLong', 'anyDouble', 'anyText', 'anyBoolean', 'tooManyValues'] as const),
    ] satisfies readonly SqliteFunctionName[]
  ).map((name) => sqliteName(name)),
);

/** Whether evaluating this SQL text can fail: only calls printed by `sqliteCall` can. A text literal that looks like a call does no harm. */
export function mayFail(text: string): boolean {
  return Array.from(text.matchAll(/schemac_\w+/g)).some(([name]) => !unfailing.has(name));
}
