/** The name in quotes that begin at `quote`, with `""` in it for one quote, and its end. `undefined` when it is not closed before `end`. */
export function quotedNameAt(text: string, quote: number, end: number): { name: string; stop: number } | undefined {
  let close = text.indexOf('"', quote + 1);
  while (close >= 0 && close < end && text.charCodeAt(close + 1) === 34) close = text.indexOf('"', close + 2);
  if (close < 0 || close >= end) return undefined;
  return { name: text.slice(quote + 1, close).replaceAll('""', '"'), stop: close + 1 };
}
