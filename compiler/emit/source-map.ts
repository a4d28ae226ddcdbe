/**
 * The source map of a printed module: each line of the JavaScript points at the line of the TypeScript that it comes from. Both
 * are printed from one structure, so a line is found by walking them side by side.
 */
export function sourceMap(
  javaScript: string,
  typeScript: string,
  name: { readonly file: string; readonly source: string },
): string {
  const origins = alignLines(javaScript.split('\n'), typeScript.split('\n'));
  let previous = 0;
  const mappings = origins.map((origin) => {
    if (origin === undefined) return '';
    const segment = `AA${base64Digits(origin - previous)}A`;
    previous = origin;
    return segment;
  });
  return `${JSON.stringify({ version: 3, file: name.file, sources: [name.source], names: [], mappings: mappings.join(';') })}\n`;
}

/** For each line of the first text, the line of the second (from 0) that is the same but for its types. */
function alignLines(lines: readonly string[], origins: readonly string[]): readonly (number | undefined)[] {
  const places = new Map<string, number[]>();
  origins.forEach((line, index) => {
    const key = lineKey(line);
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  });
  for (const indexes of places.values()) indexes.reverse();
  let from = 0;
  return lines.map((line) => {
    const indexes = line.trim() === '' ? undefined : places.get(lineKey(line));
    let found = indexes?.pop();
    while (found !== undefined && found < from) found = indexes?.pop();
    if (found !== undefined) from = found + 1;
    return found;
  });
}

/** What two lines share whatever types stand in one of them. */
function lineKey(line: string): string {
  const text = line.trim();
  const declared = /^(?:export )?(?:const|(?:async )?function) [\w$]+/.exec(text);
  return declared === null ? text : declared[0];
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number in the base 64 VLQ of source maps. */
function base64Digits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits.charAt(rest > 0 ? digit | 32 : digit);
  } while (rest > 0);
  return text;
}
