/**
 * The source map of a printed module: each line of the JavaScript points at its line of the TypeScript. Both are
 * printed from one structure, so lines are matched by walking both texts together.
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
    const segment = origin === previous + 1 ? nextLine : `AA${base64Digits(origin - previous)}A`;
    previous = origin;
    return segment;
  });
  return `${JSON.stringify({ version: 3, file: name.file, sources: [name.source], names: [], mappings: mappings.join(';') })}\n`;
}

/** Most lines come from the line after the previous one's. */
const nextLine = 'AACA';

/**
 * For each line of the first text, the line of the second (from 0) that is equal apart from its types: both have the
 * same order.
 */
function alignLines(lines: readonly string[], origins: readonly string[]): readonly (number | undefined)[] {
  let from = 0;
  return lines.map((line) => {
    if (line === '') return undefined;
    if (line === origins[from]) return from++;
    const key = lineKey(line);
    for (let index = from; index < origins.length; index++) {
      const origin = origins[index] ?? '';
      if (origin !== line && (key === line || lineKey(origin) !== key)) continue;
      from = index + 1;
      return index;
    }
    return undefined;
  });
}

/** The common part of two lines, independent of types in one of them: the line itself, or the name that it declares. */
function lineKey(line: string): string {
  return /^ *(?:export )?(?:const|(?:async )?function) [\w$]+/.exec(line)?.[0] ?? line;
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
